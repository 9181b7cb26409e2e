import { describe, expect, it, vi } from 'vitest';
import type { Head, StreamStore } from './stream-store.ts';
import type { StreamId } from './streams.ts';
import { createTaps } from './taps.ts';

const streamOf = (clientId: string): StreamId => ({ clientId, channel: 'rolls' });
const stream = streamOf('client');

/** A store whose clients are online and owned by an instance each, and the taps of one instance. */
function setUp() {
  const heads = new Map<string, Partial<Head>>();
  const headOf = (clientId: string): Head => ({
    gen: 'g1', n: 0, isOnline: true, src: '', seq: 0, owner: `owner of ${clientId}`, ...heads.get(clientId),
  }); // prettier-ignore
  const stopWatching = vi.fn<() => void>();
  const onListeners = vi.fn<(stream: StreamId, count: number) => void>();
  const check = vi.fn<StreamStore['check']>((asked) =>
    Promise.resolve(asked.map(({ clientId }) => headOf(clientId))),
  );
  const findGone = vi.fn<StreamStore['findGone']>(() => Promise.resolve([]));
  const read = vi.fn<StreamStore['read']>(({ clientId }) =>
    Promise.resolve({ head: headOf(clientId), entries: [], now: 0 }),
  );
  const watch = vi.fn<StreamStore['watch']>(() => Promise.resolve(stopWatching));
  const head: StreamStore['head'] = ({ clientId }) => Promise.resolve(headOf(clientId));
  const store = { check, findGone, read, watch, head } as unknown as StreamStore;
  const taps = createTaps(store, onListeners);
  const told = () => check.mock.calls.map(([asked]) => asked.map(({ clientId, count }) => [clientId, count]));
  return { taps, heads, check, findGone, read, watch, stopWatching, onListeners, told };
}

const settled = () => new Promise(setImmediate);

describe('the listeners of a stream', () => {
  it('are told to the store when the first comes and when the last goes', async () => {
    const { taps, told, watch, stopWatching, onListeners } = setUp();
    const first = await taps.follow(stream);
    const second = await taps.follow(stream);
    expect(watch).toHaveBeenCalledTimes(1);
    expect(told()).toEqual([[['client', 1]]]);
    expect(onListeners.mock.calls).toEqual([[stream, 1]]);
    first.stop();
    first.stop();
    await settled();
    expect(stopWatching).not.toHaveBeenCalled();
    second.stop();
    await settled();
    expect(stopWatching).toHaveBeenCalledTimes(1);
    expect(told()).toEqual([[['client', 1]], [['client', 0]]]);
    const third = await taps.follow(stream);
    expect(watch).toHaveBeenCalledTimes(2);
    third.stop();
  });

  it('that come at once are all told, so that the owner sends before the first hears', async () => {
    const { taps, told } = setUp();
    await Promise.all([taps.follow(stream), taps.follow(stream)]);
    expect(told().at(-1)).toEqual([['client', 2]]);
  });

  it('are none where the store is away, and the next one asks it again', async () => {
    const { taps, watch, told } = setUp();
    watch.mockRejectedValueOnce(new Error('away'));
    await expect(taps.follow(stream)).rejects.toThrow('away');
    await settled();
    expect(told()).toEqual([[['client', 0]]]);
    await taps.follow(stream);
    expect(watch).toHaveBeenCalledTimes(2);
  });

  it('are none where what was missed cannot be read', async () => {
    const { taps, read, stopWatching } = setUp();
    read.mockRejectedValueOnce(new Error('away'));
    await expect(taps.follow(stream, { gen: 'g1', n: 0 })).rejects.toThrow('away');
    await settled();
    expect(stopWatching).toHaveBeenCalledTimes(1);
  });
});

describe('a regular look', () => {
  it('says of each stream how many listen, a hundred streams at a time', async () => {
    const { taps, told, check } = setUp();
    for (let index = 0; index < 150; index++) await taps.follow(streamOf(`client-${index}`));
    check.mockClear();
    await taps.check();
    expect(told().map((asked) => asked.length)).toEqual([100, 50]);
    expect(told()[1]?.[0]).toEqual(['client-100', 1]);
  });

  it('reads what was missed, and nothing else', async () => {
    const { taps, heads, read } = setUp();
    await taps.follow(stream);
    await taps.follow(streamOf('another'));
    heads.set('client', { n: 5 });
    await taps.check();
    await settled();
    expect(read.mock.calls.map(([{ clientId }]) => clientId)).toEqual(['client']);
  });

  it('comes to nothing while the store is away', async () => {
    const { taps, check, read } = setUp();
    await taps.follow(stream);
    check.mockRejectedValueOnce(new Error('away'));
    await taps.check();
    await settled();
    expect(read).not.toHaveBeenCalled();
  });
});

describe('a look at the owners', () => {
  it('asks for each owner once, and looks at the streams of those that are gone', async () => {
    const { taps, heads, check, findGone, told } = setUp();
    for (const client of ['a', 'b', 'c']) await taps.follow(streamOf(client));
    heads.set('a', { owner: 'boot-1' });
    heads.set('b', { owner: 'boot-1' });
    heads.set('c', { owner: 'boot-2' });
    await taps.check();
    check.mockClear();
    findGone.mockResolvedValueOnce(['boot-1']);
    await taps.checkOwners();
    expect(findGone.mock.calls).toEqual([[['boot-1', 'boot-2']]]);
    expect(told()).toEqual([
      [
        ['a', 1],
        ['b', 1],
      ],
    ]);
  });

  it('asks nothing where no client is known to be online', async () => {
    const { taps, heads, findGone } = setUp();
    heads.set('client', { isOnline: false });
    await taps.follow(stream);
    await taps.checkOwners();
    await taps.check();
    await taps.checkOwners();
    expect(findGone).not.toHaveBeenCalled();
  });

  it('comes to nothing while the store is away', async () => {
    const { taps, check, findGone } = setUp();
    await taps.follow(stream);
    await taps.check();
    check.mockClear();
    findGone.mockRejectedValueOnce(new Error('away'));
    await taps.checkOwners();
    expect(check).not.toHaveBeenCalled();
  });
});

describe('all taps', () => {
  it('read again when something may have been missed', async () => {
    const { taps, read } = setUp();
    await taps.follow(stream);
    await taps.follow(streamOf('another'));
    taps.catchUp();
    await settled();
    expect(read.mock.calls.map(([{ clientId }]) => clientId)).toEqual(['client', 'another']);
  });

  it('are stopped, and forgotten', async () => {
    const { taps, stopWatching, read } = setUp();
    await taps.follow(stream);
    taps.stop();
    await settled();
    expect(stopWatching).toHaveBeenCalledTimes(1);
    taps.catchUp();
    await settled();
    expect(read).not.toHaveBeenCalled();
  });
});
