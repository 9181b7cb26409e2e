import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Followed } from '../src/index.ts';
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

  test('lost of a stream are told as a gap by the next event', async () => {
    const [follower, owner] = await startPair(fleet);
    const { conn } = await owner.connect(client);
    owner.cluster.streams.open(client, conn, ['hooks']);
    const heard: Followed[] = [];
    const stream = { clientId: client, channel: 'hooks' };
    const following = await follower.cluster.streams.follow(stream);
    following.start((message) => heard.push(message));
    const send = async (count: number, name: string): Promise<void> => {
      const before = heard.length;
      for (let one = 0; one < count; one++) owner.cluster.streams.append(conn, 'hooks', Buffer.from(name));
      await vi.waitFor(() => expect(heard.length).toBeGreaterThanOrEqual(before + count), soon);
    };
    await send(5, 'kept');
    const names = [keys.streamHead('hooks', client), keys.stream('hooks', client)];
    const records = await Promise.all(names.map((name) => fleet.store.dumpBuffer(name)));
    await send(5, 'lost');
    const place = heard.at(-1) as Followed;
    await Promise.all(
      names.map((name, at) => fleet.store.restore(name, 0, records[at] as Buffer, 'REPLACE')),
    );
    // Who was there has heard them all. Who returns by them cannot be told what was behind.
    await send(2, 'later');
    expect(heard.map((one) => (one.kind === 'event' ? one.event.toString() : one.kind)).slice(5)).toEqual([
      ...Array.from({ length: 5 }, () => 'lost'),
      'later',
      'later',
    ]);
    const back = await follower.cluster.streams.follow(stream, place);
    expect(back.recovered).toBe(false);
    back.stop();
    following.stop();
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
