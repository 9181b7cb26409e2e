import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { boundUnreadBody } from './unread-body.ts';

const bodyBytes = 1_000_000;
const chunkBytes = 65_536;

/**
 * A server that refuses every request at its head, once `mayAnswer`; the sockets that it took, what it read, and how each
 * of them ends.
 */
async function listen({
  mayAnswer,
  prepare,
}: { mayAnswer?: Promise<void>; prepare?: (request: IncomingMessage) => void } = {}) {
  const taken: Socket[] = [];
  const chunks: Buffer[] = [];
  const closed = new Map<string | undefined, Promise<unknown>>();
  const server = createServer((request: IncomingMessage, response) => {
    prepare?.(request);
    if (boundUnreadBody(request, { maxBytes: bodyBytes, closes: false }))
      response.setHeader('connection', 'close');
    const answer = () => {
      response.writeHead(404).end();
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
    };
    if (mayAnswer && request.method === 'POST') void mayAnswer.then(answer);
    else answer();
  });
  server.on('connection', (socket) => {
    taken.push(socket);
    closed.set(socket.remoteAddress, once(socket, 'close'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of taken) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, taken, chunks, closed };
}

/** A connection of a client that does as the test says. */
function open(port: number, localAddress = '127.0.0.2'): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Sends a whole body before it reads; resolves with how the answer begins. */
async function send(port: number, localAddress: string): Promise<string> {
  const socket = open(port, localAddress);
  socket.pause();
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${bodyBytes}\r\n\r\n`);
  await new Promise((sent) => socket.write(Buffer.alloc(bodyBytes), sent));
  socket.resume();
  const [data] = (await once(socket, 'data')) as [Buffer];
  return String(data).slice(0, 12);
}

it('of bodies that were answered already so much is read a second, and addresses take turns', async () => {
  const { port, taken, closed } = await listen();
  const startedAt = performance.now();
  const flood = Array.from({ length: 60 }, () => send(port, '127.0.0.2'));
  expect(await send(port, '127.0.0.3')).toBe('HTTP/1.1 404');
  await closed.get('127.0.0.3');
  const turns = (performance.now() - startedAt) / 10;
  const read = taken.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  // One chunk each with its head, and then two a turn.
  expect(read).toBeLessThan((taken.length + 2 * turns + 2) * chunkBytes);
  expect(read).toBeLessThan((taken.length * bodyBytes) / 2);
  expect(new Set(await Promise.all(flood))).toEqual(new Set(['HTTP/1.1 404']));
});

it('a body that is answered already is read to its end, and then the connection is closed', async () => {
  const { port, taken, closed } = await listen();
  expect(await send(port, '127.0.0.2')).toBe('HTTP/1.1 404');
  await closed.get('127.0.0.2');
  expect(taken[0]?.bytesRead).toBeGreaterThan(bodyBytes);
});

it('a body that was bounded before, or that somebody paused, is read to its end all the same, and leaves no timer', async () => {
  // Without the time after which it is cut off.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const prepare = (request: IncomingMessage) => {
    request.pause();
    boundUnreadBody(request, { maxBytes: bodyBytes, closes: false });
  };
  const { port, taken, closed } = await listen({ prepare });
  expect(await send(port, '127.0.0.2')).toBe('HTTP/1.1 404');
  await closed.get('127.0.0.2');
  expect(taken[0]?.bytesRead).toBeGreaterThan(bodyBytes);
  expect(vi.getTimerCount()).toBe(0);
});

it('a body in many small pieces takes no more turns than another', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { port, taken, chunks, closed } = await listen();
  const pieces = open(port);
  pieces.write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
  pieces.write('5\r\n12345\r\n'.repeat(6_000));
  await once(pieces, 'data');
  await vi.waitFor(() => expect(chunks.length).toBeGreaterThan(1_000));
  expect(await send(port, '127.0.0.2')).toBe('HTTP/1.1 404');
  await closed.get('127.0.0.2');
  expect(taken[1]?.bytesRead).toBeGreaterThan(bodyBytes);
});

it('the memory of what is thrown away is given back at once', async () => {
  const { port, chunks, closed } = await listen();
  await send(port, '127.0.0.2');
  await closed.get('127.0.0.2');
  expect(chunks.length).toBeGreaterThan(1);
  await vi.waitFor(() => expect(chunks.filter(({ length }) => length > 0)).toEqual([]));
});

it('the server closes its half only behind the body, so that a flood does not open its next connection at once', async () => {
  const { port, taken } = await listen();
  const socket = open(port);
  const half = bodyBytes / 2;
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${bodyBytes}\r\n\r\n`);
  socket.write(Buffer.alloc(half));
  await once(socket, 'data');
  await vi.waitFor(() => expect(taken[0]?.bytesRead).toBeGreaterThan(half), { timeout: 3_000 });
  expect(socket.readableEnded).toBe(false);
  socket.resume();
  socket.write(Buffer.alloc(half));
  await once(socket, 'end');
  expect(taken[0]?.bytesRead).toBeGreaterThan(bodyBytes);
});

