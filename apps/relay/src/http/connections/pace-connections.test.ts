import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { mostPerTurn } from '../../../test/most-per-turn.ts';
import { paceConnections } from './pace-connections.ts';

async function listen(server: Server): Promise<() => Socket> {
  paceConnections(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return () => {
    // A server that closes resets those that it has not accepted.
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    return socket;
  };
}

/** A server whose parser takes 3 ms for a connection, and how many it has parsed. */
async function listenSlowly(onAccepted = (_socket: Socket, _index: number): void => {}) {
  const server = createServer().removeAllListeners('connection');
  const parsed: Socket[] = [];
  server.on('connection', (socket: Socket) => {
    const until = performance.now() + 3;
    while (performance.now() < until);
    parsed.push(socket);
  });
  const open = await listen(server);
  const accepted: Socket[] = [];
  server.on('connection', (socket: Socket) => onAccepted(socket, accepted.push(socket) - 1));
  onTestFinished(() => accepted.forEach((socket) => socket.destroy()));
  return { open, server, parsed, accepted };
}

test('two hundred connections that come at once are all served, though each has sent its request by then', async () => {
  const open = await listen(createServer((request, response) => response.end(request.url)));
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_one, index) => {
      const socket = open();
      socket.write(`GET /${index} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
      return (await socket.setEncoding('latin1').toArray()).join('');
    }),
  );
  for (const [index, answer] of answers.entries()) expect(answer.endsWith(`\r\n\r\n/${index}`)).toBe(true);
});

test('a turn of the event loop takes no more connections than it has time for', async () => {
  const { open, parsed, accepted } = await listenSlowly();
  for (let opened = 0; opened < 10; opened++) open();
  // The second may begin before the 4 ms of a turn are over.
  expect(await mostPerTurn(() => parsed.length, 10)).toBeLessThanOrEqual(2);
  expect(accepted).toHaveLength(10);
});

test('a connection that was closed while it waited is left out', async () => {
  const { open, parsed, accepted } = await listenSlowly((socket, index) => {
    if (index === 1) socket.destroy();
  });
  for (let opened = 0; opened < 3; opened++) open();
  await expect.poll(() => parsed.length).toBe(2);
  expect(parsed).toEqual([accepted[0], accepted[2]]);
});

test('a server that closes does not wait for connections that wait', async () => {
  const { open, server, parsed, accepted } = await listenSlowly();
  for (let opened = 0; opened < 10; opened++) open();
  while (accepted.length < 3) await nextTurn();
  const before = parsed.length;
  server.close();
  await expect.poll(() => accepted.filter(({ destroyed }) => destroyed).length).toBeGreaterThan(0);
  expect(parsed).toHaveLength(before);
});

test('of many who hang up at once in the middle of a request a few are told of in each turn', async () => {
  const broken: IncomingMessage[] = [];
  const begun: IncomingMessage[] = [];
  const open = await listen(
    createServer((request) => {
      begun.push(request);
      request.on('error', () => broken.push(request)).resume();
    }),
  );
  const callers = Array.from({ length: 200 }, open);
  for (const caller of callers) caller.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nhalf');
  await expect.poll(() => begun.length).toBe(200);
  for (const caller of callers) caller.destroy();
  expect(await mostPerTurn(() => broken.length, 200)).toBeLessThanOrEqual(64);
});

test('a caller whose connection breaks while it waits for the answer is known to be gone', async () => {
  const gone = vi.fn<() => void>();
  const begun = vi.fn<() => void>();
  const open = await listen(
    createServer((_request, response) => {
      begun();
      response.on('close', gone);
    }),
  );
  const caller = open();
  caller.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await expect.poll(() => begun.mock.calls).toHaveLength(1);
  caller.resetAndDestroy();
  await expect.poll(() => gone.mock.calls).toHaveLength(1);
});
