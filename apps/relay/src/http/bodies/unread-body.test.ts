import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test, vi, onTestFinished } from 'vitest';
import { bodyBytes, listen } from '../../../test/http/bare-server.ts';
import type { BareServer } from '../../../test/http/bare-server.ts';
import { ProblemError } from '../../problem.ts';

/** A server that refuses every request at its head, but those of `GET /ok`. */
const listenAndRefuse = (answer?: Parameters<typeof listen>[0]): Promise<BareServer> =>
  listen(answer, {
    prepare: (app) =>
      app.addHook('onRequest', ({ method }, _reply, done) =>
        done(method === 'GET' ? undefined : new ProblemError('key_missing')),
      ),
  });

const headOf = (fields: string) => `POST /x HTTP/1.1\r\nhost: x\r\n${fields}\r\n\r\n`;

/** Sends all before it reads; resolves with the first answer's head. */
async function sendAll(socket: Socket, fields: string, bytes: number): Promise<string> {
  socket.pause();
  socket.write(headOf(fields));
  await new Promise((sent) => socket.write(Buffer.alloc(bytes), sent));
  socket.resume();
  const [data] = (await once(socket, 'data')) as [Buffer];
  return String(data).split('\r\n\r\n')[0] ?? '';
}

function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

test.each([
  ['one that keeps its connection', ''],
  ['one that closes it', '\r\nconnection: close'],
])('who sends all before it reads finds its answer, also %s', async (_who, fields) => {
  const { open, taken } = await listenAndRefuse();
  for (let round = 0; round < 10; round++) {
    const head = await sendAll(open(), `content-length: ${bodyBytes}${fields}`, bodyBytes);
    expect(head).toMatch(/^HTTP\/1\.1 401 /);
    expect(head).not.toMatch(/^connection: close/im);
  }
  await vi.waitFor(() =>
    expect(Math.min(...taken.map(({ bytesRead }) => bytesRead))).toBeGreaterThan(bodyBytes),
  );
});

test('who wants to close sees the end behind its body', async () => {
  const { open } = await listenAndRefuse();
  const socket = open();
  const head = await sendAll(socket, `connection: close\r\ncontent-length: ${bodyBytes}`, bodyBytes);
  expect(head).toMatch(/^HTTP\/1\.1 401 /);
  await once(socket, 'end');
});

test('behind bodies that came whole their connection goes on, and nothing of them is left on it', async () => {
  fakeTimers();
  const { open, taken } = await listenAndRefuse();
  const socket = open();
  const listeners = () => taken[0]?.eventNames().map((name) => [name, taken[0]?.listenerCount(name)]);
  expect(await sendAll(socket, `content-length: ${bodyBytes}`, bodyBytes)).toMatch(
    /^keep-alive: timeout=5$/im,
  );
  const ask = async () => {
    socket.write('GET /ok HTTP/1.1\r\nhost: x\r\n\r\n');
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(String(data)).toMatch(/^HTTP\/1\.1 200 /);
  };
  await ask();
  const after = listeners();
  for (let round = 0; round < 11; round++) await sendAll(socket, `content-length: ${bodyBytes}`, bodyBytes);
  await ask();
  expect(listeners()).toEqual(after);
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(6_000);
  await ask();
  expect(taken).toHaveLength(1);
});

test('a body that does not end within 5 s ends with its connection', async () => {
  fakeTimers();
  const { open, taken } = await listenAndRefuse();
  const socket = open();
  socket.write(headOf(`content-length: ${bodyBytes}`));
  await once(socket, 'data');
  const closed = once(taken[0] as Socket, 'close');
  vi.advanceTimersByTime(4_999);
  expect(taken[0]?.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  await closed;
  expect(vi.getTimerCount()).toBe(0);
});

test('a body that goes beyond the bound is cut off there', async () => {
  const { open, taken } = await listenAndRefuse();
  const socket = open().resume();
  socket.write(headOf('transfer-encoding: chunked'));
  const frame = `10000\r\n${'x'.repeat(65_536)}\r\n`;
  const send = (): void => {
    if (!socket.destroyed) socket.write(frame, send);
  };
  send();
  await once(taken[0] ?? (await once(socket, 'data').then(() => taken[0] as Socket)), 'close');
  expect(taken[0]?.bytesRead).toBeGreaterThan(bodyBytes);
  expect(taken[0]?.bytesRead).toBeLessThan(bodyBytes + 8 * 65_536);
});

test('little of a body is taken before its answer', async () => {
  const refuse = Promise.withResolvers<undefined>();
  const { open, taken } = await listen(undefined, {
    prepare: (app) =>
      app.addHook('onRequest', async () => {
        await refuse.promise;
        throw new ProblemError('key_missing');
      }),
  });
  const socket = open();
  const sent = sendAll(socket, `content-length: ${bodyBytes}`, bodyBytes);
  await vi.waitFor(() => expect(taken[0]?.bytesRead).toBeGreaterThan(0));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(taken[0]?.bytesRead).toBeLessThan(4 * 65_536);
  refuse.resolve(undefined);
  expect(await sent).toMatch(/^HTTP\/1\.1 401 /);
});

test('a small body needs none of this: its connection goes on as any other', async () => {
  fakeTimers();
  const { open, taken } = await listenAndRefuse();
  const socket = open();
  for (let round = 0; round < 2; round++) {
    socket.write(headOf('content-length: 5'));
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(String(data)).toMatch(/^HTTP\/1\.1 401 [^]*keep-alive: timeout=620/i);
    socket.write('12345');
  }
  vi.advanceTimersByTime(60_000);
  expect(taken).toHaveLength(1);
  expect(taken[0]?.destroyed).toBe(false);
});
