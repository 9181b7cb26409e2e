import { expect, test } from 'vitest';
import { ClientSocket } from './client-socket.ts';
import type { SocketContext, SocketIdentity, SocketLink } from './client-socket.ts';
import { createDeadlines } from './deadlines.ts';

const inflow = { bytesPerSecond: 1, burstBytes: 1, framesPerSecond: 1, burstFrames: 1, patienceMs: 1 };

test('what a module that does not read would be told is dropped once its queue is full', () => {
  const sent: string[] = [];
  const ws = { readyState: 1, OPEN: 1, bufferedAmount: 0, send: (text: string) => sent.push(text) };
  const context: SocketContext = {
    deadlines: createDeadlines(),
    outbox: { hold: () => {} },
    limits: { callsInFlight: 1, sendQueueBytes: 1_000, inflow },
    onHold: () => {},
  };
  const socket = new ClientSocket({ ws } as unknown as SocketLink, 'conn', {} as SocketIdentity, context);
  socket.send({ type: 'pong' });
  ws.bufferedAmount = 1_001;
  socket.send({ type: 'pong' });
  expect(sent).toEqual(['{"type":"pong"}']);
});
