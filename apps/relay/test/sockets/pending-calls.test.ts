import { operations } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWiredSocket } from './wired-socket.ts';

const plain = operations.find(({ adaptResult, systems }) => !adaptResult && !systems) as Operation;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp(operation: Operation = plain, world = {}) {
  const { socket, ws, sent, countReply } = createWiredSocket({ world });
  const { calls } = socket;
  const ask = (fieldsJson = '{}', budgetMs = 10_000) => calls.call(operation, fieldsJson, budgetMs);
  const answer = (frame: object, requestId = sent.at(-1)?.['requestId']) => {
    const whole = { type: `${operation.name}-result`, requestId, ...frame };
    return calls.receiveReply(whole, Buffer.from(JSON.stringify(whole)));
  };
  return { socket, ws, calls, sent, countReply, ask, answer };
}

test('a command has its type, its id and its fields, and its answer comes back unchanged', async () => {
  const { sent, countReply, ask, answer } = setUp();
  const giveBack = vi.fn<() => void>();
  countReply.mockReturnValue(giveBack);
  const reply = ask('{"uuid":"Actor.1","n":1}');
  const requestId = `${plain.name}_${Date.now()}`;
  expect(sent).toEqual([{ type: plain.name, requestId, uuid: 'Actor.1', n: 1 }]);
  answer({ data: [1] });
  const { body, release } = await reply;
  expect(JSON.parse(String(body))).toEqual({ type: `${plain.name}-result`, requestId, data: [1] });
  expect(countReply).toHaveBeenCalledExactlyOnceWith(expect.anything(), body.length);
  release?.();
  expect(giveBack).toHaveBeenCalledOnce();
});

test('an id is used once, also within a millisecond and when the clock goes back', () => {
  const { sent, ask } = setUp();
  const start = Date.now();
  void ask();
  void ask();
  vi.setSystemTime(start - 60_000);
  void ask();
  vi.setSystemTime(start + 60_000);
  void ask();
  const numbers = [0, 1, 2, 60_000].map((more) => start + more);
  expect(sent.map(({ requestId }) => requestId)).toEqual(numbers.map((ms) => `${plain.name}_${ms}`));
});

test.each([
  [{ error: 'No such actor', code: 'c'.repeat(200) }, 'No such actor', 'c'.repeat(100)],
  [{ error: 'x'.repeat(3_000), code: 'c' }, 'x'.repeat(2_000), 'c'],
  [{ error: { deep: 1 }, code: 'c' }, '{"deep":1}', 'c'],
  [{ error: '', code: 'c' }, 'The world refused the operation.', 'c'],
  [{ error: true, type: 'anything' }, 'The world refused the operation.', undefined],
])('of the refusal %j the caller gets the text and the reason', async (frame, message, reason) => {
  const { ask, answer } = setUp();
  const reply = ask();
  expect(answer(frame)).toBe(true);
  const problem = (await reply.catch((error: unknown) => error)) as { fields: object };
  expect(problem).toMatchObject({ code: 'operation_failed', message });
  expect(problem.fields).toEqual({ requestId: expect.any(String), ...(reason && { reason }) });
});

test.each([{ error: null }, { error: false }, {}])('a result with %j is no refusal', async (frame) => {
  const { ask, answer } = setUp();
  const reply = ask();
  answer(frame);
  await expect(reply).resolves.toBeDefined();
});

test('an answer of another type fails its call, and one without an id answers none', async () => {
  const { calls, ask, answer } = setUp();
  const reply = ask();
  expect(calls.receiveReply({ type: `${plain.name}-result`, requestId: 7 }, Buffer.from(''))).toBe(false);
  expect(answer({ type: 'x'.repeat(200) })).toBe(true);
  await expect(reply).rejects.toMatchObject({
    code: 'client_bad_reply',
    message: `The world answered ${'x'.repeat(100)} to ${plain.name}.`,
  });
});

test('an operation that adapts its result answers with what it made of it, or with the frame it was given', async () => {
  const adapting = { ...plain, adaptResult: (frame: object) => ({ ...frame, adapted: true }) } as Operation;
  const first = setUp(adapting);
  const adapted = first.ask();
  first.answer({});
  expect(JSON.parse(String((await adapted).body))).toMatchObject({ adapted: true });
  const unwritable: Record<string, unknown> = {};
  unwritable['itself'] = unwritable;
  const second = setUp({ ...plain, adaptResult: () => unwritable });
  const unchanged = second.ask();
  second.answer({ n: 1 });
  expect(JSON.parse(String((await unchanged).body))).toMatchObject({ n: 1 });
});

const ofSystem: Operation = { ...plain, systems: ['dnd5e'] };

test.each(['dnd5e', ''])('an operation of a rules system asks a world of the system "%s"', (systemId) => {
  const { sent, ask } = setUp(ofSystem, { systemId });
  void ask();
  expect(sent).toHaveLength(1);
});

test.each([
  ['Pathfinder', 'Pathfinder'],
  ['', 'pf2e'],
])('a world of another rules system, titled "%s", is not asked', async (systemTitle, named) => {
  const { calls, sent, ask } = setUp(ofSystem, { systemId: 'pf2e', systemTitle });
  const message = expect.stringContaining(`plays by ${named}, `) as string;
  const refused = { code: 'operation_failed', message, fields: { reason: 'wrong_system' } };
  await expect(ask()).rejects.toMatchObject(refused);
  expect([sent, calls.size]).toEqual([[], 0]);
});

test('calls end with their socket, each with its own id', async () => {
  const { socket, calls, sent, ask } = setUp();
  const replies = [ask(), ask()];
  socket.endCalls();
  const ends = await Promise.allSettled(replies);
  expect(ends).toMatchObject(
    sent.map(({ requestId }) => ({ reason: { code: 'client_lost', fields: { requestId } } })),
  );
  expect(calls.size).toBe(0);
  vi.advanceTimersByTime(20_000);
  expect(sent).toHaveLength(2);
});

test('who waits for the calls to end waits for the last one, which may end by its time-out', async () => {
  const { calls, sent, ask, answer } = setUp();
  await calls.whenIdle();
  void ask();
  void ask();
  const ended: string[] = [];
  void calls.whenIdle().then(() => ended.push('answered'));
  answer({}, sent[0]?.['requestId']);
  await vi.advanceTimersByTimeAsync(10);
  expect(ended).toEqual([]);
  answer({}, sent[1]?.['requestId']);
  await vi.advanceTimersByTimeAsync(10);
  expect(ended).toEqual(['answered']);
  ask('{}', 5_000).catch(() => {});
  void calls.whenIdle().then(() => ended.push('late'));
  await vi.advanceTimersByTimeAsync(4_990);
  expect(ended).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(40);
  expect(ended).toEqual(['answered', 'late']);
});

test('what a call cannot be sent for is said', async () => {
  const { socket, ws, ask } = setUp();
  ws.readyState = 2;
  await expect(ask()).rejects.toThrow(/disconnecting/);
  ws.readyState = 1;
  ws.bufferedAmount = 1_000_001;
  await expect(ask()).rejects.toThrow(/does not read fast enough/);
  ws.bufferedAmount = 0;
  for (let call = 0; call < 10; call++) void ask();
  await expect(ask()).rejects.toThrow(/has 10 calls in flight/);
  expect(socket.calls.size).toBe(10);
});

test('a call that takes too long tells how long its operation may take', async () => {
  const { ask } = setUp();
  const reply = ask();
  vi.advanceTimersByTime(10_100);
  await expect(reply).rejects.toThrow(`within ${plain.timeoutMs / 1_000} s`);
});
