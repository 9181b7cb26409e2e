import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Listeners } from '../../streams/stream-store.ts';
import { defaultStreamBounds } from '../../streams/streams.ts';
import type { OwnerRecord } from '../memory-hub.ts';
import { createMemoryHub } from '../memory-hub.ts';
import { createMemoryStreamStore } from './memory-stream-store.ts';
import { forgetIdleStreams } from './stream-listeners.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const stream = { clientId: 'client', channel: 'rolls' };
const owner: OwnerRecord = {
  clientId: 'client', conn: 'conn', accountId: 'x', meta: '', boot: 'boot', epoch: 1,
}; // prettier-ignore

function setUp() {
  const hub = createMemoryHub();
  const told: Listeners[] = [];
  const storeOf = (boot: string) =>
    createMemoryStreamStore({
      hub,
      boot,
      bounds: defaultStreamBounds,
      events: () => ({
        onGap: () => {},
        onBack: () => {},
        onListeners: (_stream, found) => told.push(found),
      }),
    });
  const store = storeOf('boot');
  const append = (conn: string, seq: number, offline = false) =>
    store.append(stream, {
      conn, base: seq - 1, entries: [{ kind: 'event', seq, body: Buffer.from(`event ${seq}`) }], offline,
    }); // prettier-ignore
  const kinds = async () => (await store.read(stream)).entries.map(({ kind }) => kind);
  return { hub, told, store, storeOf, append, kinds };
}

describe('what a socket brings', () => {
  it('is appended while it owns the client, each once, and refused to any other', async () => {
    const { hub, store, append, kinds } = setUp();
    expect(await append('conn', 1)).toBe('unowned');
    hub.owners.set('client', { ...owner });
    expect(await append('conn', 1)).toBe('appended');
    expect(await append('conn', 1)).toBe('appended');
    expect(await append('conn', 2)).toBe('appended');
    expect(await append('another', 1)).toBe('fenced');
    expect(await kinds()).toEqual(['event', 'event']);
    expect((await store.head(stream)).isOnline).toBe(true);
  });

  it('goes on behind its numbers where the store had lost the stream', async () => {
    const { hub, store, append } = setUp();
    hub.owners.set('client', { ...owner });
    await append('conn', 5);
    expect(await store.head(stream)).toMatchObject({ n: 1, src: 'conn', seq: 5 });
  });

  it('may still be appended when its claim has ended, and then the client is offline', async () => {
    const { hub, store, append, kinds } = setUp();
    hub.owners.set('client', { ...owner });
    await append('conn', 1);
    hub.owners.delete('client');
    expect(await append('conn', 2, true)).toBe('appended');
    expect(await kinds()).toEqual(['event', 'event', 'offline']);
    expect((await store.head(stream)).isOnline).toBe(false);
    expect(await append('conn', 3)).toBe('unowned');
  });

  it('ends nobody’s presence but its own', async () => {
    const { hub, append, kinds } = setUp();
    hub.owners.set('client', { ...owner });
    await append('conn', 1);
    hub.owners.set('client', { ...owner, conn: 'next', before: { conn: 'conn', until: 1_000_000 } });
    expect(await append('next', 1)).toBe('wait');
    expect(await append('conn', 2, true)).toBe('appended');
    hub.owners.set('client', { ...owner, conn: 'next', previousConn: 'conn' });
    await append('next', 1);
    hub.owners.set('client', { ...owner, conn: 'third', before: { conn: 'next', until: 1_000_000 } });
    expect(await append('conn', 3, true)).toBe('fenced');
    expect(await kinds()).toEqual(['event', 'event', 'offline', 'online', 'event']);
  });
});

describe('a client that comes', () => {
  it.each([
    ['over from its last socket is not told', { previousConn: 'conn' }, ['event', 'event']],
    ['back after its last socket had gone has a gap', { previousConn: 'conn', wasAway: true }, ['event', 'gap', 'event']],
    ['from elsewhere was offline meanwhile', {}, ['event', 'offline', 'online', 'event']],
    ['before its last socket had finished has a gap', { previousConn: 'conn', before: { conn: 'conn', until: 0 } }, ['event', 'gap', 'event']],
  ])('%s', async (_what, succession, expected) => {
    const { hub, append, kinds } = setUp();
    hub.owners.set('client', { ...owner });
    await append('conn', 1);
    hub.owners.set('client', { ...owner, conn: 'next', ...succession });
    await append('next', 1);
    expect(await kinds()).toEqual(expected);
  }); // prettier-ignore

  it('to a stream that was read before is told as online', async () => {
    const { hub, store, append, kinds } = setUp();
    expect((await store.head(stream)).isOnline).toBe(false);
    hub.owners.set('client', { ...owner });
    await append('conn', 1);
    expect(await kinds()).toEqual(['online', 'event']);
  });
});

