import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FaultFleet, NetworkedInstance } from './fault-fleet.ts';
import { openFaultFleet } from './fault-fleet.ts';
import type { Authority } from '../src/cluster.ts';
import { failureOf, startInstance } from './conformance/fleet.ts';
import { ClusterUnavailable } from '../src/failures.ts';
import { keys } from '../src/redis/keys.ts';
import { createRedisCluster } from '../src/redis/redis-cluster.ts';
import { ROUTE } from '../src/redis/scripts/calls.ts';

const client = 'client-1';
const soon = { timeout: 10_000, interval: 10 };

let fleet: FaultFleet;
beforeEach(async () => {
  fleet = await openFaultFleet();
});
afterEach(() => fleet.close());

const startPair = async (): Promise<[NetworkedInstance, NetworkedInstance]> =>
  Promise.all([fleet.start('asker'), fleet.start('owner')]);

/** A call that has reached its owner, which answers when told to. */
async function askAndHold() {
  const [asker, owner] = await startPair();
  await owner.connect(client);
  const { promise: told, resolve: answer } = Promise.withResolvers<void>();
  owner.answer = async ({ body }) => {
    await told;
    return { head: '', body };
  };
  const call = asker.ask(client, 'once');
  await vi.waitFor(() => expect(bodies(owner)).toContain('once'), soon);
  return { asker, owner, call, answer };
}

describe('a connection that is cut', () => {
  test('between a script and its answer lets the command run once, and its reply still comes', async () => {
    const [asker, owner] = await startPair();
    await owner.connect(client);
    await asker.ask(client, 'first, so that Redis knows the script');
    const cut = asker.network.cutBeforeAnswerTo(ROUTE.sha);
    expect(await asker.ask(client, 'once')).toBe('once');
    await cut;
    await vi.waitFor(async () => expect(await asker.ask(client, 'later')).toBe('later'), soon);
    expect(bodies(owner).filter((body) => body === 'once')).toEqual(['once']);
  });

  test('together with its subscription still brings the reply that nobody heard', async () => {
    const { asker, owner, call, answer } = await askAndHold();
    asker.network.cut();
    // The asker can no longer hear it.
    answer();
    expect(await call).toBe('once');
    expect(bodies(owner)).toEqual(['once']);
  });

  test('together with its subscription leaves the outcome unknown when no reply comes soon', async () => {
    const [asker, owner] = await startPair();
    await owner.connect(client);
    const echo = owner.answer;
    owner.answer = () => new Promise(() => {});
    const call = failureOf(asker.ask(client, 'once'));
    await vi.waitFor(() => expect(bodies(owner)).toContain('once'), soon);
    asker.network.cut();
    const since = performance.now();
    expect(await call).toMatchObject({ reason: 'lost', sent: true });
    expect(performance.now() - since).toBeLessThan(4_000);
    owner.answer = echo;
    await vi.waitFor(async () => expect(await asker.ask(client, 'later')).toBe('later'), soon);
    expect(bodies(owner).filter((body) => body === 'once')).toEqual(['once']);
  });

  test('when the owner answers lets its reply come once the connection is back', async () => {
    const { owner, call, answer } = await askAndHold();
    owner.network.cut('relay-commands');
    await vi.waitFor(() => expect(owner.cluster.health().state).toBe('degraded'), { ...soon, interval: 1 });
    answer();
    expect(await call).toBe('once');
    expect(bodies(owner)).toEqual(['once']);
  });

  test('at both ends at once brings the reply that was made meanwhile', async () => {
    const { asker, owner, call, answer } = await askAndHold();
    asker.network.cut();
    owner.network.cut();
    answer();
    expect(await call).toBe('once');
    expect(bodies(owner)).toEqual(['once']);
  });

  test('tells the listeners of messages to all that some may be missing', async () => {
    const [instance] = await startPair();
    const gaps = vi.fn<() => void>();
    instance.cluster.broadcast.onGap(gaps);
    instance.network.cut('relay-subscriber');
    await vi.waitFor(() => expect(gaps).toHaveBeenCalledTimes(1), soon);
    const heard = vi.fn<(message: string) => void>();
    instance.cluster.broadcast.subscribe('keys', heard);
    await instance.cluster.broadcast.publish('keys', 'again');
    await vi.waitFor(() => expect(heard).toHaveBeenCalledWith('again'), soon);
  });
});

describe('a Redis that is killed', () => {
  test('and comes back empty finds all claims again within 5 s, with owners acting throughout', async () => {
    const [asker, owner] = await startPair();
    const clients = Array.from({ length: 1_200 }, (_, index) => `${client}-${index}`);
    await Promise.all(clients.map((one) => owner.connect(one)));
    const authorities = sampleAuthorities([owner], clients[0] ?? '');
    await fleet.redis.kill();
    await vi.waitFor(
      () =>
        expect(asker.ask(clients[0] ?? '', 'x')).rejects.toMatchObject({
          reason: 'unavailable',
          sent: false,
        }),
      soon,
    );
    await vi.waitFor(() => expect(owner.cluster.directory.authority(clients[0] ?? '')).toBe('held'), soon);
    expect(asker.cluster.health().state).toBe('degraded');
    await fleet.redis.restart();
    const since = performance.now();
    await vi.waitFor(async () => {
      expect((await asker.cluster.directory.find(clients)).size).toBe(clients.length);
      expect(await asker.ask(clients[1_199] ?? '', 'back')).toBe('back');
    }, soon);
    expect(performance.now() - since).toBeLessThan(5_000);
    expect(asker.cluster.health()).toEqual({ state: 'up' });
    expect(owner.evicted).toEqual([]);
    expect(authorities.stop()).not.toContainEqual(['frozen']);
  });

  test('forgets no release that was made while it was away', async () => {
    const [asker, owner] = await startPair();
    const { conn } = await owner.connect(client);
    owner.network.blackHole();
    await vi.waitFor(() => expect(owner.cluster.health().state).toBe('degraded'), soon);
    await owner.disconnect(client, conn);
    owner.network.heal();
    await vi.waitFor(async () => expect((await asker.cluster.directory.find([client])).size).toBe(0), soon);
  });

  test('does not keep an instance from stopping', async () => {
    const [instance] = await startPair();
    await instance.connect(client);
    await fleet.redis.kill();
    const since = performance.now();
    await instance.cluster.stop();
    expect(performance.now() - since).toBeLessThan(3_000);
  });

  test('fails the start of an instance in time', async () => {
    await fleet.redis.kill();
    const late = createRedisCluster({
      instanceId: 'late',
      shards: [fleet.url],
      holds: fleet.holds,
      times: { startMs: 200 },
    });
    await expect(startInstance(late)).rejects.toThrow(ClusterUnavailable);
  });
});

