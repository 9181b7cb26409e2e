import { startTestHost } from './host.ts';

/** A browser host in a process of its own, to be killed. Once it is, another gets its sessions sooner than by default. */
const [databaseUrl = '', redisUrl = ''] = process.argv.slice(2);
await startTestHost(
  { databaseUrl, redisUrl: [redisUrl], outboundAllow: ['127.0.0.0/8', '::1/128'] },
  { lockMs: 4_000 },
);
