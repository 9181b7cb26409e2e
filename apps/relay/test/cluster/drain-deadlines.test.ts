import Fastify from 'fastify';
import { once } from 'node:events';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { createDrain } from '../../src/drain.ts';
import type { DrainDeps } from '../../src/drain.ts';
import type { ClientSocket } from '../../src/sockets/client-socket.ts';

afterEach(() => void vi.useRealTimers());

const seconds = 1_000;
const config = { drainWaitMs: 0, drainSpreadMs: 30_000, drainGraceMs: 5_000, callTimeoutMs: 10_000 };

type Socket = Pick<ClientSocket, 'conn' | 'identity' | 'startLeaving' | 'send'>;

/** An instance that drains, with one call through it that waits for a world of another instance. Its time passes as told. */
async function startDrain(sockets: readonly Socket[] = []) {
  const asked = Promise.withResolvers<void>();
  const world = Promise.withResolvers<string>();
  const app = Fastify();
  let owed = 0;
  app.decorate('answersOwed', () => owed);
  app.server.on('request', (_request, response) => {
    owed++;
    response.once('close', () => owed--);
  });
  app.get('/', () => {
    asked.resolve();
    return world.promise;
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const done = { flush: async () => {}, stop: async () => {} };
  const drain = createDrain({
    draining: new AbortController(),
    app,
    clients: { size: 0, all: () => sockets.values() },
    streams: { endAll: () => {} },
    callers: { letGo: async () => {} },
    cluster: { ...done, directory: { offer: async () => {} } },
    leaving: { waiting: 0 },
    standbys: { sockets: { all: () => [] }, remove: () => {} },
    connectionLog: { flush: () => {}, left: () => {} },
    remoteRequests: { flush: () => {} },
    feed: done,
    records: done,
    callLog: done,
    lastSeen: done,
    keyUse: done,
    quotas: done,
    reports: done,
    config,
    log: pino({ level: 'silent' }),
  } as unknown as DrainDeps);
  const call = once(get({ port, agent: false }), 'response').then(
    ([response]: IncomingMessage[]) => response?.statusCode,
    ({ code }: NodeJS.ErrnoException) => code,
  );
  await asked.promise;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  const state = { isDone: false };
  const drained = drain.run().then(() => (state.isDone = true));
  const accepts = () => {
    const socket = connect(port, '127.0.0.1');
    return once(socket, 'connect')
      .then(() => true)
      .catch(() => false)
      .finally(() => socket.destroy());
  };
  return { call, world, drained, state, accepts };
}

test('a call to a world of another instance has its whole time', async () => {
  const { call, world, drained } = await startDrain();
  await vi.advanceTimersByTimeAsync(45 * seconds);
  world.resolve('late');
  expect(await call).toBe(200);
  await vi.advanceTimersByTimeAsync(seconds);
  await drained;
});

test('a request that is never answered holds up the drain for the longest time of a call', async () => {
  const { call, state } = await startDrain();
  await vi.advanceTimersByTimeAsync(45 * seconds);
  expect(state.isDone).toBe(false);
  await vi.advanceTimersByTimeAsync(1.1 * seconds);
  expect(await call).toBe('ECONNRESET');
  await vi.waitFor(() => expect(state.isDone).toBe(true));
});

test('HTTP listens as long as a socket may take calls, and its last calls have their time beside those of the sockets', async () => {
  const closed = Promise.withResolvers<'closed'>();
  const socket = {
    conn: 'conn',
    identity: { clientId: 'client' } as Socket['identity'],
    startLeaving: () => closed.promise,
    send: () => {},
  };
  const { call, state, accepts } = await startDrain([socket]);
  await vi.advanceTimersByTimeAsync(35.9 * seconds);
  expect(await accepts()).toBe(true);
  await vi.advanceTimersByTimeAsync(0.2 * seconds);
  expect(await accepts()).toBe(false);
  await vi.advanceTimersByTimeAsync(44.9 * seconds);
  closed.resolve('closed');
  await vi.advanceTimersByTimeAsync(0.5 * seconds);
  expect(state.isDone).toBe(false);
  await vi.advanceTimersByTimeAsync(0.6 * seconds);
  expect(await call).toBe('ECONNRESET');
  await vi.waitFor(() => expect(state.isDone).toBe(true));
});
