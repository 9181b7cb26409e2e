import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ClaimOutcome } from '../../src/cluster.ts';
import type { SimClock } from './sim-clock.ts';
import { installSimClock } from './sim-clock.ts';
import type { SimInstance, SimSocket } from './sim-instance.ts';
import type { SimWorld } from './sim-world.ts';
import { end, promote } from './sim-instance.ts';
import { newSocket } from './sim-modules.ts';
import { createSimWorld } from './sim-world.ts';

const clientId = 'client';
const accountId = 'account-1';

/** Times that the Redis driver promises, on a clock that no busy machine delays. */
describe.each(Array.from({ length: 10 }, (_, seed) => seed))('in simulated time, with seed %i', (seed) => {
  let clock: SimClock;
  let world: SimWorld;
  let asker: SimInstance;
  let owner: SimInstance;

  beforeEach(async () => {
    clock = installSimClock(seed);
    world = createSimWorld(clock);
    [asker, owner] = [world.addInstance(), world.addInstance()];
    await clock.runFor(3_000, () => {});
    // A world that answers neither commands nor pings.
    const socket = { ...newSocket(clientId, 'conn-owner'), isAlive: false, isOpen: true };
    owner.sockets.set(socket.conn, socket);
    await until(claim(owner, socket.conn), 'outcome');
  });
  afterEach(() => clock.uninstall());

  function claim(instance: SimInstance, conn: string): { outcome?: ClaimOutcome['outcome'] } {
    const result: { outcome?: ClaimOutcome['outcome'] } = {};
    clock.within(instance.host, () => {
      void instance.cluster.directory
        .claim({ clientId, conn, accountId, meta: '' })
        .then(({ outcome }) => (result.outcome = outcome));
    });
    return result;
  }

  /** A living browser that waits on an instance. */
  async function standBy(instance: SimInstance, conn: string): Promise<SimSocket> {
    const socket = { ...newSocket(clientId, conn), isWaiting: true };
    instance.sockets.set(conn, socket);
    clock.within(instance.host, () => {
      void instance.cluster.standbys.join({ clientId, conn, accountId, meta: '' });
    });
    await clock.runFor(50, () => {});
    return socket;
  }

  /** Milliseconds until an object has a property. */
  async function until<T extends object>(object: T, name: keyof T): Promise<number> {
    const since = clock.now();
    while (object[name] === undefined && clock.now() - since < 20_000) await clock.runFor(1, () => {});
    return clock.now() - since;
  }

  test('a killed owner is noticed by waiting calls within 100 ms, and its client is taken over within 5 s', async () => {
    const waiting = world.call(asker, clientId, 10_000);
    await clock.runFor(1_000, () => {});
    expect(waiting.deliveries).toHaveLength(1);
    owner.host.state = 'dead';
    for (const connection of owner.network.connections) connection.cut();
    const claimed = claim(asker, 'conn-asker');
    expect(await until(waiting, 'outcome')).toBeLessThan(100);
    expect(waiting.outcome).toBe('unknown');
    const late = world.call(asker, clientId, 10_000);
    expect(await until(late, 'outcome')).toBeLessThan(100);
    expect(late.outcome).toBe('not_sent');
    expect(await until(claimed, 'outcome')).toBeLessThan(5_000);
    expect(claimed.outcome).toBe('mine');
  });

  test('a standby serves 4 to 6 s after the owner was killed, and not before its lease has ended', async () => {
    const waiting = await standBy(asker, 'conn-standby');
    await clock.runFor(1_000, () => {});
    owner.host.state = 'dead';
    for (const connection of owner.network.connections) connection.cut();
    let hadLease = true;
    const look = (): void => {
      if (!waiting.isOpen) hadLease = world.redis.hasLease(owner.cluster.boot);
    };
    const since = clock.now();
    while (!waiting.isOpen && clock.now() - since < 20_000) await clock.runFor(1, look);
    const tookMs = clock.now() - since;
    expect(hadLease).toBe(false);
    expect(tookMs).toBeGreaterThan(3_000);
    expect(tookMs).toBeLessThan(6_000);
  });

  test('a standby waits for an owner that Postgres holds, however long its lease has ended', async () => {
    const socket = owner.sockets.get('conn-owner') as SimSocket;
    socket.isAlive = true;
    const waiting = await standBy(asker, 'conn-standby');
    owner.network.isHole = true;
    await clock.runFor(20_000, () => {});
    expect(waiting.isOpen).toBe(false);
    expect(world.actingFor(clientId)).toEqual([owner]);
    owner.network.isCutFromPostgres = true;
    const ending = { isOver: false };
    const since = clock.now();
    while (!waiting.isOpen && clock.now() - since < 20_000) {
      await clock.runFor(1, () => {
        ending.isOver ||= world.actingFor(clientId).length > 1;
      });
    }
    expect([waiting.isOpen, ending.isOver]).toEqual([true, false]);
    expect(clock.now() - since).toBeLessThan(8_000);
  });

  test('a standby serves within 100 ms after the owner’s socket ended, and within 100 ms after a person said so', async () => {
    const socket = owner.sockets.get('conn-owner') as SimSocket;
    const [one, other] = [await standBy(asker, 'conn-one'), await standBy(owner, 'conn-other')];
    clock.within(owner.host, () => void end(owner, socket));
    await clock.runFor(100, () => {});
    expect([one, other].filter(({ isOpen }) => isOpen)).toHaveLength(1);
    const [left, at] = one.isOpen ? [other, owner] : [one, asker];
    left.isCalledUp = true;
    clock.within(at.host, () => void promote(left, at, { clock }));
    await clock.runFor(100, () => {});
    expect([left.isOpen, (left === one ? other : one).isClosed]).toEqual([true, true]);
    expect(world.actingFor(clientId)).toEqual([at]);
  });

  test.each(['the owner’s claim', 'what the owner left'])(
    'where a fail-over of Redis brings back %s in place of a standby’s claim, one serves again within 3 s, and no call runs twice',
    async (what) => {
      const socket = owner.sockets.get('conn-owner') as SimSocket;
      const waiting = [await standBy(asker, 'conn-one'), await standBy(owner, 'conn-other')];
      world.calmDown();
      let fallBack = world.redis.snapshot();
      clock.within(owner.host, () => void end(owner, socket));
      const isThere = () => waiting.some(({ isOpen }) => isOpen);
      while (!isThere()) {
        // The last moment before the claim of a standby.
        if (what === 'what the owner left' && world.redis.isLeft(clientId)) fallBack = world.redis.snapshot();
        await clock.runFor(0.1, () => {});
      }
      fallBack();
      for (const { network } of world.instances)
        for (const connection of network.connections) connection.cut();
      const calls = [];
      let besideMs = 0;
      for (let ms = 0; ms < 3_000; ms += 20) {
        calls.push(world.call(asker, clientId, 5_000), world.call(owner, clientId, 5_000));
        await clock.runFor(20, () => {});
        if (world.actingFor(clientId).length > 1) besideMs += 20;
      }
      expect(besideMs).toBeLessThan(1_100);
      expect(world.actingFor(clientId)).toHaveLength(1);
      const last = [world.call(asker, clientId, 5_000), world.call(owner, clientId, 5_000)];
      await clock.runFor(6_000, () => {});
      expect(last.map(({ outcome }) => outcome)).toEqual(['replied', 'replied']);
      expect(calls.filter(({ deliveries }) => deliveries.length > 1)).toEqual([]);
    },
  );

  test('a standby that awaits a browser which was told to come over waits longer by as much as Redis’ clock is set back', async () => {
    const waiting = await standBy(asker, 'conn-standby');
    const step = 60_000;
    clock.within(owner.host, () => void owner.cluster.directory.release(clientId, 'conn-owner', 30_000));
    owner.sockets.delete('conn-owner');
    await clock.runFor(100, () => {});
    world.redis.skewMs -= step;
    const since = clock.now();
    await clock.runFor(50_000, () => {});
    const call = world.call(asker, clientId, 3_000);
    await clock.runFor(4_000, () => {});
    expect([waiting.isOpen, call.outcome]).toEqual([false, 'not_sent']);
    while (!waiting.isOpen && clock.now() - since < 100_000) await clock.runFor(10, () => {});
    const tookMs = clock.now() - since;
    expect(tookMs).toBeGreaterThan(step + 8_000);
    expect(tookMs).toBeLessThan(step + 12_000);
  });

  test('an owner whose lease a step of Redis’ clock ended acts beside its successor for 1.1 s at most', async () => {
    const socket = owner.sockets.get('conn-owner') as SimSocket;
    socket.isAlive = true;
    const calls = [];
    world.redis.skewMs += 10_000;
    const claimed = claim(asker, 'conn-asker');
    const since = clock.now();
    while (!socket.isClosed && clock.now() - since < 5_000) {
      calls.push(world.call(owner, clientId, 10_000));
      await clock.runFor(20, () => {});
    }
    expect(claimed.outcome).toBe('mine');
    expect(clock.now() - since).toBeLessThan(1_100);
    await clock.runFor(10_000, () => {});
    expect(calls.filter(({ deliveries }) => deliveries.length > 1)).toEqual([]);
  });

  test('a newcomer takes over from a client that went silent within 3 s', async () => {
    const claimed = claim(asker, 'conn-asker');
    expect(await until(claimed, 'outcome')).toBeLessThan(3_000);
    expect(claimed.outcome).toBe('mine');
    expect(owner.sockets.size).toBe(0);
  });
});

test('of 100 instances that all wait for calls, each notices a killed owner within 100 ms', async () => {
  const clock = installSimClock(1);
  try {
    const world = createSimWorld(clock);
    const [owner, ...askers] = Array.from({ length: 100 }, () => world.addInstance()) as [
      SimInstance,
      ...SimInstance[],
    ];
    await clock.runFor(3_000, () => {});
    const socket = { ...newSocket(clientId, 'conn-owner'), isAlive: false, isOpen: true };
    owner.sockets.set(socket.conn, socket);
    clock.within(owner.host, () => {
      void owner.cluster.directory.claim({ clientId, conn: socket.conn, accountId, meta: '' });
    });
    await clock.runFor(100, () => {});
    const waiting = askers.map((asker) => world.call(asker, clientId, 10_000));
    await clock.runFor(500, () => {});
    expect(waiting.map(({ deliveries }) => deliveries.length)).toEqual(waiting.map(() => 1));
    owner.host.state = 'dead';
    for (const connection of owner.network.connections) connection.cut();
    await clock.runFor(99, () => {});
    expect(waiting.map(({ outcome }) => outcome)).toEqual(waiting.map(() => 'unknown'));
  } finally {
    clock.uninstall();
  }
});