it('nothing of the body is read before the answer is written', async () => {
  const mayAnswer = Promise.withResolvers<void>();
  const { port, taken, closed } = await listen({ mayAnswer: mayAnswer.promise });
  const head = `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${bodyBytes}\r\n\r\n`;
  const socket = open(port);
  socket.write(head);
  await vi.waitFor(() => expect(taken[0]?.bytesRead).toBe(head.length));
  await new Promise((sent) => socket.write(Buffer.alloc(bodyBytes), sent));
  // The server answers others meanwhile, so it would have read by now what it reads.
  for (let other = 0; other < 3; other++) {
    const bystander = open(port, '127.0.0.3');
    bystander.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(bystander, 'data');
  }
  expect(taken[0]?.bytesRead).toBe(head.length);
  mayAnswer.resolve();
  const [data] = (await once(socket, 'data')) as [Buffer];
  expect(String(data)).toContain('HTTP/1.1 404');
  await closed.get('127.0.0.2');
});

it('a body that goes beyond the bound is cut off there', async () => {
  const { port, taken, closed } = await listen();
  const socket = open(port);
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
  const size = chunkBytes.toString(16);
  const send = () => {
    if (!socket.destroyed) socket.write(`${size}\r\n${'x'.repeat(chunkBytes)}\r\n`, send);
  };
  send();
  await once(socket, 'data');
  await closed.get('127.0.0.2');
  expect(taken[0]?.bytesRead).toBeGreaterThan(bodyBytes);
  expect(taken[0]?.bytesRead).toBeLessThan(bodyBytes + 4 * chunkBytes);
});

it('a body that does not end in time is cut off', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { port, taken } = await listen();
  const socket = open(port);
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${bodyBytes}\r\n\r\n`);
  await once(socket, 'data');
  const closed = once(taken[0] as Socket, 'close');
  vi.advanceTimersByTime(4_999);
  expect(taken[0]?.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  await closed;
  expect(vi.getTimerCount()).toBe(0);
});

it.each([
  ['no body', '', 'keep-alive'],
  ['a small body', 'content-length: 16384', 'keep-alive'],
  ['a larger body', 'content-length: 16385', 'close'],
  ['a body of a length that it does not tell', 'transfer-encoding: chunked', 'close'],
])(
  'a request with %s (%s) is answered before it, and the connection then says %s',
  async (_what, header, connection) => {
    const { port } = await listen();
    const socket = open(port);
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\n${header === '' ? '' : `${header}\r\n`}\r\n`);
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(/^connection: (.*)\r$/im.exec(String(data))?.[1]).toBe(connection);
  },
);

it('a connection whose small body comes behind the answer takes the next request', async () => {
  const { port, taken } = await listen();
  const socket = open(port);
  for (let round = 0; round < 2; round++) {
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\n');
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(String(data)).toContain('HTTP/1.1 404');
    socket.write('12345');
  }
  expect(taken).toHaveLength(1);
});
