/**
 * An instance in a separate process, for tests that stop or kill it. Arguments: Redis URL, client id, handover to offer. Writes its events
 * as lines of JSON. Its Postgres is unavailable, so its authority depends on the lease alone.
 */
import type { Reply } from '../src/index.ts';
import { createRedisCluster } from '../src/index.ts';

const [, , url = '', clientId = '', handover = ''] = process.argv;
const tell = (event: Record<string, unknown>): void =>
  void process.stdout.write(`${JSON.stringify(event)}\n`);

const away = (): Promise<never> => Promise.reject(new Error('Postgres is away'));
const cluster = createRedisCluster({
  instanceId: 'child',
  shards: [url],
  holds: { hold: away, isHeld: away },
});

await cluster.start({
  deliver: ({ body }) => {
    tell({ event: 'delivered', body: body.toString() });
    return body.toString() === 'hang' ? new Promise<Reply>(() => {}) : Promise.resolve({ head: {}, body });
  },
  isArriving: () => false,
  probe: () => Promise.resolve(true),
  promote: () => {},
  evict: (_conn, why) => tell({ event: 'evicted', why }),
  claims: () => [{ clientId, conn: 'child-conn', accountId: 'account-1', meta: '', epoch: 0 }],
});
const outcome = await cluster.directory.claim({
  clientId,
  conn: 'child-conn',
  accountId: 'account-1',
  meta: '',
});
await cluster.directory.offer(clientId, 'child-conn', handover);
tell({ event: 'claimed', ...outcome });

let before = '';
setInterval(() => {
  const authority = cluster.directory.authority(clientId);
  if (authority !== before) tell({ event: 'authority', authority });
  before = authority;
}, 5);
