import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { boundUnreadBody } from './unread-body.ts';

const bodyBytes = 1_000_000;
const chunkBytes = 65_536;

/** A server that refuses every request at its head, the sockets that it took, what it read, and how each of them ends. */
async function listen() {
  const taken: Socket[] = [];
  const chunks: Buffer[] = [];
  const closed = new Map<string | undefined, Promise<unknown>>();
  const server = createServer((request: IncomingMessage, response) => {
    if (boundUnreadBody(request, { maxBytes: bodyBytes, closes: false }))
      response.setHeader('connection', 'close');
    response.writeHead(404).end();
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
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

/** Sends a whole body before it reads; resolves with how the answer begins. */
async function send(port: number, localAddress: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
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

it('the memory of what is thrown away is given back at once', async () => {
  const { port, chunks, closed } = await listen();
  await send(port, '127.0.0.2');
  await closed.get('127.0.0.2');
  expect(chunks.length).toBeGreaterThan(1);
  await vi.waitFor(() => expect(chunks.filter(({ length }) => length > 0)).toEqual([]));
});

it('the server closes its half only behind the body, so that a flood does not open its next connection at once', async () => {
  const { port, taken } = await listen();
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
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
