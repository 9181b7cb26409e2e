import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OtherReading, ReadingStore, RedisReading } from '../../cluster.ts';
import { AnotherRedis, createIdentity } from './identity.ts';

const wordMs = 15_000;
const onOurs = vi.fn<(wasForeign: boolean) => void>();
const onForeign = vi.fn<() => void>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
});
afterEach(() => void vi.useRealTimers());
const settle = () => vi.advanceTimersByTimeAsync(0);

function setUp() {
  const told: (RedisReading | undefined)[] = [];
  const state = {
    others: [] as OtherReading[],
    isAway: false,
    waiting: undefined as Promise<void> | undefined,
  };
  const readings: ReadingStore = {
    tell: async (_of, decide) => {
      if (state.isAway) throw new Error('Postgres is away');
      told.push(decide(state.others));
      await state.waiting;
    },
  };
  const logged: string[] = [];
  const note = (level: string) => (_fields: object, message: string) =>
    void logged.push(`${level} ${message}`);
  const identity = createIdentity({
    boot: 'boot',
    index: 0,
    place: '10.0.0.1:6379',
    readings,
    times: { wordMs },
    log: { info: note('info'), warn: note('warn'), error: note('error') },
    onOurs,
    onForeign,
  });
  /** A renewal finds this. Answers what it failed with. */
  async function find(found: string): Promise<string> {
    let failure = '';
    try {
      identity.check(found);
    } catch (error) {
      expect(error).toBeInstanceOf(AnotherRedis);
      failure = (error as Error).message;
      identity.compare();
    }
    await settle();
    return failure;
  }
  return { identity, state, told, logged, find };
}

const other = (more: Partial<OtherReading> = {}): OtherReading => ({
  instanceId: 'relay-2',
  id: 'a',
  found: 'a',
  place: '10.0.0.2:6379',
  heardMs: 100,
  ageMs: 100,
  ...more,
});

async function serving(id = 'a') {
  const set = setUp();
  await set.find(id);
  await set.find(id);
  expect(set.identity.isSeen()).toBe(true);
  vi.clearAllMocks();
  return set;
}

describe('at the start', () => {
  it('the id that is there is taken once it was compared, and told before', async () => {
    const { identity, told, find } = setUp();
    expect(identity.expected()).toEqual({ id: '', mayWrite: false });
    expect(await find('a')).toBe('not compared yet with the Redis of other instances');
    expect(told).toEqual([{ id: 'a', found: 'a', place: '10.0.0.1:6379', ageMs: 0 }]);
    expect(onOurs.mock.calls).toEqual([[false]]);
    expect(identity.expected().id).toBe('a');
    expect(await find('a')).toBe('');
    expect(told).toHaveLength(1);
  });

  it('an empty Redis gets an id that was told before it is written', async () => {
    const { identity, told, find } = setUp();
    await find('');
    const { id, mayWrite } = identity.expected();
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect(mayWrite).toBe(true);
    expect(told).toMatchObject([{ id, found: '' }]);
    expect(await find(id)).toBe('');
    expect(identity.reading()).toMatchObject({ id, found: id });
  });

  it('another that was faster has written its own, and that is taken', async () => {
    const { identity, find } = setUp();
    await find('');
    await find('a');
    expect(identity.expected().id).toBe('a');
    expect(await find('a')).toBe('');
  });

  it('beside one on another Redis it waits, tells nothing, and names both', async () => {
    const { identity, state, told, find, logged } = setUp();
    state.others = [other()];
    for (const [found, words] of [
      ['b', 'another Redis than that of relay-2 (10.0.0.2:6379)'],
      ['', 'empty, so another Redis than that of relay-2 (10.0.0.2:6379)'],
    ] as const) {
      await find(found);
      expect(await find(found)).toBe(words);
      expect(identity.isWaiting()).toBe(true);
      expect(identity.expected()).toEqual({ id: '', mayWrite: false });
    }
    expect(told.filter(Boolean)).toEqual([]);
    expect(identity.reading()).toBeUndefined();
    expect(logged).toEqual(['warn waiting for the word of another instance on its Redis']);
    // The other has written its id again.
    await find('a');
    expect(identity.expected().id).toBe('a');
  });

  it('nothing is known while Postgres is away', async () => {
    const { identity, state, find } = setUp();
    state.isAway = true;
    await find('');
    expect(identity.expected()).toEqual({ id: '', mayWrite: false });
    state.isAway = false;
    await find('');
    expect(identity.expected().mayWrite).toBe(true);
  });
});

describe('in mid-life', () => {
  it('the id is written again over the connection that has seen it, and over no other', async () => {
    const { identity } = await serving();
    expect(identity.expected()).toEqual({ id: 'a', mayWrite: true });
    identity.closed();
    expect(identity.isSeen()).toBe(false);
    expect(identity.expected()).toEqual({ id: 'a', mayWrite: false });
  });

  it('an empty Redis behind a new connection gets it once nobody reads it elsewhere', async () => {
    const { identity, state, told, find } = await serving();
    state.others = [other()];
    identity.closed();
    await find('');
    expect(identity.expected().mayWrite).toBe(false);
    expect(told.at(-1)).toMatchObject({ id: 'a', found: '' });
    state.others = [other({ found: '' })];
    await find('');
    expect(identity.expected().mayWrite).toBe(true);
    identity.closed();
    expect(identity.expected().mayWrite).toBe(false);
    expect(onForeign).not.toHaveBeenCalled();
  });

  it('where others go on reading the id elsewhere it is foreign, until it finds it too', async () => {
    const { identity, state, find } = await serving();
    state.others = [other()];
    identity.closed();
    await find('');
    await vi.advanceTimersByTimeAsync(wordMs + 1_000);
    await find('');
    expect(identity.isForeign()).toBe(true);
    expect(onForeign).toHaveBeenCalledTimes(1);
    expect(identity.expected()).toEqual({ id: '', mayWrite: false });
    expect(await find('')).toBe('another Redis than that of relay-2 (10.0.0.2:6379)');
    await find('a');
    expect([identity.isForeign(), onOurs.mock.calls]).toEqual([false, [[true]]]);
    expect(await find('a')).toBe('');
  });

  it('another id makes it foreign at once, also without Postgres', async () => {
    const { identity, state, logged, find } = await serving();
    state.isAway = true;
    expect(await find('b')).toBe('another Redis than the one of its start');
    expect([identity.isForeign(), identity.isSeen()]).toEqual([true, false]);
    await find('b');
    expect(onForeign).toHaveBeenCalledTimes(1);
    expect(logged.filter((line) => line.startsWith('error'))).toHaveLength(1);
    // It comes back when it knows that nobody has taken its place.
    expect(await find('a')).not.toBe('');
    expect(identity.isForeign()).toBe(true);
    state.isAway = false;
    state.others = [other({ id: 'b', found: 'b' })];
    await find('a');
    expect(identity.isForeign()).toBe(true);
    state.others = [other({ id: 'b', found: 'b', heardMs: wordMs })];
    await find('a');
    expect(identity.isForeign()).toBe(false);
    expect(await find('a')).toBe('');
  });

  it('a verdict that comes after the connection has changed is none', async () => {
    const { identity, state, find } = await serving();
    identity.closed();
    const { promise, resolve } = Promise.withResolvers<void>();
    state.waiting = promise;
    await find('');
    identity.closed();
    resolve();
    await settle();
    expect(identity.expected().mayWrite).toBe(false);
  });
});
