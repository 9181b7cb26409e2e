import { operations } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWiredSocket } from '../../../test/sockets/wired-socket.ts';
import type { ClientSocket } from '../client-socket.ts';

const operation = operations[0] as Operation;
const ask = (socket: ClientSocket) => socket.calls.call(operation, '{}', 10_000);

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

test('the time of a world goes from its command to its reply, and stands in it', async () => {
  const { socket, sent, onWorldTime } = createWiredSocket();
  const reply = ask(socket);
  vi.advanceTimersByTime(120);
  const requestId = sent[0]?.['requestId'];
  socket.calls.receiveReply({ type: `${operation.name}-result`, requestId }, Buffer.from('{}'));
  expect(await reply).toMatchObject({ worldMs: 120 });
  expect(onWorldTime.mock.calls).toEqual([[operation.name, 0.12]]);
});

type Wired = ReturnType<typeof createWiredSocket>;

test.each<[what: string, code: string, worldMs: number, end: (wired: Wired) => unknown]>([
  [
    'refuses',
    'operation_failed',
    120,
    ({ socket, sent }) =>
      socket.calls.receiveReply({ requestId: sent[0]?.['requestId'], error: 'no' }, Buffer.from('{}')),
  ],
  ['goes away', 'client_lost', 120, ({ socket }) => socket.calls.failAll('It went.')],
  ['does not answer in time', 'client_timeout', 10_050, () => vi.advanceTimersByTime(9_930)],
])('where a world %s, the failure has its time', async (_what, code, worldMs, end) => {
  const wired = createWiredSocket();
  const failure = ask(wired.socket).catch((error: unknown) => error);
  vi.advanceTimersByTime(120);
  end(wired);
  expect(await failure).toMatchObject({ code, worldMs });
  expect(wired.onWorldTime.mock.calls).toEqual([[operation.name, worldMs / 1_000]]);
});

test('a reply that had come when its time was over is taken, though the timer fires before it is read', async () => {
  const { socket, sent } = createWiredSocket();
  const reply = ask(socket);
  vi.advanceTimersByTime(10_000);
  const requestId = sent[0]?.['requestId'];
  expect(socket.calls.receiveReply({ type: `${operation.name}-result`, requestId }, Buffer.from('{}'))).toBe(
    true,
  );
  expect(await reply).toMatchObject({ body: Buffer.from('{}') });
  await new Promise(setImmediate);
  expect(sent).toHaveLength(1);
});

test('a call that was not sent has no time of a world', async () => {
  vi.useFakeTimers();
  const { socket, onWorldTime } = createWiredSocket();
  for (let count = 0; count < 8; count++) ask(socket).catch(() => {});
  const failure = ask(socket).catch((error: unknown) => error);
  vi.advanceTimersByTime(10_050);
  expect(await failure).toMatchObject({ code: 'overloaded', worldMs: undefined });
  expect(onWorldTime).toHaveBeenCalledTimes(8);
});

test('a call is found after many others came and went, and all that wait are failed together', async () => {
  const { socket, sent } = createWiredSocket();
  const answer = (index: number) =>
    socket.calls.receiveReply(
      { type: `${operation.name}-result`, requestId: sent[index]?.['requestId'] },
      Buffer.from('{}'),
    );
  const first = ask(socket);
  for (let index = 1; index <= 200; index++) {
    const reply = ask(socket);
    expect(answer(index)).toBe(true);
    await reply;
  }
  expect(socket.calls.size).toBe(1);
  expect(answer(0)).toBe(true);
  expect(await first).toMatchObject({ body: Buffer.from('{}') });
  const failures = [1, 2, 3].map(() => ask(socket).catch((error: unknown) => error));
  socket.calls.failAll('It went.');
  expect(await Promise.all(failures)).toMatchObject(failures.map(() => ({ code: 'client_lost' })));
  expect(socket.calls.size).toBe(0);
});
