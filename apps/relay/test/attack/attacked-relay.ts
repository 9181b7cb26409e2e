import { pino } from 'pino';
import { writeSync } from 'node:fs';
import { startInstances } from '../instances.ts';
import { collectRoutes } from './matrix/routes.ts';

// The relay of the long attack, in a process of its own: what kills it shall not kill the attacker. It tells its routes
// and its address; its log goes to stdout. `ATTACKED` is a database URL and settings, as JSON.
const { databaseUrl, config } = JSON.parse(process.env['ATTACKED'] ?? '{}') as {
  databaseUrl: string;
  config: Record<string, unknown>;
};
const collected = collectRoutes();
const log = pino({ level: 'info' }, { write: (line: string) => void writeSync(1, line) });
const cluster = await startInstances({ databaseUrl, config, log, onRoute: collected.onRoute });
process.on('disconnect', () => process.exit());
process.on('message', () => void cluster.stop().then(() => process.exit()));
process.send?.({ url: cluster.instances[0].url, routes: collected.routes() });