describe('who listens', () => {
  const say = (store: ReturnType<typeof setUp>['store'], count: number) =>
    store.check([{ ...stream, count }]);

  it('is told to the owner where that is news', async () => {
    const { hub, told, store, storeOf } = setUp();
    hub.owners.set('client', { ...owner });
    const other = storeOf('other');
    const counts = () => told.splice(0).map(({ count }) => count);
    await say(store, 1);
    await say(other, 2);
    expect(counts()).toEqual([1, 3]);
    await say(store, 2);
    await say(other, 1);
    expect(counts()).toEqual([]);
    await say(store, 0);
    expect(counts()).toEqual([1]);
    await say(store, 0);
    expect(counts()).toEqual([]);
    vi.advanceTimersByTime(defaultStreamBounds.lingerMs);
    await say(store, 1);
    expect(counts()).toEqual([1]);
  });

  it('counts for so long, and no longer', async () => {
    const { store } = setUp();
    await say(store, 2);
    vi.advanceTimersByTime(1_000);
    const [listeners] = await store.listeners('client', ['rolls']);
    expect(listeners).toEqual({ count: 2, forMs: defaultStreamBounds.lingerMs - 1_000 });
    vi.advanceTimersByTime(defaultStreamBounds.lingerMs - 1_000);
    expect(await store.listeners('client', ['rolls', 'chat'])).toEqual([
      { count: 0, forMs: 0 },
      { count: 0, forMs: 0 },
    ]);
  });

  it('sees a client that nobody owns any more, and hears once that it is offline', async () => {
    const { hub, store } = setUp();
    hub.owners.set('client', { ...owner });
    const heard: string[] = [];
    await store.watch(stream, (_gen, entries) => heard.push(...entries.map(({ kind }) => kind)));
    expect(await say(store, 1)).toMatchObject([{ isOnline: true, owner: 'boot' }]);
    hub.owners.delete('client');
    expect(await say(store, 1)).toMatchObject([{ isOnline: false, owner: '' }]);
    await say(store, 1);
    expect(heard).toEqual(['offline']);
  });

  it('is no news to an owner that has ended', async () => {
    const { hub, store, told } = setUp();
    hub.owners.set('client', { ...owner, boot: 'ended' });
    expect(await say(store, 1)).toMatchObject([{ owner: 'ended' }]);
    expect(told).toEqual([]);
  });
});

describe('a store', () => {
  it('says which instances are gone', async () => {
    const { hub, store } = setUp();
    hub.members.set('boot', {} as never);
    expect(await store.findGone(['boot', 'gone'])).toEqual(['gone']);
  });

  it('tells who watches of each append, until they leave', async () => {
    const { hub, store, append } = setUp();
    hub.owners.set('client', { ...owner });
    const heard: string[] = [];
    const leave = await store.watch(stream, (_gen, entries) =>
      heard.push(...entries.map(({ kind }) => kind)),
    );
    await append('conn', 1);
    await append('conn', 1);
    await store.appendLoss(stream, 2);
    await store.appendLoss({ ...stream, clientId: 'nobody' }, 2);
    expect(heard).toEqual(['event', 'gap']);
    leave();
    await append('conn', 2);
    expect(heard).toEqual(['event', 'gap']);
  });

  it('forgets a stream that nobody listens to, and who watched it', async () => {
    const { hub, store } = setUp();
    await store.check([{ ...stream, count: 0 }]);
    const leave = await store.watch(stream, () => {});
    forgetIdleStreams(hub);
    expect([hub.streams.size, hub.streamListeners.size]).toEqual([1, 1]);
    vi.advanceTimersByTime(defaultStreamBounds.lingerMs);
    leave();
    forgetIdleStreams(hub);
    expect([hub.streams.size, hub.streamListeners.size, hub.streamHearers.size]).toEqual([0, 0, 0]);
  });
});
