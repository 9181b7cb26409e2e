import { operations } from '@tabletop-relay/contract';
import { waitFor } from '@tabletop-relay/testing';
import { call, createAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { headOf, openRaw } from '../raw-connection.ts';
import type { RawConnection } from '../raw-connection.ts';

const maxBodyBytes = 200_000;
const maxPendingBodyBytes = 800_000;

let cluster: TestInstances;
let url: string;
let key: string;
let keyWithoutScope: string;

beforeAll(async () => {
  cluster = await startInstances({ config: { maxBodyBytes, maxPendingBodyBytes, limitPair: '1 per 1 h' } });
  [{ url }] = cluster.instances;
  const account = await createAccount(url);
  key = await account.createKey();
  keyWithoutScope = await account.createKey({ scopes: ['clients:read'] });
});
afterAll(() => cluster.stop());

const announced = { 'content-length': maxBodyBytes };

/** The status that a request gets of whose body nothing is sent. */
async function statusWithoutBody(
  method: string,
  path: string,
  headers: Record<string, string | number> = {},
): Promise<number> {
  const connection = openRaw(url);
  connection.socket.write(headOf(method, path, { ...announced, ...headers }));
  const status = await connection.status();
  connection.socket.destroy();
  return status;
}

describe('before its body is read', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'a %s to an unknown path is answered with 404',
    async (method) => {
      expect(await statusWithoutBody(method, '/nothing')).toBe(404);
      expect(await statusWithoutBody(method, '/auth/nothing')).toBe(404);
      expect(await statusWithoutBody(method, '/nothing', { 'content-type': 'text/x' })).toBe(404);
    },
  );

  it('a method that a path does not take is answered with 405', async () => {
    expect(await statusWithoutBody('POST', '/players')).toBe(405);
    expect(await statusWithoutBody('PUT', '/auth/login')).toBe(405);
  });

  it('every call without a right credential is answered, on every route that takes one', async () => {
    const { body } = await call(url, 'GET', '/openapi.json');
    const paths = body['paths'] as Record<string, Record<string, { security?: Record<string, unknown>[] }>>;
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method, { security }]) => method !== 'get' && security)
        .map(([method]) => [method.toUpperCase(), path.replaceAll(/\{\w+}/g, 'x')] as const),
    );
    expect(routes.length).toBeGreaterThan(30);
    const answers = await Promise.all(
      routes.map(async ([method, path]) => [method, path, await statusWithoutBody(method, path)]),
    );
    expect(answers.filter(([, , status]) => status !== 401)).toEqual([]);
  });

  const withBodies = operations.filter(({ method }) => method !== 'GET');

  it.each(withBodies)('$method $path is refused to a key that lacks its scope', async ({ method, path }) => {
    const headers = { 'x-api-key': keyWithoutScope };
    expect(await statusWithoutBody(method, path.replaceAll(/:\w+/g, 'x'), headers)).toBe(403);
    expect(await statusWithoutBody(method, `${path}?clientId=nobody`, headers)).toBe(403);
  });

  it.each(withBodies)('$method $path is refused for a world that nobody has', async ({ method, path }) => {
    expect(await statusWithoutBody(method, `${path}?clientId=nobody`, { 'x-api-key': key })).toBe(404);
    const named = { 'x-api-key': key, 'x-client-id': 'nobody' };
    expect(await statusWithoutBody(method, path, named)).toBe(404);
    expect(await statusWithoutBody(method, `${path}?clientId=another`, named)).toBe(400);
  });

  it('a world that a key may not reach is refused, however short the body', async () => {
    const account = await createAccount(url);
    const { clientId } = await account.pair();
    const bound = await account.createKey({ clientIds: [clientId] });
    const headers = { 'x-api-key': bound, 'content-length': 100 };
    expect(await statusWithoutBody('POST', '/upload?clientId=nobody', headers)).toBe(404);
  });

  it('a limit per address that is spent is answered with 429', async () => {
    await call(url, 'POST', '/auth/pair', { body: { code: 'x', worldId: 'x' } });
    expect(await statusWithoutBody('POST', '/auth/pair', { 'content-length': 1000 })).toBe(429);
  });

  it('a body that is too long for an account route is refused, whatever other routes take', async () => {
    expect(await statusWithoutBody('POST', '/auth/login', { 'content-length': 65_537 })).toBe(413);
    expect(await statusWithoutBody('POST', '/sys5e/skill-check', { 'x-api-key': key, 'content-length': maxBodyBytes + 1 })).toBe(413); // prettier-ignore
  });
});

