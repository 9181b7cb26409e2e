import type { FastifyRequest } from 'fastify';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pino from 'pino';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import type { HttpSettings } from '../http-settings.ts';
import { createRelayMetrics } from '../../metrics.ts';
import { createRequestLine } from '../endpoints/request-line.ts';
import { createServer } from '../server.ts';

/** One is answered, and sixteen wait. */
const bound = 17;

const config = {
  maxConnections: 100,
  maxConnectionsPerAddress: 100,
  trustedProxies: [],
  maxBodyBytes: 1_048_576,
} as unknown as HttpSettings;

/**
 * A server that answers with the number that it is asked for, of one request in each turn of the event loop, and with
 * what `answer` says. `received` and `begun` have the numbers in the order in which they came and were begun; `parked`
 * are those that are not answered.
 */
async function listen(answer = (number: string, _request: FastifyRequest): unknown => number) {
  const app = createServer({
    config,
    log: pino({ enabled: false }),
    metrics: createRelayMetrics(new Registry()),
    handleError: (error, _request, reply) => void reply.code(error.statusCode ?? 500).send(error.message),
  });
  const seen = {
    received: [] as string[],
    begun: [] as string[],
    /** How many had begun when a request came. */
    begunBefore: new Map<string, number>(),
    parked: 0,
    most: 0,
  };
  const numberOf = ({ params }: FastifyRequest) => (params as { number: string }).number;
  app.addHook('onRequest', (request, reply, done) => {
    seen.received.push(numberOf(request));
    seen.begunBefore.set(numberOf(request), seen.begun.length);
    seen.most = Math.max(seen.most, ++seen.parked);
    reply.raw.once('close', () => seen.parked--);
    done();
  });
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.route({
    method: ['GET', 'POST'],
    url: '/:number',
    onRequest: createRequestLine(),
    async handler(request, reply) {
      seen.begun.push(numberOf(request));
      return await reply.type('text/plain').send(await answer(numberOf(request), request));
    },
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(async () => {
    app.server.closeAllConnections();
    await app.close();
  });
  const { port } = app.server.address() as AddressInfo;
  const open = (): Socket => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  return { open, seen, server: app.server };
}

const ask = (number: number | string, fields = '') => `GET /${number} HTTP/1.1\r\nhost: x\r\n${fields}\r\n`;
const numbers = (count: number) => Array.from({ length: count }, (_one, index) => String(index));

/** The bodies of so many answers, in the order in which they come. */
async function readAnswers(socket: Socket, count: number): Promise<string[]> {
  const bodies: string[] = [];
  let text = '';
  for await (const chunk of socket.setEncoding('latin1')) {
    text += chunk as string;
    for (;;) {
      const [head, length] = /^HTTP\/1\.1 200 [^]*?content-length: (\d+)[^]*?\r\n\r\n/.exec(text) ?? [];
      if (head === undefined || text.length < head.length + Number(length)) break;
      bodies.push(text.slice(head.length, head.length + Number(length)));
      text = text.slice(head.length + Number(length));
    }
    if (bodies.length >= count) break;
  }
  return bodies;
}

test('five thousand requests that are sent ahead are answered in their order, and few of them wait', async () => {
  const { open, seen } = await listen();
  const asked = numbers(5_000);
  const socket = open();
  socket.write(asked.map((number) => ask(number)).join(''));
  expect(await readAnswers(socket, asked.length)).toEqual(asked);
  expect(seen.most).toBeLessThanOrEqual(bound);
});

test('they keep a request of another connection waiting for a few turns', async () => {
  const { open, seen } = await listen();
  const flood = open().resume();
  flood.write(
    numbers(5_000)
      .map((number) => ask(number))
      .join(''),
  );
  await expect.poll(() => seen.begun.length, { interval: 1 }).toBeGreaterThan(50);
  const other = open();
  other.write(ask('other'));
  expect(await readAnswers(other, 1)).toEqual(['other']);
  // So the flood still lasted.
  expect(seen.begun.length).toBeLessThan(5_000);
  // A turn that had begun, and one of the flood's own.
  expect(seen.begun.indexOf('other') - (seen.begunBefore.get('other') ?? 0)).toBeLessThanOrEqual(2);
});

test('of a caller who hangs up nothing is left in line', async () => {
  const { open, seen } = await listen();
  const flood = open();
  flood.write(
    numbers(5_000)
      .map((number) => ask(number))
      .join(''),
  );
  await expect.poll(() => seen.begun.length, { interval: 1 }).toBeGreaterThan(50);
  flood.resetAndDestroy();
  await expect.poll(() => seen.parked).toBe(0);
  const counts = () => [seen.received.length, seen.begun.length];
  const before = counts();
  for (let turns = 0; turns < 2 * bound; turns++) await nextTurn();
  expect(counts()).toEqual(before);
  expect(seen.begun.length).toBeLessThan(5_000);
});

test('nothing more is read while the first answer is awaited, and all after it', async () => {
  const first = Promise.withResolvers<string>();
  const { open, seen } = await listen((number) => (number === '0' ? first.promise : number));
  const asked = numbers(3_000);
  const socket = open();
  socket.write(asked.map((number) => ask(number)).join(''));
  await expect.poll(() => seen.begun.length).toBe(bound);
  for (let sent = 3_000; sent < 3_010; sent++) {
    socket.write(ask(sent));
    await nextTurn();
  }
  for (let turns = 0; turns < 50; turns++) await nextTurn();
  expect([seen.received.length, seen.parked]).toEqual([bound, bound]);
  first.resolve('0');
  expect(await readAnswers(socket, 3_010)).toEqual(numbers(3_010));
});

test('bodies come whole wherever the bytes are cut', async () => {
  const { open, seen } = await listen((_number, { body }) => `${String(body).length}`);
  const socket = open();
  const lengths = Array.from({ length: 200 }, (_one, index) =>
    index % 50 === 20 ? 150_000 : (index * 37) % 900,
  );
  const bytes = lengths
    .map((length, number) => {
      const head = `POST /${number} HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\n`;
      return `${head}content-length: ${length}\r\n\r\n${'x'.repeat(length)}`;
    })
    .join('');
  for (let at = 0, size = 1; at < bytes.length; at += size, size = (size * 7) % 9_973) {
    socket.write(bytes.slice(at, at + size));
    if (size % 5 === 0) await nextTurn();
  }
  expect(await readAnswers(socket, lengths.length)).toEqual(lengths.map(String));
  expect(seen.most).toBeLessThanOrEqual(bound);
});

test('a caller who sends ahead and reads late finds every answer', async () => {
  const { open, seen } = await listen((number) => number.padEnd(100_000, '.'));
  const asked = numbers(100);
  const socket = open().pause();
  socket.write(asked.map((number) => ask(number)).join(''));
  await expect.poll(() => seen.parked).toBeGreaterThan(1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(seen.most).toBeLessThanOrEqual(bound);
  const answers = await readAnswers(socket, asked.length);
  expect(answers.map((body) => body.replaceAll('.', ''))).toEqual(asked);
});

test('what is no HTTP behind many requests ends the connection', async () => {
  const { open, seen } = await listen();
  const socket = open().resume();
  socket.write(
    `${numbers(100)
      .map((number) => ask(number))
      .join('')}no request\r\n\r\n`,
  );
  await once(socket, 'close');
  expect(seen.most).toBeLessThanOrEqual(bound);
});

test('a connection that asks for other protocols before it is answered is closed at the bound', async () => {
  const { open, seen } = await listen(() => new Promise(() => {}));
  const socket = open().resume();
  const closed = once(socket, 'close');
  // Each by itself, because Node drops what comes behind it in the same bytes.
  for (let sent = 0; sent < bound; sent++) {
    socket.write(ask(sent, 'connection: upgrade\r\nupgrade: h2c\r\n'));
    await expect.poll(() => seen.received.length, { interval: 1 }).toBe(sent + 1);
  }
  await closed;
});

test('a module that connects behind many requests is let through with what it sent', async () => {
  const { open, server } = await listen();
  const told = new Promise((resolve) => {
    server.on('upgrade', ({ url }, _socket, head: Buffer) => resolve([url, head.toString()]));
  });
  const upgrade = 'GET /relay HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\nhello';
  open()
    .resume()
    .write(
      `${numbers(100)
        .map((number) => ask(number))
        .join('')}${upgrade}`,
    );
  expect(await told).toEqual(['/relay', 'hello']);
});
