import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Connection } from '../../src/redis/connection.ts';
import { createFakeConnection } from '../fakes/fake-connection.ts';
import type { Instance } from '../../src/cluster.ts';
import { createRedisCluster } from '../../src/redis/redis-cluster.ts';
import { GIVE_UP, RENEW, TAKE } from '../../src/redis/scripts/lease.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const noHolds = { hold: () => Promise.resolve(), isHeld: () => Promise.resolve(false) };

/** A cluster over connections that stand when they are dialled, if `answers` says so. */
function createTestCluster(answers: boolean) {
  const made: (ReturnType<typeof createFakeConnection> & { name: string })[] = [];
  const scripts: string[] = [];
  const answerTo = (args: readonly unknown[]): unknown => {
    if (args[0] === TAKE.sha && args[12] !== '') scripts.push('take');
    if (args[0] === GIVE_UP.sha) scripts.push('give up');
    if (args[0] !== TAKE.sha && args[0] !== RENEW.sha) return [];
    // Behind the hash, the number of keys, the four keys and six arguments.
    const isTaken = args[0] === TAKE.sha || scripts.length >= 2;
    return [args[12] === 'its id' && isTaken ? 1 : 0, '1000', 'its id'];
  };
  const cluster = createRedisCluster({
    instanceId: 'relay-1',
    shards: ['redis://127.0.0.1:1', 'redis://127.0.0.1:2'],
    holds: noHolds,
    connect: (_url, name) => {
      const fake = createFakeConnection();
      made.push({ ...fake, name });
      fake.connect.mockImplementation(() => {
        if (answers) fake.events.emit('ready');
        return Promise.resolve();
      });
      const send: Connection['send'] = (_name, args) =>
        answers ? Promise.resolve(answerTo(args)) : Promise.reject(new Error('away'));
      return Object.assign(fake.connection, { send, subscribe: () => Promise.resolve() });
    },
  });
  return { cluster, made, scripts };
}

const instance = {} as Instance;

describe('a cluster over two servers', () => {
  it('starts when both have given it a lease, and is up', async () => {
    const { cluster, made, scripts } = createTestCluster(true);
    await cluster.start(instance);
    expect(scripts).toEqual(['take', 'take']);
    expect(cluster.health?.()).toEqual({ state: 'up' });
    expect(new Set(made.map(({ name }) => name)).size).toBe(made.length / 2);
    for (const { connect } of made) expect(connect).toHaveBeenCalledTimes(1);
    await cluster.stop();
  });

  it('leaves neither a timer nor a connection when it stops, and gives its leases up', async () => {
    const { cluster, made, scripts } = createTestCluster(true);
    await cluster.start(instance);
    await cluster.stop();
    expect(scripts).toEqual(['take', 'take', 'give up', 'give up']);
    expect(vi.getTimerCount()).toBe(0);
    for (const { disconnect } of made) expect(disconnect).toHaveBeenCalledWith();
  });

  it('says which servers did not answer where it cannot start, and leaves nothing', async () => {
    const { cluster, made } = createTestCluster(false);
    const started = cluster.start(instance).catch((error: unknown) => String(error));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await started).toContain('not usable within 10 s: 127.0.0.1:1 (away), 127.0.0.1:2 (away)');
    for (const { disconnect } of made.filter(({ name }) => name === 'relay-commands'))
      expect(disconnect).toHaveBeenCalledWith();
    await cluster.stop();
    expect(vi.getTimerCount()).toBe(0);
    for (const { disconnect } of made) expect(disconnect).toHaveBeenCalled();
  });

  it('tells which of them it does not hear, or does not reach', async () => {
    const { cluster, made } = createTestCluster(true);
    await cluster.start(instance);
    const of = (name: string) => made.filter((one) => one.name === name);
    of('relay-subscriber')[1]?.events.emit('close');
    expect(cluster.health?.()).toEqual({
      state: 'deaf',
      detail: 'the subscription on 127.0.0.1:2 is lost',
    });
    // Where it does not answer either, the subscription is not what is missing.
    of('relay-commands')[1]?.events.emit('close');
    expect(cluster.health?.()).toEqual({ state: 'degraded', detail: '127.0.0.1:2 does not answer' });
    await cluster.stop();
  });

  it('needs one', () => {
    expect(() => createRedisCluster({ instanceId: 'a', shards: [], holds: noHolds })).toThrow(
      'at least one Redis',
    );
  });
});
