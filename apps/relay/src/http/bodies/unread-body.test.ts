import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { boundUnreadBody } from './unread-body.ts';

const bodyBytes = 1_000_000;
const chunkBytes = 65_536;

/** A server that refuses every request at its head, the sockets that it took, and how each of them ends. */
async function listen() {
  const taken: Socket[] = [];
  const closed = new Map<string | undefined, Promise<unknown>>();
  const server = createServer((request: IncomingMessage, response) => {
    if (boundUnreadBody(request, { maxBytes: bodyBytes, closes: false }))
      response.setHeader('connection', 'close');
    response.writeHead(404).end();
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
  return { port: (server.address() as AddressInfo).port, taken, closed };
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
