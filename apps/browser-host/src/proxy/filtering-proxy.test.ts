import { createAddressGuard } from '@tabletop-relay/outbound';
import type { LookupAll } from '@tabletop-relay/outbound';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders, Server } from 'node:http';
import { connect, createServer as createTcpServer, Server as NetServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startFilteringProxy } from './filtering-proxy.ts';
import type { FilteringProxy } from './filtering-proxy.ts';

let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((asked, response) => {
    if (asked.url === '/away') return response.writeHead(302, { location: 'http://private.example/' }).end();
    if (asked.url === '/headers') return response.end(JSON.stringify(asked.headers));
    return response.end(`${asked.headers.host} ${asked.url}`);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => server.close());

async function startProxy(lookup: LookupAll, allow: string[] = []): Promise<FilteringProxy> {
  return await startFilteringProxy({ guard: createAddressGuard({ allow, lookup }) });
}

const local: LookupAll = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);

function get(
  proxy: FilteringProxy,
  url: string,
  headers: OutgoingHttpHeaders = {},
): Promise<{ status: number; text: string }> {
  const { hostname, port: proxyPort } = new URL(proxy.url);
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const asked = request({
    host: hostname,
    port: proxyPort,
    path: url,
    headers: { host: new URL(url).host, ...headers },
  });
  asked.once('response', (response: IncomingMessage) => {
    let text = '';
    response.on('data', (chunk: Buffer) => (text += chunk.toString()));
    response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
  });
  asked.once('error', reject).end();
  return promise;
}

/** The status of the tunnel, and what a request through it answers. */
function tunnel(proxy: FilteringProxy, target: string): Promise<{ status: number; text: string }> {
  const { hostname, port: proxyPort } = new URL(proxy.url);
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const asked = request({ host: hostname, port: proxyPort, method: 'CONNECT', path: target });
  asked.once('connect', (response: IncomingMessage, socket: Socket) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.once('close', () => resolve({ status: response.statusCode ?? 0, text }));
    socket.write('GET /through HTTP/1.0\r\nhost: far.example\r\n\r\n');
  });
  asked.once('error', reject).end();
  return promise;
}

it('a host whose addresses are allowed is reached, by request and by tunnel', async () => {
  const proxy = await startProxy(local, ['127.0.0.0/8']);
  expect(await get(proxy, `http://world.example:${port}/a?b=c`)).toEqual({
    status: 200,
    text: `world.example:${port} /a?b=c`,
  });
  const through = await tunnel(proxy, `world.example:${port}`);
  expect([through.status, through.text]).toEqual([200, expect.stringContaining('far.example /through')]);
  expect(proxy.refusals()).toEqual([]);
  await proxy.close();
});

it.each(['private.example', '127.0.0.1', '[::1]', 'localhost', '2130706433', '169.254.169.254'])(
  '%s is refused, by request and by tunnel, and it is told why',
  async (host) => {
    const proxy = await startProxy(() => Promise.resolve([{ address: '10.0.0.1', family: 4 }]));
    expect((await get(proxy, `http://${host}:${port}/`)).status).toBe(403);
    expect((await tunnel(proxy, `${host}:${port}`)).status).toBe(403);
    expect(proxy.refusals()).toEqual([expect.stringContaining('not public')]);
    await proxy.close();
  },
);

it('what a browser tells its proxy alone goes no further, and all else does', async () => {
  const proxy = await startProxy(local, ['127.0.0.0/8']);
  const asked = { 'proxy-authorization': 'Basic a', 'proxy-connection': 'keep-alive', 'x-other': '1' };
  const { text } = await get(proxy, `http://world.example:${port}/headers`, asked);
  const { host, connection: _own, ...passed } = JSON.parse(text) as Record<string, unknown>;
  expect([host, passed]).toEqual([`world.example:${port}`, { 'x-other': '1' }]);
  await proxy.close();
});

it('a written-out address of IPv6 is reached, by request and by tunnel', async () => {
  const other = createServer((_asked, response) => response.end('the other'));
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.2', resolve));
  const { port: otherPort } = other.address() as AddressInfo;
  const checked = await startProxy(local, ['127.0.0.0/8']);
  const allowed = await startProxy(local);
  // 127.0.0.2 as an address of IPv6.
  const host = `[::ffff:7f00:2]:${otherPort}`;
  allowed.allow(host);
  for (const proxy of [checked, allowed]) {
    expect(await get(proxy, `http://${host}/`)).toEqual({ status: 200, text: 'the other' });
    expect((await tunnel(proxy, host)).text).toContain('the other');
    await proxy.close();
  }
  await new Promise((resolve) => void other.close(resolve));
});

