import { operations } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createWiredSocket } from './wired-socket.ts';
import { startCall } from './start-call.ts';

const [asked, other] = operations.filter(({ adaptResult, systems }) => !adaptResult && !systems) as [
  Operation,
  Operation,
];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('of an operation that the module has not answered yet', () => {
  const small = {};
  const large = { filling: 'x'.repeat(300_000) };

  /** Asks so often; the fields tell the calls apart. */
  function setUp(count: number, mayAct = () => true) {
    const { socket, ws, sent } = createWiredSocket({ mayAct, limits: { callsInFlight: 20 } });
    const { calls } = socket;
    const ask = (n: number, budgetMs = 10_000) => startCall(calls, asked, JSON.stringify({ n }), budgetMs);
    const answer = (n: number, frame: object) => {
      const { requestId } = sent.find((command) => command['n'] === n) ?? {};
      const whole = { type: `${asked.name}-result`, requestId, ...frame };
      calls.receiveReply(whole, Buffer.from(JSON.stringify(whole)));
    };
    const ends: string[] = [];
    for (let n = 0; n < count; n++) {
      void ask(n).reply.then(
        () => ends.push(`${n} answered`),
        ({ code }: { code: string }) => ends.push(`${n} ${code}`),
      );
    }
    const sentNumbers = () => sent.flatMap(({ n }) => (n === undefined ? [] : [n]));
    return { socket, ws, calls, sent, ask, answer, ends, sentNumbers };
  }

  const first = [0, 1, 2, 3, 4, 5, 6, 7];
  const settled = () => vi.advanceTimersByTimeAsync(0);

  test('eight calls are sent, and the rest when its first reply is small', async () => {
    const { calls, sentNumbers, ends, answer } = setUp(12);
    expect(sentNumbers()).toEqual(first);
    expect(calls.size).toBe(12);
    answer(3, small);
    expect(sentNumbers()).toEqual([...first, 8, 9, 10, 11]);
    for (const number of [11, 0]) answer(number, small);
    await settled();
    expect(ends).toEqual(['3 answered', '11 answered', '0 answered']);
    expect(calls.size).toBe(9);
  });

  test('those that wait are refused when its first reply is large, and nothing of them is sent', async () => {
    const { calls, sentNumbers, ends, answer } = setUp(12);
    answer(0, large);
    await settled();
    const refused = [8, 9, 10, 11].map((n) => `${n} overloaded`);
    expect(new Set(ends)).toEqual(new Set(['0 answered', ...refused]));
    expect(sentNumbers()).toEqual(first);
    expect(calls.size).toBe(7);
  });

  test('what was sent ahead counts as large once one of them was, until it is answered', async () => {
    const { sentNumbers, ask, answer } = setUp(8);
    answer(0, large);
    // Seven of 300 KB are on their way, and 1 MB may be.
    await expect(ask(8).reply).rejects.toThrow(/are large, and several are on their way/);
    for (const number of [1, 2, 3, 4, 5]) answer(number, large);
    ask(9);
    expect(sentNumbers()).toEqual([...first, 9]);
  });

  test('a further one is sent for each that ends unanswered', async () => {
    const { sent, sentNumbers, ends, calls } = setUp(10);
    calls.take(String(sent[5]?.['requestId']));
    expect(sentNumbers()).toEqual([...first, 8]);
    await vi.advanceTimersByTimeAsync(10_100);
    // All were asked at once, so the tenth was late when the eight ended.
    expect(sentNumbers()).toEqual([...first, 8]);
    expect(ends).toHaveLength(9);
    expect(ends).toContain('9 overloaded');
  });

  test('a call that waits ends with its time as not sent, and nothing is taken back from the module', async () => {
    const { calls, sent, ask } = setUp(8);
    const problem = ask(8, 1_000).reply.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1_100);
    expect(await problem).toMatchObject({
      code: 'overloaded',
      message: `The world has answered none of the calls of ${asked.name} that were sent before. Nothing was sent; repeat the call.`,
    });
    expect([sent.length, calls.size]).toEqual([8, 8]);
  });

  test('a call that waits and is given up is never sent', async () => {
    const { calls, sent, ask, answer } = setUp(8);
    const { reply, hangUp } = ask(8);
    hangUp();
    await expect(reply).rejects.toMatchObject({ message: 'The caller hung up.' });
    answer(0, small);
    vi.advanceTimersByTime(9_000);
    expect([sent.length, calls.size]).toEqual([8, 7]);
  });

  test.each([
    [9_000, false],
    [8_999, true],
  ])('a call that waited for %i of its 10,000 ms is sent: %s', async (waitedMs, isSent) => {
    const { ask, answer, sentNumbers } = setUp(7);
    const answers = [ask(7, 20_000).reply, ask(8).reply];
    for (const reply of answers) void reply.catch(() => {});
    await vi.advanceTimersByTimeAsync(waitedMs);
    answer(7, small);
    expect(sentNumbers().includes(8)).toBe(isSent);
  });

  test('a call that waited while the machine slept is not sent late', async () => {
    const { sentNumbers, ends, answer } = setUp(9);
    vi.setSystemTime(Date.now() + 10_000);
    answer(0, small);
    await settled();
    expect(sentNumbers()).toEqual(first);
    expect(ends).toContain('8 overloaded');
  });

  test('a call that waits is not sent by an instance that may no longer act for the world', async () => {
    let mayAct = true;
    const { sentNumbers, ends, answer } = setUp(9, () => mayAct);
    mayAct = false;
    answer(0, small);
    await settled();
    expect(sentNumbers()).toEqual(first);
    expect(ends).toContain('8 unavailable');
  });

  test('a call that waits for a world that is here elsewhere now is not sent', async () => {
    const { socket, sentNumbers, ends, answer } = setUp(9);
    socket.isMoving = true;
    answer(0, small);
    await settled();
    expect(sentNumbers()).toEqual(first);
    expect(ends).toContain('8 unavailable');
  });

  test('calls that wait end with their socket, as not sent', async () => {
    const { socket, ws, calls, ends } = setUp(10);
    ws.readyState = 3;
    socket.endCalls();
    await settled();
    expect(ends.toSorted()).toEqual([
      ...first.map((n) => `${n} client_lost`),
      '8 unavailable',
      '9 unavailable',
    ]);
    expect(calls.size).toBe(0);
  });

  test('calls of another operation are sent', () => {
    const { calls, sent } = setUp(9);
    void calls.call(other, '{}', 1_000);
    expect(sent.at(-1)).toMatchObject({ type: other.name });
  });
});
