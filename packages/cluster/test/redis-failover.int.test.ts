import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keys } from '../src/redis/keys.ts';
import type { FaultFleet } from './fault-fleet.ts';
import { bodies, openFaultFleet, soon, startPair } from './fault-fleet.ts';

const client = 'client-1';

let fleet: FaultFleet;
beforeEach(async () => {
  fleet = await openFaultFleet();
});
afterEach(() => fleet.close());

describe('records that a failover', () => {
  test('lost are restored by their owner', async () => {
    const [asker, owner] = await startPair(fleet);
    await owner.connect(client);
    await fleet.store.del(keys.owner(client));
    owner.network.cut();
    await vi.waitFor(async () => expect(await asker.ask(client, 'back')).toBe('back'), soon);
  });

  test('revived lose against the higher epoch', async () => {
    const [first, second] = await startPair(fleet);
    const old = await first.connect(client);
    const record = await fleet.store.dumpBuffer(keys.owner(client));
    await first.disconnect(client, old.conn);
    await second.connect(client);
    await fleet.store.restore(keys.owner(client), 0, record, 'REPLACE');
    second.network.cut();
    await vi.waitFor(
      async () => expect(await fleet.store.hget(keys.owner(client), 'boot')).toBe(second.cluster.boot),
      soon,
    );
    // Its claim may be back before its subscription: until then calls are refused, and none is sent.
    await vi.waitFor(async () => expect(await first.ask(client, 'x')).toBe('x'), soon);
    expect(bodies(second)).toEqual(['x']);
    expect(second.evicted).toEqual([]);
  });

  test('revived without their conn are released when a command comes', async () => {
    const [asker, owner] = await startPair(fleet);
    const { conn } = await owner.connect(client);
    const record = await fleet.store.dumpBuffer(keys.owner(client));
    await owner.disconnect(client, conn);
    await fleet.store.restore(keys.owner(client), 0, record, 'REPLACE');
    await expect(asker.ask(client, 'x')).rejects.toMatchObject({ reason: 'unavailable', sent: false });
    await vi.waitFor(
      () => expect(asker.ask(client, 'x')).rejects.toMatchObject({ reason: 'no_owner', sent: false }),
      soon,
    );
    expect(bodies(owner)).toEqual([]);
  });
});
