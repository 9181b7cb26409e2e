import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createAddressGuard } from './address-guard.ts';
import type { AddressGuard } from './address-guard.ts';
import { postGuarded } from './post-guarded.ts';

const servers: Server[] = [];

async function listen(answer: RequestListener, host = '127.0.0.1', port = 0): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

const loopback = createAddressGuard({ allow: ['127.0.0.0/8'] });
const post = (port: number, options: Partial<Parameters<typeof postGuarded>[0]> = {}) =>
  postGuarded({
    guard: loopback,
    url: `http://127.0.0.1:${port}/hook`,
    headers: { 'content-type': 'text/plain' },
    body: 'höre',
    timeoutMs: 5_000,
    ...options,
  });

it('a body arrives and its answer comes back', async () => {
  const port = await listen((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      response.writeHead(429, { 'retry-after': '7' });
      response.end(`${request.method} ${request.url} ${request.headers['content-type']} ${body}`);
    });
  });
  expect(await post(port)).toEqual({
    status: 429,
    retryAfter: '7',
    type: '',
    text: 'POST /hook text/plain höre',
  });
});

it('a name that changes its answer after the check is still the checked address', async () => {
  const seen: string[] = [];
  const port = await listen((_request, response) => response.end(seen.push('checked').toString()));
  await listen((_request, response) => response.end(seen.push('changed').toString()), '127.0.0.2', port);
  const answers = ['127.0.0.1', '127.0.0.2', '127.0.0.2'];
  const guard = createAddressGuard({
    allow: ['127.0.0.1'],
    lookup: async () => [{ address: answers.shift() ?? '', family: 4 }],
  });
  expect((await post(port, { guard, url: `http://rebound.example:${port}/` })).status).toBe(200);
  expect(seen).toEqual(['checked']);
  await expect(post(port, { guard, url: `http://rebound.example:${port}/` })).rejects.toMatchObject({
    failure: 'address_refused',
  });
  expect(seen).toEqual(['checked']);
});

it('a refused address gets no connection', async () => {
  let connections = 0;
  const port = await listen(() => {});
  servers[0]?.on('connection', () => (connections += 1));
  const guard = createAddressGuard({ allow: [] });
  for (const host of ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '0.0.0.0']) {
    await expect(post(port, { guard, url: `http://${host}:${port}/` })).rejects.toMatchObject({
      failure: 'address_refused',
    });
  }
  expect(connections).toBe(0);
});

it('plain http is refused on the internet', async () => {
  const guard = createAddressGuard({ allow: [], lookup: async () => [{ address: '8.8.8.8', family: 4 }] });
  await expect(post(80, { guard, url: 'http://hooks.example/' })).rejects.toMatchObject({
    failure: 'https_required',
  });
});

it('https is spoken with hosts on the internet', async () => {
  const port = await listen(() => {});
  const guard: AddressGuard = {
    permits: () => true,
    resolve: async (host) => ({
      host,
      addresses: [{ address: '127.0.0.1', family: 4 }],
      isAllowedRange: false,
    }),
  };
  // The server speaks plain http, so that a handshake is what fails.
  await expect(post(port, { guard, url: `https://hooks.example:${port}/` })).rejects.toMatchObject({
    failure: 'unreachable',
    message: expect.stringMatching(/SSL|EPROTO/),
  });
});

it('a redirect is not followed', async () => {
  const paths: (string | undefined)[] = [];
  const port = await listen((request, response) => {
    paths.push(request.url);
    response.writeHead(307, { location: '/elsewhere' }).end('moved');
  });
  expect(await post(port)).toMatchObject({ status: 307, text: 'moved' });
  expect(paths).toEqual(['/hook']);
});

it('4 KB of an answer are read, and the rest is hung up on', async () => {
  let hungUp: () => void;
  const closed = new Promise<void>((resolve) => (hungUp = resolve));
  const port = await listen((_request, response) => {
    const timer = setInterval(() => response.write('x'.repeat(3_000)), 1);
    response.on('close', () => {
      clearInterval(timer);
      hungUp();
    });
  });
  expect((await post(port)).text).toBe('x'.repeat(4_096));
  await closed;
});

it('an answer of exactly 4 KB is not waited on', async () => {
  const port = await listen((_request, response) => void response.write('x'.repeat(4_096)));
  expect((await post(port)).text).toBe('x'.repeat(4_096));
});

it.each([
  ['silent', () => {}],
  ['endless', (_request, response) => setInterval(() => response.write('.'), 5).unref()],
] as [string, RequestListener][])('a receiver that is %s ends at the deadline', async (_name, answer) => {
  const port = await listen(answer);
  await expect(post(port, { timeoutMs: 100 })).rejects.toMatchObject({
    failure: 'timed_out',
    message: 'no answer within 0.1 s',
  });
});

it.each<[string, (socket: Socket) => void, string]>([
  ['hangs up', (socket) => socket.destroy(), 'no connection (ECONNRESET)'],
  [
    'switches protocols',
    (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    'no connection',
  ],
])(
  'a receiver that %s in place of an answer has none',
  { timeout: 3_000 },
  async (_name, answer, message) => {
    const port = await listen(({ socket }) => answer(socket));
    await expect(post(port, { timeoutMs: 1_000 })).rejects.toMatchObject({ failure: 'unreachable', message });
  },
);

it('a receiver that is not there is named by the code alone', async () => {
  const port = await listen(() => {});
  await new Promise((resolve) => servers.pop()?.close(resolve));
  await expect(post(port)).rejects.toMatchObject({
    failure: 'unreachable',
    message: 'no connection (ECONNREFUSED)',
  });
});
