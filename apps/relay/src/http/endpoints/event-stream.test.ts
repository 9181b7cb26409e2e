import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { Stream } from '../../endpoint-handler.ts';
import { createEventStreams } from './event-stream.ts';

let app: FastifyInstance | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app?.close();
});

/** Serves one stream, and asks for it without reading what comes. */
async function ask(run: (stream: Stream) => void, accept = 'text/event-stream'): Promise<Socket> {
  app = Fastify();
  const answerWithEvents = createEventStreams(app);
  app.get('/', (request, reply) => answerWithEvents(request, reply, run));
  const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect(Number(url.port), url.hostname);
  sockets.push(socket);
  socket.on('error', () => {});
  socket.pause();
  socket.write(`GET / HTTP/1.1\r\nhost: localhost\r\naccept: ${accept}\r\n\r\n`);
  return socket;
}

async function readAll(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

it('a stream says when to come back, then its events, and again at its end', async () => {
  const socket = await ask((stream) => {
    stream.send('known', { one: 1 });
    stream.close();
    stream.send('late', {});
  });
  const [head = '', body] = (await readAll(socket)).split(/\r\n\r\n(.*)/s);
  expect(head).toMatch(/^HTTP\/1\.1 200 .*content-type: text\/event-stream/is);
  expect(body).toBe('retry: 3000\n\nevent: known\ndata: {"one":1}\n\nretry: 3000\n\n');
});

it('who leaves a megabyte unread is cut off', async () => {
  const closed = Promise.withResolvers<void>();
  await ask((stream) => {
    stream.onClose(() => closed.resolve());
    const data = 'x'.repeat(100_000);
    for (let count = 0; count < 1_000; count++) stream.send('known', { data });
  });
  await expect(closed.promise).resolves.toBeUndefined();
});

it('a request that takes no events is refused', async () => {
  const socket = await ask(() => {}, 'application/json');
  const [answer] = await once(socket.resume(), 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
});

it('a stream that is open when the server closes is ended', async () => {
  const socket = await ask((stream) => stream.send('known', {}));
  socket.resume();
  const ended = readAll(socket);
  await expect.poll(() => socket.bytesRead).toBeGreaterThan(0);
  await app?.close();
  expect(await ended).toMatch(/event: known\ndata: {}\n\nretry: 3000\n\n$/);
});
