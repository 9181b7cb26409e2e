import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMemoryHub } from '../memory/memory-hub.ts';
import { createMemoryStreamStore } from '../memory/streams/memory-stream-store.ts';
import { createEventOutbox } from './event-outbox.ts';
import { createSources } from './sources.ts';
import type { StreamStore } from './stream-store.ts';
import { defaultStreamBounds } from './streams.ts';
import type { ListenersChange } from './streams.ts';

const within = { timeout: 10_000, interval: 5 };
const stream = { clientId: 'client-1', channel: 'hooks' };
const owner = {
  clientId: stream.clientId,
  conn: 'conn-1',
  accountId: 'x',
  meta: '',
  boot: 'boot-1',
  epoch: 1,
};

/** A store that is away until `isAway` is false. */
function storeThatIsAway() {
  const hub = createMemoryHub();
  const events = () => ({ onGap: () => {}, onBack: () => {}, onListeners: () => {} });
  const store = createMemoryStreamStore({ hub, boot: 'boot-1', bounds: defaultStreamBounds, events });
  const state = { isAway: true };
  const orAway = <T>(answer: () => Promise<T>) =>
    state.isAway ? Promise.reject(new Error('away')) : answer();
  const away: StreamStore = {
    ...store,
    append: (...asked) => orAway(() => store.append(...asked)),
    listeners: (...asked) => orAway(() => store.listeners(...asked)),
  };
  return { hub, state, store: away };
}

let stop = (): void => {};
afterEach(() => stop());

test('a socket learns who listens though the store did not answer at first', async () => {
  const { state, store } = storeThatIsAway();
  const told: ListenersChange[] = [];
  const sources = createSources({ store, bounds: defaultStreamBounds, tell: (change) => told.push(change) });
  stop = sources.stop;
  await store.check([{ ...stream, count: 2 }]);
  sources.open(stream.clientId, 'conn-1', [stream.channel]);
  await vi.waitFor(() => expect(sources.isWanted('conn-1', stream.channel)).toBe(true), within);
  expect(told).toEqual([]);
  state.isAway = false;
  await vi.waitFor(() => expect(told).toEqual([{ ...stream, conn: 'conn-1', count: 2 }]), within);
});

test('a channel stays wanted though the store lost who listens, until nobody says so again', async () => {
  const { hub, state, store } = storeThatIsAway();
  state.isAway = false;
  const told: number[] = [];
  const bounds = { ...defaultStreamBounds, checkMs: 20 };
  const sources = createSources({ store, bounds, tell: ({ count }) => told.push(count) });
  stop = sources.stop;
  await store.check([{ ...stream, count: 2 }]);
  sources.open(stream.clientId, 'conn-1', [stream.channel]);
  await vi.waitFor(() => expect(told).toEqual([2]), within);
  const looks = vi.spyOn(store, 'listeners');

  hub.streamListeners.clear();
  sources.onBack();
  sources.onBack();
  await vi.waitFor(() => expect(looks).toHaveBeenCalledTimes(2), within);
  expect(sources.isWanted('conn-1', stream.channel)).toBe(true);
  await store.check([{ ...stream, count: 2 }]);
  await vi.waitFor(() => expect(looks).toHaveBeenCalledTimes(3), within);
  expect(sources.isWanted('conn-1', stream.channel)).toBe(true);
  expect(told).toEqual([2]);

  hub.streamListeners.clear();
  sources.onBack();
  await vi.waitFor(() => expect(told).toEqual([2, 0]), within);
  expect(sources.isWanted('conn-1', stream.channel)).toBe(false);
});

