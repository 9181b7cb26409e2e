import { operations } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ClientSocket } from './client-socket.ts';
import type { SocketIdentity } from '../worlds/socket-identity.ts';
import type { SocketLink } from './client-socket.ts';
import { createSocketContext, generousLimits } from '../../test/sockets/socket-context.ts';
import { startCall } from '../../test/sockets/start-call.ts';

const operation = operations[0] as Operation;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp(callsInFlight = 100) {
  const sent: { type: string; requestId: string; n?: number }[] = [];
  const ws = {
    readyState: 1,
    OPEN: 1,
    bufferedAmount: 0,
    send: (text: Buffer) => sent.push(JSON.parse(text.toString()) as (typeof sent)[number]),
  };
  const transport = { readable: true };
  const context = createSocketContext({
    outbox: { cork: () => {} },
    limits: { ...generousLimits, callsInFlight, sendQueueBytes: 1_000, answerQueueBytes: 1_000 },
  });
  const socket = new ClientSocket(
    { ws, transport } as unknown as SocketLink,
    'conn',
    {} as SocketIdentity,
    context,
  );
  const ask = (n: number, budgetMs = 10_000) =>
    startCall(socket.calls, operation, JSON.stringify({ n }), budgetMs);
  /** False when the reply reached no call. */
  const answer = (requestId: string, text: string) =>
    socket.calls.receiveReply({ type: `${operation.name}-result`, requestId }, Buffer.from(text));
  return { socket, ws, transport, sent, ask, answer };
}

test('a reply reaches the call whose requestId it carries, in whatever order replies come', async () => {
  const { sent, ask, answer } = setUp();
  const replies = [0, 1, 2, 3, 4].map((n) => ask(n).reply);
  for (const index of [2, 4, 0, 3, 1]) {
    const { requestId = '', n } = sent[index] ?? {};
    expect(answer(requestId, `answer to ${n}`)).toBe(true);
  }
  const bodies = (await Promise.all(replies)).map(({ body }) => String(body));
  expect(bodies).toEqual([0, 1, 2, 3, 4].map((n) => `answer to ${n}`));
});

test('a reply that comes after its call’s time-out answers no other call of the same operation', async () => {
  const { sent, ask, answer } = setUp();
  const [late, running] = [ask(0, 1_000), ask(1)];
  vi.advanceTimersByTime(1_050);
  const requestId = sent[0]?.requestId ?? '';
  await expect(late.reply).rejects.toMatchObject({ code: 'client_timeout', fields: { requestId } });
  expect(sent[2]).toEqual({ type: 'cancel', requestId });
  expect(answer(requestId, 'too late')).toBe(false);
  expect(answer(sent[1]?.requestId ?? '', 'in time')).toBe(true);
  expect(String((await running.reply).body)).toBe('in time');
});

test('a call whose caller hangs up ends at once, its module is told, and its late reply answers nobody', async () => {
  const { sent, ask, answer } = setUp();
  const call = ask(0);
  call.hangUp();
  const requestId = sent[0]?.requestId ?? '';
  await expect(call.reply).rejects.toMatchObject({ code: 'client_timeout', fields: { requestId } });
  expect(sent[1]).toEqual({ type: 'cancel', requestId });
  expect(answer(requestId, 'too late')).toBe(false);
  call.hangUp();
  expect(sent).toHaveLength(2);
});

test('a call in time is not cancelled by its deadline, and one that is given up only once', async () => {
  const { sent, ask, answer } = setUp();
  const [answered, given] = [ask(0, 1_000), ask(1, 1_000)];
  answer(sent[0]?.requestId ?? '', 'in time');
  given.hangUp();
  await expect(given.reply).rejects.toMatchObject({ code: 'client_timeout' });
  vi.advanceTimersByTime(5_000);
  answered.hangUp();
  expect(String((await answered.reply).body)).toBe('in time');
  expect(sent.filter(({ type }) => type === 'cancel')).toHaveLength(1);
});

