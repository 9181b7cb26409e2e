import assert from 'node:assert/strict';
import { createMemoryCluster } from '@tabletop-relay/cluster';

const cluster = createMemoryCluster({ instanceId: 'instance-1' });
await cluster.start({
  deliver: ({ body }) => Promise.resolve({ head: {}, body }),
  isArriving: () => false,
  probe: () => Promise.resolve(true),
  evict: () => {},
  promote: () => {},
  claims: () => [],
});
const client = { clientId: 'client-1', accountId: 'account-1' };
const claim = await cluster.directory.claim({ ...client, conn: 'socket-1', meta: '' });
const call = { ...client, head: {}, body: Buffer.from('roll'), budgetMs: 1_000 };
const reply = await cluster.bus.call(call);
assert.equal(claim.outcome, 'mine');
assert.equal(reply.body.toString(), 'roll');
await cluster.stop();