describe('a client that is answered before its body is read', () => {
  it.each([20_000, maxBodyBytes, 4 * maxBodyBytes])(
    'and sends all of its %i bytes before it reads finds its answer',
    async (bytes) => {
      const { socket, status } = openRaw(url);
      socket.pause();
      socket.write(headOf('POST', '/nothing', { 'content-length': bytes }));
      // Until the relay has taken what it takes.
      await new Promise<void>((sent) =>
        socket.write(Buffer.alloc(Math.min(bytes, maxBodyBytes)), () => sent()),
      );
      socket.resume();
      expect(await status()).toBe(404);
      socket.destroy();
    },
  );

  it.each([
    ['announced', { 'content-length': 1e9 }],
    ['chunked', { 'transfer-encoding': 'chunked' }],
  ])('and goes on sending is cut off (%s)', async (_name, headers) => {
    for (const method of ['POST', 'GET']) {
      const { socket, received, closed } = openRaw(url);
      socket.write(headOf(method, '/livez', headers));
      const chunk = Buffer.alloc(65_536, 'a');
      const frame = Buffer.concat([Buffer.from('10000\r\n'), chunk, Buffer.from('\r\n')]);
      let sent = 0;
      while (!socket.destroyed) {
        const hasRoom = socket.write('content-length' in headers ? chunk : frame);
        sent += chunk.length;
        if (!hasRoom) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
      }
      expect(received()).toMatch(method === 'GET' ? /^HTTP\/1.1 200/ : /^HTTP\/1.1 405/);
      // Beside what it was allowed lie some buffers of the system between the two.
      expect(sent).toBeLessThan(maxBodyBytes + 20_000_000);
    }
  });
});

describe('bodies that are not whole yet', () => {
  const open: RawConnection[] = [];
  /** Sends all but the last byte of a body, unless told how many. */
  const sendMost = (bytes: number, address: string, sent = bytes - 1): RawConnection => {
    const connection = openRaw(url, address);
    connection.socket.write(
      headOf('POST', '/sys5e/skill-check', { 'content-length': bytes, 'x-api-key': key }),
    );
    connection.socket.write(Buffer.alloc(sent, ' '));
    open.push(connection);
    return connection;
  };
  const whole = (connection: RawConnection) => {
    connection.socket.write(' ');
    return connection.status();
  };
  const closeAll = async () => {
    for (const { socket } of open) socket.destroy();
    await Promise.all(open.splice(0).map(({ closed }) => closed));
  };

  it('of one address take a quarter of the room: its slowest gives way with 503, and others find room', async () => {
    const slow = sendMost(90_000, '127.0.0.2', 30_000);
    const second = sendMost(90_000, '127.0.0.2');
    const third = sendMost(90_000, '127.0.0.2');
    expect(await slow.status()).toBe(503);
    expect(slow.received()).toMatch(/retry-after: \d/i);
    expect(slow.received()).not.toMatch(/connection: close/i);
    expect(slow.received()).toContain('"code":"overloaded"');
    const other = sendMost(150_000, '127.0.0.3');
    expect(await Promise.all([second, third, other].map(whole))).toEqual([400, 400, 400]);
    await closeAll();
  });

  it('of all addresses fill the room: a large body more is refused, a small one is not', async () => {
    const addresses = [2, 3, 4, 5].map((host) => `127.0.0.${host}`);
    const filled = addresses.flatMap((address) => [sendMost(90_000, address), sendMost(90_000, address)]);
    await waitFor(async () => {
      const late = openRaw(url, '127.0.0.6');
      late.socket.write(
        headOf('POST', '/sys5e/skill-check', { 'content-length': 190_000, 'x-api-key': key }),
      );
      const isRefused = await Promise.race([
        late.status().then((status) => status === 503),
        new Promise<boolean>((resolve) => setTimeout(resolve, 50, false)),
      ]);
      late.socket.destroy();
      return isRefused;
    });
    const small = await call(url, 'POST', '/sys5e/skill-check', { body: {}, headers: { 'x-api-key': key } });
    expect(small.status).toBe(400);
    expect(await Promise.all(filled.map(whole))).toEqual(filled.map(() => 400));
    await closeAll();
  });

  it('give their room back when they are whole, refused or gone', async () => {
    for (let round = 0; round < 5; round++) {
      const gone = sendMost(180_000, '127.0.0.2');
      await waitFor(() => gone.socket.writableLength === 0);
      await closeAll();
      await waitFor(async () => (await whole(sendMost(180_000, '127.0.0.2'))) === 400);
      const bodies = [3, 4, 5].map((host) => sendMost(180_000, `127.0.0.${host}`));
      expect(await Promise.all(bodies.map(whole))).toEqual([400, 400, 400]);
      await closeAll();
    }
  });
});