test('no command goes to a socket that is closing, is full of calls or is not read', async () => {
  const { socket, ws, sent, ask } = setUp(2);
  ws.readyState = 2;
  await expect(ask(0).reply).rejects.toMatchObject({ code: 'unavailable' });
  ws.readyState = 1;
  ws.bufferedAmount = 1_001;
  await expect(ask(0).reply).rejects.toMatchObject({ code: 'overloaded' });
  ws.bufferedAmount = 1_000;
  ask(0);
  ask(1);
  await expect(ask(2).reply).rejects.toMatchObject({ code: 'overloaded' });
  expect(sent).toHaveLength(2);
  expect(socket.calls.size).toBe(2);
});

test('a socket serves while it is open and not told to come back elsewhere', () => {
  const { socket, ws, transport } = setUp();
  expect(socket.isServing).toBe(true);
  socket.isMoving = true;
  expect(socket.isServing).toBe(false);
  socket.isMoving = false;
  transport.readable = false;
  expect(socket.isServing).toBe(false);
  transport.readable = true;
  ws.readyState = 2;
  expect(socket.isServing).toBe(false);
});

test('what a module that does not read would be told is dropped while its queue is full', () => {
  const { socket, ws, sent } = setUp();
  ws.bufferedAmount = 1_000;
  socket.send({ type: 'pong' });
  ws.bufferedAmount = 1_001;
  socket.send({ type: 'error', code: 'bad_frame', message: '' });
  ws.bufferedAmount = 0;
  ws.readyState = 2;
  socket.send({ type: 'error', code: 'bad_frame', message: '' });
  expect(sent).toEqual([{ type: 'pong' }]);
});

test('answers of other worlds have room of their own, and what has none is not sent', () => {
  const { socket, ws } = setUp();
  const flushed: (() => void)[] = [];
  const send = (frame: Buffer, _options: object, done: () => void) => {
    ws.bufferedAmount += frame.length;
    flushed.push(() => {
      ws.bufferedAmount -= frame.length;
      done();
    });
  };
  Object.assign(ws, { send });
  const released = vi.fn<() => void>();
  const sendAnswer = (frame: Buffer) => socket.sendAnswer(frame, 1_000, released);
  // One answer is sent whatever its size, because it could never be sent otherwise.
  expect(sendAnswer(Buffer.alloc(5_000))).toBe(true);
  expect(sendAnswer(Buffer.alloc(1))).toBe(false);
  expect(socket.queuedBytes).toBe(0);
  expect(released).not.toHaveBeenCalled();
  flushed[0]?.();
  expect(released).toHaveBeenCalledOnce();
  expect(sendAnswer(Buffer.alloc(600))).toBe(true);
  expect(sendAnswer(Buffer.alloc(400))).toBe(true);
  expect(sendAnswer(Buffer.alloc(1))).toBe(false);
  ws.readyState = 2;
  flushed[1]?.();
  expect(sendAnswer(Buffer.alloc(1))).toBe(false);
});

test('a module that does not read the answer of another world is cut off', () => {
  const { socket, ws } = setUp();
  const terminate = vi.fn<() => void>();
  Object.assign(ws, { send: () => undefined, terminate });
  socket.sendAnswer(Buffer.alloc(65_536), 1_000, () => undefined);
  vi.advanceTimersByTime(1_990);
  expect(terminate).not.toHaveBeenCalled();
  vi.advanceTimersByTime(20);
  expect(terminate).toHaveBeenCalledOnce();
});

test('where the last reply was large, no more calls are sent than such replies fit, until they have come', async () => {
  const { sent, ask, answer } = setUp();
  const large = 'x'.repeat(400_000);
  const answerCall = (index: number, text: string) => answer(sent[index]?.requestId ?? '', text);
  // Nothing is known yet.
  for (let n = 0; n < 5; n++) ask(n);
  for (let n = 0; n < 5; n++) answerCall(n, large);
  ask(5);
  ask(6);
  await expect(ask(7).reply).rejects.toMatchObject({ code: 'overloaded' });
  expect(sent).toHaveLength(7);
  answerCall(5, large);
  ask(7);
  // A reply above all that may be expected comes alone.
  answerCall(6, large);
  answerCall(7, 'x'.repeat(2_000_000));
  ask(8);
  await expect(ask(9).reply).rejects.toMatchObject({ code: 'overloaded' });
  answerCall(8, 'small');
  for (let n = 9; n < 15; n++) ask(n);
});