it('a request whose answer switches protocols ends for the page', { timeout: 3_000 }, async () => {
  const other = createTcpServer((socket) => {
    socket.on('error', () => socket.destroy()).resume();
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
  });
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
  const { port: otherPort } = other.address() as AddressInfo;
  const proxy = await startProxy(local, ['127.0.0.0/8']);
  expect((await get(proxy, `http://world.example:${otherPort}/`)).status).toBe(502);
  await proxy.close();
  await new Promise((resolve) => void other.close(resolve));
});

it('a tunnel ends for the page when its other end breaks off, and for the other end when the page does', async () => {
  const far: Socket[] = [];
  const other = createTcpServer((socket) => far.push(socket.on('error', () => socket.destroy()).resume()));
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
  const { port: otherPort } = other.address() as AddressInfo;
  const proxy = await startProxy(local, ['127.0.0.0/8']);
  const { hostname, port: proxyPort } = new URL(proxy.url);
  const open = async () => {
    const near = connect(Number(proxyPort), hostname).on('error', () => undefined);
    near.write(`CONNECT world.example:${otherPort} HTTP/1.1\r\nhost: world.example\r\n\r\n`);
    await once(near, 'data');
    await expect.poll(() => far.length).toBe(1);
    return { near: near.resume(), far: far.pop()! };
  };
  const first = await open();
  first.far.resetAndDestroy();
  await expect.poll(() => first.near.closed).toBe(true);
  const second = await open();
  second.near.resetAndDestroy();
  await expect.poll(() => second.far.closed).toBe(true);
  await proxy.close();
  await new Promise((resolve) => void other.close(resolve));
});

it('a name that leads elsewhere at its second look-up is refused then', async () => {
  const answers = ['127.0.0.1', '10.0.0.1'];
  const proxy = await startProxy(
    () => Promise.resolve([{ address: answers.shift() ?? '10.0.0.1', family: 4 }]),
    ['127.0.0.0/8'],
  );
  expect((await get(proxy, `http://rebinding.example:${port}/`)).status).toBe(200);
  expect((await get(proxy, `http://rebinding.example:${port}/`)).status).toBe(403);
  await proxy.close();
});

it('only the one host and port that was allowed by itself is reached without a look', async () => {
  const proxy = await startProxy(local);
  proxy.allow(`127.0.0.1:${port}`);
  expect((await get(proxy, `http://127.0.0.1:${port}/`)).status).toBe(200);
  expect((await get(proxy, `http://127.0.0.1:${port + 1}/`)).status).toBe(403);
  expect((await get(proxy, `http://127.0.0.2:${port}/`)).status).toBe(403);
  await proxy.close();
});

it('what is no request to a proxy is refused, and closing ends what is open', async () => {
  const proxy = await startProxy(local, ['127.0.0.0/8']);
  expect((await get(proxy, 'ftp://world.example/')).status).toBe(400);
  const open = tunnel(proxy, `world.example:${port}`);
  await open;
  await proxy.close();
  await expect(get(proxy, `http://world.example:${port}/`)).rejects.toThrow('ECONNREFUSED');
});

it('a page has so many connections and no more, tunnels counted, until it closes one', async () => {
  const guard = createAddressGuard({ allow: ['127.0.0.0/8'], lookup: local });
  const proxy = await startFilteringProxy({ guard, maxConnections: 2 });
  const { hostname, port: proxyPort } = new URL(proxy.url);
  const openOne = () =>
    new Promise<{ isOpen: boolean; socket: Socket }>((resolve) => {
      const socket = connect(Number(proxyPort), hostname);
      socket.write(`CONNECT world.example:${port} HTTP/1.1\r\nhost: world.example\r\n\r\n`);
      socket.once('data', () => resolve({ isOpen: true, socket }));
      socket.once('close', () => resolve({ isOpen: false, socket }));
      socket.on('error', () => socket.destroy());
    });
  const [first, second] = [await openOne(), await openOne()];
  expect([first.isOpen, second.isOpen, (await openOne()).isOpen]).toEqual([true, true, false]);
  first.socket.destroy();
  await expect.poll(async () => (await openOne()).isOpen).toBe(true);
  await proxy.close();
});

it('that gets no port rejects, and one that cannot accept a connection goes on', async () => {
  const failure = Object.assign(new Error('no files left'), { code: 'EMFILE' });
  const servers: Server[] = [];
  const listen = vi.spyOn(NetServer.prototype, 'listen').mockImplementation(function (this: NetServer) {
    process.nextTick(() => this.emit('error', failure));
    return this;
  });
  await expect(startProxy(local)).rejects.toThrow(failure);
  listen.mockRestore();
  const kept = vi.spyOn(NetServer.prototype, 'address').mockImplementationOnce(function (this: NetServer) {
    servers.push(this as Server);
    return { address: '127.0.0.1', family: 'IPv4', port: 1 };
  });
  const proxy = await startProxy(local);
  kept.mockRestore();
  servers[0]!.emit('error', failure);
  await proxy.close();
});