describe('an instance that is cut off from Redis', () => {
  test('keeps its clients while holds in Postgres speak for it', async () => {
    const [other, owner] = await startPair();
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
    const [other, owner] = await startPair();
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
    const [other, owner] = await startPair();
    await owner.connect(client);
    fleet.holds.isAway = true;
    owner.network.blackHole();
    await vi.waitFor(() => expect(owner.cluster.directory.authority(client)).toBe('frozen'), soon);
    owner.network.heal();
    await vi.waitFor(async () => expect(await other.ask(client, 'back')).toBe('back'), soon);
    expect(owner.evicted).toEqual([]);
  });

  test('starts no command of its callers after the deadline, however late Redis hears of it', async () => {
    const [asker, owner] = await startPair();
    await owner.connect(client);
    await asker.ask(client, 'first');
    asker.network.blackHole();
    await expect(asker.ask(client, 'late', { budgetMs: 300 })).rejects.toMatchObject({ reason: 'timeout' });
    asker.network.heal();
    await vi.waitFor(async () => expect(await asker.ask(client, 'next')).toBe('next'), soon);
    expect(bodies(owner)).toEqual(['first', 'next']);
  });
});

describe('a Redis that nobody reaches for 30 s', () => {
  test(
    'costs no owner its clients, and is used again within 5 s of its return',
    { timeout: 60_000 },
    async () => {
      const [asker, owner] = await startPair();
      await owner.connect(client);
      const authorities = sampleAuthorities([owner], client);
      asker.network.blackHole();
      owner.network.blackHole();
      await delay(30_000);
      expect(owner.cluster.directory.authority(client)).toBe('held');
      await expect(asker.ask(client, 'away')).rejects.toMatchObject({ reason: 'unavailable', sent: false });
      asker.network.heal();
      owner.network.heal();
      const since = performance.now();
      await vi.waitFor(async () => expect(await asker.ask(client, 'back')).toBe('back'), soon);
      expect(performance.now() - since).toBeLessThan(5_000);
      expect(owner.evicted).toEqual([]);
      expect(bodies(owner)).toEqual(['back']);
      // No moment without authority: the claim is asserted again before the hold is over.
      expect(authorities.stop()).toEqual([['owner'], ['held'], ['owner']]);
    },
  );
});

describe('a subscription that dies silently', () => {
  test('is noticed and made again; calls meanwhile are not sent, and lost replies are given up', async () => {
    const [asker, owner] = await startPair();
    await owner.connect(client);
    asker.network.blackHole('relay-subscriber');
    const unheard = failureOf(asker.ask(client, 'x'));
    await vi.waitFor(() => expect(asker.cluster.health().state).toBe('deaf'), { ...soon, interval: 2 });
    await expect(asker.ask(client, 'y')).rejects.toMatchObject({ reason: 'unavailable', sent: false });
    await vi.waitFor(() => expect(asker.cluster.health().state).toBe('up'), soon);
    expect(await asker.ask(client, 'z')).toBe('z');
    expect(await unheard).toMatchObject({ reason: 'lost', sent: true });
    expect(bodies(owner)).toEqual(['x', 'z']);
  });
});

describe('an instance with another list of shards', () => {
  test('does not start', async () => {
    await startPair();
    const shards = [fleet.url, fleet.url.replace('#', '?#')];
    const other = createRedisCluster({ instanceId: 'other', shards, holds: fleet.holds });
    await expect(startInstance(other)).rejects.toThrow('another list of Redis shards');
  });
});

describe('records that a failover', () => {
  test('lost are restored by their owner', async () => {
    const [asker, owner] = await startPair();
    await owner.connect(client);
    await fleet.store.del(keys.owner(client));
    owner.network.cut();
    await vi.waitFor(async () => expect(await asker.ask(client, 'back')).toBe('back'), soon);
  });

  test('revived lose against the higher epoch', async () => {
    const [first, second] = await startPair();
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
    const [asker, owner] = await startPair();
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

function bodies(instance: NetworkedInstance): string[] {
  return instance.delivered.map(({ body }) => body.toString());
}

/** The changes of the instances' authorities, side by side: never two that act at once. */
function sampleAuthorities(instances: NetworkedInstance[], clientId: string): { stop: () => Authority[][] } {
  const seen: Authority[][] = [];
  const sample = (): void => {
    const now = instances.map(({ cluster }) => cluster.directory.authority(clientId));
    if (now.join(' ') !== seen.at(-1)?.join(' ')) seen.push(now);
  };
  sample();
  const timer = setInterval(sample, 1);
  return {
    stop: () => {
      clearInterval(timer);
      sample();
      return seen;
    },
  };
}
