import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEventOutbox } from './event-outbox.ts';
import type { AppendOutcome, Batch, StreamStore } from './stream-store.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const settled = () => vi.advanceTimersByTimeAsync(0);

/** An outbox with room for five events or 400,000 bytes, whose store answers each batch in turn as the test says. */
function setUp(...outcomes: (AppendOutcome | 'away')[]) {
  const batches: Batch[] = [];
  const lost: (number | undefined)[] = [];
  let meanwhile = (): void => {};
  const store = {
    append: (_stream: unknown, batch: Batch) => {
      batches.push(batch);
      const outcome = outcomes.shift() ?? 'appended';
      return outcome === 'away' ? Promise.reject(new Error(outcome)) : Promise.resolve(outcome);
    },
    appendLoss: (_stream: unknown, dropped: number | undefined) => {
      meanwhile();
      meanwhile = () => {};
      return Promise.resolve(void lost.push(dropped));
    },
  } as unknown as StreamStore;
  const backlog = { bytes: 0 };
  const bounds = { backlogEvents: 5, backlogBytes: 400_000, backlogTotalBytes: 500_000 };
  const stream = { clientId: 'client', channel: 'rolls' };
  const outbox = createEventOutbox({ store, stream, conn: 'conn', bounds, backlog });
  const push = (...texts: string[]) => texts.forEach((text) => outbox.push(Buffer.from(text)));
  /** Of each batch, what was appended and behind which number. */
  const appended = () =>
    batches.map(({ base, entries }) => {
      const items = entries.map(({ kind, body }) =>
        kind === 'gap' ? `gap of ${String(body)}` : String(body),
      );
      return [base, ...items];
    });
  const loseWhile = (happens: () => void) => void (meanwhile = happens);
  return { outbox, push, batches, appended, lost, loseWhile, backlog };
}

test('events are appended in order, those that come meanwhile together, and each counts from the last', async () => {
  const { push, appended, backlog } = setUp();
  push('a', 'b', 'c');
  expect(backlog.bytes).toBe(3);
  await settled();
  expect(appended()).toEqual([
    [0, 'a'],
    [1, 'b', 'c'],
  ]);
  expect(backlog.bytes).toBe(0);
});

