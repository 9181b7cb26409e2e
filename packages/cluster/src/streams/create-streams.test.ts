import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMemoryHub } from '../memory/memory-hub.ts';
import { createMemoryStreamStore } from '../memory/streams/memory-stream-store.ts';
import { createStreams } from './create-streams.ts';
import type { StreamStore } from './stream-store.ts';
import { defaultStreamBounds } from './streams.ts';
import type { ListenersChange } from './streams.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const stream = { clientId: 'client', channel: 'rolls' };

/** Streams over two shards, of which the second has the clients. */
function setUp() {
  const hub = createMemoryHub();
  const storeOf = (boot: string): StreamStore =>
    createMemoryStreamStore({ hub, boot, bounds: defaultStreamBounds, events: () => streams.events[1]! });
  const stores = [storeOf('other shard'), storeOf('boot')];
  const streams = createStreams(stores, () => 1, defaultStreamBounds);
  const told: ListenersChange[] = [];
  const leave = streams.onListeners((change) => told.push(change));
  hub.owners.set('client', {
    clientId: 'client', conn: 'conn', accountId: 'x', meta: '', boot: 'boot', epoch: 1,
  }); // prettier-ignore
  return { hub, streams, stores, told, leave };
}

describe('a socket', () => {
  it('is told who listens, and sends to those', async () => {
    const { streams, told } = setUp();
    streams.open('client', 'conn', ['rolls']);
    await vi.advanceTimersByTimeAsync(0);
    expect(streams.isWanted('conn', 'rolls')).toBe(false);
    const followed: string[] = [];
    const following = await streams.follow(stream);
    following.start((message) =>
      followed.push(message.kind === 'event' ? String(message.event) : message.kind),
    );
    expect(told).toEqual([
      { ...stream, conn: 'conn', count: 0 },
      { ...stream, conn: 'conn', count: 1 },
    ]);
    expect(streams.isWanted('conn', 'rolls')).toBe(true);
    streams.append('conn', 'rolls', Buffer.from('a roll'));
    streams.appendGap('conn', 'rolls');
    await vi.advanceTimersByTimeAsync(100);
    expect(followed).toEqual(['a roll', 'gap']);
    following.stop();
    await streams.stop(0);
  });

  it('that has ended brings nothing more, and nobody is asked for it', async () => {
    const { streams } = setUp();
    streams.open('client', 'conn', ['rolls']);
    await vi.advanceTimersByTimeAsync(0);
    await streams.close('conn', { offline: false });
    await streams.close('conn', { offline: false });
    expect(streams.isWanted('conn', 'rolls')).toBe(false);
    streams.append('conn', 'rolls', Buffer.from('late'));
    streams.appendGap('conn', 'rolls');
    await vi.advanceTimersByTimeAsync(100);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that was never opened is wanted for nothing', async () => {
    const { streams } = setUp();
    expect(streams.isWanted('nobody', 'rolls')).toBe(false);
    await streams.close('nobody', { offline: true });
  });
});

describe('the count of listeners', () => {
  it('is told for each channel, in the order in which it was asked for', async () => {
    const { streams, stores } = setUp();
    await stores[1]?.check([{ ...stream, count: 3 }]);
    expect(await streams.countListeners('client', ['chat', 'rolls'])).toEqual([0, 3]);
    if (stores[1]) stores[1].listeners = () => Promise.resolve([]);
    expect(await streams.countListeners('client', ['chat', 'rolls'])).toEqual([0, 0]);
  });

  it('is told to nobody who has left', async () => {
    const { streams, told, leave } = setUp();
    leave();
    streams.open('client', 'conn', ['rolls']);
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual([]);
    await streams.stop(0);
  });
});

describe('regular looks', () => {
  it('go to each shard, from the start to the stop, which leaves no timer', async () => {
    const { hub, streams, stores } = setUp();
    hub.members.set('boot', {} as never);
    const checks = stores.map((store) => vi.spyOn(store, 'check'));
    const gone = vi.spyOn(stores[1] as StreamStore, 'findGone');
    streams.open('client', 'conn', ['rolls']);
    await streams.follow(stream);
    streams.start();
    await vi.advanceTimersByTimeAsync(defaultStreamBounds.checkMs);
    expect(checks[1]).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(defaultStreamBounds.checkOwnersMs);
    expect(gone).toHaveBeenCalled();
    await streams.stop(1_000);
    expect(vi.getTimerCount()).toBe(0);
    const calls = checks[1]?.mock.calls.length;
    await vi.advanceTimersByTimeAsync(2 * defaultStreamBounds.checkMs);
    expect(checks[1]).toHaveBeenCalledTimes(calls ?? 0);
  });

  it('and what is followed end with the stop', async () => {
    const { hub, streams } = setUp();
    await streams.follow(stream);
    const hearers = () => [...hub.streamHearers.values()].flatMap((all) => [...all]);
    expect(hearers()).toHaveLength(1);
    await streams.stop(0);
    expect(hearers()).toEqual([]);
  });

  it('see an owner that is gone, and its listeners hear that the client is offline', async () => {
    const { hub, streams } = setUp();
    hub.members.set('boot', {} as never);
    const heard: string[] = [];
    const following = await streams.follow(stream);
    following.start(({ kind }) => heard.push(kind));
    streams.start();
    await vi.advanceTimersByTimeAsync(defaultStreamBounds.checkMs);
    expect(heard).toEqual([]);
    hub.members.delete('boot');
    hub.owners.delete('client');
    await vi.advanceTimersByTimeAsync(defaultStreamBounds.checkOwnersMs);
    expect(heard).toEqual(['offline']);
    await streams.stop(0);
  });
});