describe('while the store is away', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('a channel stays wanted until the store says that nobody listens', async () => {
    const { hub, state, store } = storeThatIsAway();
    state.isAway = false;
    const told: number[] = [];
    const sources = createSources({
      store,
      bounds: defaultStreamBounds,
      tell: ({ count }) => told.push(count),
    });
    await store.check([{ ...stream, count: 2 }]);
    sources.open(stream.clientId, 'conn-1', [stream.channel]);
    await vi.advanceTimersByTimeAsync(0);
    hub.streamListeners.clear();
    sources.onBack();
    await vi.advanceTimersByTimeAsync(0);
    state.isAway = true;
    await vi.advanceTimersByTimeAsync(10 * defaultStreamBounds.checkMs);
    expect(sources.isWanted('conn-1', stream.channel)).toBe(true);
    expect(told).toEqual([2]);
    state.isAway = false;
    await vi.advanceTimersByTimeAsync(4 * defaultStreamBounds.checkMs);
    expect(told).toEqual([2, 0]);
    sources.stop();
  });

  test('it is asked no more for a socket that has ended', async () => {
    const { store } = storeThatIsAway();
    const sources = createSources({ store, bounds: defaultStreamBounds, tell: () => {} });
    sources.open(stream.clientId, 'conn-1', [stream.channel]);
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(1);
    await sources.close('conn-1', { offline: true });
    await sources.close('conn-1', { offline: true });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('what a socket brought before it ended is waited for at the end', async () => {
    const { hub, state, store } = storeThatIsAway();
    hub.owners.set(stream.clientId, owner);
    const sources = createSources({ store, bounds: defaultStreamBounds, tell: () => {} });
    sources.open(stream.clientId, 'conn-1', [stream.channel]);
    sources.append('conn-1', stream.channel, Buffer.from('last'));
    const closed = sources.close('conn-1', { offline: false });
    await vi.advanceTimersByTimeAsync(2_000);
    await closed;
    let isFlushed = false;
    const flushed = sources.flush().then(() => (isFlushed = true));
    await vi.advanceTimersByTimeAsync(0);
    expect(isFlushed).toBe(false);
    state.isAway = false;
    sources.onBack();
    await vi.advanceTimersByTimeAsync(2_000);
    await flushed;
    const { entries } = await store.read(stream);
    expect(entries.map(({ body }) => String(body))).toEqual(['last']);
    sources.stop();
  });
});

test('what waits for a store that is away is bounded for all streams together, and counted where it is not kept', async () => {
  const { hub, state, store } = storeThatIsAway();
  const bounds = { ...defaultStreamBounds, backlogTotalBytes: 1_000 };
  const backlog = { bytes: 0 };
  const [one, other] = ['a', 'b'].map((clientId) => {
    hub.owners.set(clientId, { ...owner, clientId });
    return createEventOutbox({ store, stream: { ...stream, clientId }, conn: 'conn-1', bounds, backlog });
  });
  const event = Buffer.alloc(300);
  for (let sent = 0; sent < 3; sent++) one?.push(event);
  for (let sent = 0; sent < 3; sent++) other?.push(event);
  expect(backlog.bytes).toBe(900);
  state.isAway = false;
  await Promise.all([one?.end(false), other?.end(false)]);
  expect(backlog.bytes).toBe(0);
  const kinds = async (clientId: string) =>
    (await store.read({ ...stream, clientId })).entries.map(({ kind, body }) =>
      kind === 'gap' ? String(body) : kind,
    );
  expect(await kinds('a')).toEqual(['event', 'event', 'event']);
  expect(await kinds('b')).toEqual(['3']);
});

test.each([
  ['events', { backlogEvents: 4 }],
  ['bytes', { backlogBytes: 1_200 }],
])('what waits of one stream is bounded in its %s, and the rest told as one gap', async (_what, bound) => {
  const { hub, state, store } = storeThatIsAway();
  hub.owners.set(stream.clientId, owner);
  const bounds = { ...defaultStreamBounds, ...bound };
  const outbox = createEventOutbox({ store, stream, conn: 'conn-1', bounds, backlog: { bytes: 0 } });
  for (let sent = 0; sent < 9; sent++) outbox.push(Buffer.alloc(300));
  state.isAway = false;
  await outbox.end(false);
  const { entries } = await store.read(stream);
  const told = entries.map(({ kind, body }) => (kind === 'gap' ? String(body) : kind));
  expect(told).toEqual(['event', 'event', 'event', 'event', '5']);
});
