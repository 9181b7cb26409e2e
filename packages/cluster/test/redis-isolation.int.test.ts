import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keys } from '../src/redis/keys.ts';
import type { FaultFleet } from './fault-fleet.ts';
import { bodies, openFaultFleet, sampleAuthorities, soon, startPair } from './fault-fleet.ts';

const client = 'client-1';

let fleet: FaultFleet;
beforeEach(async () => {
  fleet = await openFaultFleet();
});
afterEach(() => fleet.close());

describe('an instance that is cut off from Redis', () => {
  test('keeps its clients while holds in Postgres speak for it', async () => {
    const [other, owner] = await startPair(fleet);
    await owner.connect(client);
    const authorities = sampleAuthorities([owner, other], client);
    owner.network.blackHole();
    await vi.waitFor(() => expect(owner.cluster.directory.authority(client)).toBe('held'), soon);
    // The lease is over by now, and a newcomer elsewhere finds the hold.
    await vi.waitFor(
      async () => expect(await fleet.store.exists(keys.lease(owner.cluster.boot))).toBe(0),
      soon,
    );
    await vi.waitFor(() => expect(owner.cluster.directory.authority(client)).toBe('held'), soon);
    expect(await other.connect(client)).toMatchObject({ outcome: 'duplicate' });
    await expect(other.ask(client, 'x')).rejects.toMatchObject({ reason: 'unavailable', sent: false });
    owner.network.heal();
    await vi.waitFor(async () => expect(await other.ask(client, 'back')).toBe('back'), soon);
    expect(owner.evicted).toEqual([]);
    expect(authorities.stop()).toEqual([
      ['owner', 'frozen'],
      ['held', 'frozen'],
      ['owner', 'frozen'],
    ]);
  });

  test('and from Postgres freezes before another takes over, and gives its client up when it is back', async () => {
    const [other, owner] = await startPair(fleet);
    await owner.connect(client);
    const authorities = sampleAuthorities([owner, other], client);
    fleet.holds.isAway = true;
    owner.network.blackHole();
    await vi.waitFor(() => expect(owner.cluster.directory.authority(client)).toBe('frozen'), soon);
    fleet.holds.isAway = false;
    await vi.waitFor(
      async () => expect(await other.connect(client)).toMatchObject({ outcome: 'mine' }),
      soon,
    );
    owner.network.heal();
    await vi.waitFor(() => expect(owner.evicted).toMatchObject([{ why: 'superseded' }]), soon);
    expect(owner.cluster.directory.authority(client)).toBe('frozen');
    expect(await owner.ask(client, 'to the new owner')).toBe('to the new owner');
    expect(authorities.stop()).toEqual([
      ['owner', 'frozen'],
      ['frozen', 'frozen'],
      ['frozen', 'owner'],
    ]);
  });

  test('and from Postgres acts again once it is back, if nobody took its client', async () => {
    const [other, owner] = await startPair(fleet);
    await owner.connect(client);
    fleet.holds.isAway = true;
    owner.network.blackHole();
    await vi.waitFor(() => expect(owner.cluster.directory.authority(client)).toBe('frozen'), soon);
    owner.network.heal();
    await vi.waitFor(async () => expect(await other.ask(client, 'back')).toBe('back'), soon);
    expect(owner.evicted).toEqual([]);
  });

  test('starts no command of its callers after the deadline, however late Redis hears of it', async () => {
    const [asker, owner] = await startPair(fleet);
    await owner.connect(client);
    await asker.ask(client, 'first');
    asker.network.blackHole();
    await expect(asker.ask(client, 'late', { budgetMs: 300 })).rejects.toMatchObject({ reason: 'timeout' });
    asker.network.heal();
    await vi.waitFor(async () => expect(await asker.ask(client, 'next')).toBe('next'), soon);
    expect(bodies(owner)).toEqual(['first', 'next']);
  });
});
