import { operations } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ClientSocket } from './client-socket.ts';
import type { SocketContext, SocketIdentity, SocketLink } from './client-socket.ts';
import { createDeadlines } from './deadlines.ts';

const inflow = { bytesPerSecond: 1, burstBytes: 1, framesPerSecond: 1, burstFrames: 1, patienceMs: 1 };
const operation = operations[0] as Operation;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp(callsInFlight = 100) {
  const sent: { type: string; requestId: string; n?: number }[] = [];
  const ws = {
    readyState: 1,
    OPEN: 1,
    bufferedAmount: 0,
    send: (text: string) => sent.push(JSON.parse(text) as (typeof sent)[number]),
  };
  const context: SocketContext = {
    deadlines: createDeadlines(),
    outbox: { hold: () => {} },
    limits: { callsInFlight, sendQueueBytes: 1_000, inflow },
    onHold: () => {},
  };
  const socket = new ClientSocket({ ws } as unknown as SocketLink, 'conn', {} as SocketIdentity, context);
  const ask = (n: number, budgetMs = 10_000) => socket.ask(operation, JSON.stringify({ n }), budgetMs);
  /** False when the reply reached no call. */
  const answer = (requestId: string, text: string) =>
    socket.receiveReply({ type: `${operation.name}-result`, requestId }, Buffer.from(text));
  return { socket, ws, sent, ask, answer };
}

test('a reply reaches the call whose requestId it carries, in whatever order replies come', async () => {
  const { sent, ask, answer } = setUp();
  const replies = [0, 1, 2, 3, 4].map((n) => ask(n).reply);
  for (const index of [2, 4, 0, 3, 1]) {
    const { requestId = '', n } = sent[index] ?? {};
    expect(answer(requestId, `answer to ${n}`)).toBe(true);
  }
  const bodies = (await Promise.all(replies)).map(String);
  expect(bodies).toEqual([0, 1, 2, 3, 4].map((n) => `answer to ${n}`));
});

test('a reply that comes after its call’s time-out answers no other call of the same operation', async () => {
  const { sent, ask, answer } = setUp();
  const [late, running] = [ask(0, 1_000), ask(1)];
  vi.advanceTimersByTime(1_050);
  await expect(late.reply).rejects.toMatchObject({ code: 'client_timeout' });
  expect(answer(sent[0]?.requestId ?? '', 'too late')).toBe(false);
  expect(answer(sent[1]?.requestId ?? '', 'in time')).toBe(true);
  expect(String(await running.reply)).toBe('in time');
});

test('what a module that does not read would be told is dropped once its queue is full', () => {
  const { socket, ws, sent } = setUp();
  socket.send({ type: 'pong' });
  ws.bufferedAmount = 1_001;
  socket.send({ type: 'pong' });
  expect(sent).toEqual([{ type: 'pong' }]);
});