test.each([
  ['wait', 20],
  ['unowned', 250],
  ['away', 100],
] as const)('a batch that the store answers with %s is sent again after %i ms', async (outcome, ms) => {
  const { push, appended } = setUp(outcome);
  push('a');
  await vi.advanceTimersByTimeAsync(ms - 1);
  expect(appended()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(appended()).toEqual([
    [0, 'a'],
    [0, 'a'],
  ]);
});

test('it is sent again at once when the store is back', async () => {
  const { outbox, push, appended } = setUp('unowned');
  push('a');
  await settled();
  outbox.wake();
  await settled();
  expect(appended()).toHaveLength(2);
});

test('events that find no room are told as one gap behind those that did', async () => {
  const { push, appended } = setUp('away');
  push('a', 'b', 'c', 'd', 'e', 'f', 'g');
  await vi.advanceTimersByTimeAsync(100);
  expect(appended().slice(1)).toEqual([
    [0, 'a', 'b', 'c', 'd', 'e'],
    [5, 'gap of 2'],
  ]);
  push('h');
  await settled();
  expect(appended().at(-1)).toEqual([6, 'h']);
});

test('bytes have a bound for the stream, and for all that share a backlog', async () => {
  const { push, appended, backlog } = setUp('away');
  push('x'.repeat(300_000), 'y'.repeat(100_001));
  backlog.bytes += 150_000;
  push('z'.repeat(50_001), 'small');
  await vi.advanceTimersByTimeAsync(100);
  const lengths = appended().map((batch) =>
    batch.map((item) => (typeof item === 'string' ? item.length : item)),
  );
  expect(lengths.slice(1)).toEqual([
    [0, 300_000],
    [1, 'gap of 2'.length, 'small'.length],
  ]);
});

test('a batch has at most 256 KiB, and one event whatever its size', async () => {
  const { push, batches } = setUp();
  push('a', 'x'.repeat(150_000), 'y'.repeat(150_000));
  await settled();
  expect(batches.map(({ entries }) => entries.length)).toEqual([1, 1, 1]);
  push('x'.repeat(300_000), 'a');
  await settled();
  expect(batches.slice(3).map(({ entries }) => entries.length)).toEqual([1, 1]);
});

test('a gap that is told goes behind what waits', async () => {
  const { outbox, push, appended } = setUp('away');
  push('a');
  outbox.pushGap(3);
  push('b');
  await vi.advanceTimersByTimeAsync(100);
  expect(appended().slice(1)).toEqual([[0, 'a', 'gap of 3', 'b']]);
});

test('who owns the stream is said also where nothing waits, once', async () => {
  const { outbox, batches } = setUp();
  outbox.announce();
  await settled();
  expect(batches).toEqual([{ conn: 'conn', base: 0, entries: [], offline: false }]);
});

describe('when another conn owns the client', () => {
  test('what waits is told as lost, and the numbers go on behind it', async () => {
    const { push, appended, lost, backlog } = setUp('fenced');
    push('a');
    await settled();
    expect([lost, backlog.bytes]).toEqual([[1], 0]);
    push('b');
    await settled();
    expect(appended().at(-1)).toEqual([1, 'b']);
  });

  test('a gap that waits counts for as many events as it has', async () => {
    const { outbox, push, lost } = setUp('away', 'fenced');
    push('a');
    outbox.pushGap(5);
    await vi.advanceTimersByTimeAsync(100);
    expect(lost).toEqual([6]);
  });

  test('what comes while the loss is told is tried for itself, and told when it is lost, too', async () => {
    const { push, lost, appended, backlog, loseWhile } = setUp('fenced', 'fenced');
    loseWhile(() => push('b', 'c'));
    push('a');
    await settled();
    expect(lost).toEqual([1, 2]);
    expect(appended().at(-1)).toEqual([1, 'b', 'c']);
    expect(backlog.bytes).toBe(0);
  });
});

describe('the end', () => {
  test('comes when all is appended, and tells with the last that the client is offline', async () => {
    const { outbox, push, batches } = setUp('wait');
    push('a');
    const ended = vi.fn<() => void>();
    void outbox.end(true).then(ended);
    await settled();
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(20);
    expect(ended).toHaveBeenCalledOnce();
    expect(batches.map(({ entries, offline }) => [entries.length, offline])).toEqual([
      [1, false],
      [1, true],
    ]);
    push('late');
    outbox.pushGap(1);
    await settled();
    expect(batches).toHaveLength(2);
  });

  test('of a socket that no longer owns its client tells what was lost', async () => {
    const { outbox, push, lost } = setUp('unowned', 'unowned');
    push('a', 'b');
    await outbox.end(false);
    expect(lost).toEqual([2]);
  });

  test('does not wait twice', async () => {
    const { outbox, batches } = setUp();
    await outbox.end(false);
    await outbox.end(true);
    expect(batches).toHaveLength(1);
  });

  test('by force drops what waits, and nobody waits for it any more', async () => {
    const { outbox, push, backlog, batches } = setUp('away');
    push('a', 'b');
    const ended = outbox.end(false);
    await settled();
    outbox.stop();
    await ended;
    await vi.advanceTimersByTimeAsync(1_000);
    expect([backlog.bytes, batches.length]).toEqual([0, 1]);
  });

  test.each(['appended', 'fenced'] as const)(
    'by force counts what is on its way once, though the store then answers %s',
    async (outcome) => {
      const { outbox, push, backlog, batches } = setUp(outcome);
      push('a', 'b');
      outbox.stop();
      await settled();
      expect([backlog.bytes, batches.length]).toEqual([0, 1]);
    },
  );
});
