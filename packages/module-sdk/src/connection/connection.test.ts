// oxlint-disable max-lines -- It tells one life of a connection.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startRelay } from '../../test/relay-server.ts';
import type { RelayServer } from '../../test/relay-server.ts';
import { makeModule, paired, world } from '../../test/fixtures.ts';
import { memoryStorage } from '../index.ts';
import type { ModuleOptions, ModuleStatus, TabletopModule } from '../index.ts';

let relay: RelayServer;
let module: TabletopModule;
let statuses: ModuleStatus[];

beforeEach(async () => void (relay = await startRelay()));
afterEach(async () => {
  module.close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
  await relay.close();
});

function make(options: Partial<ModuleOptions> = {}) {
  const made = makeModule(relay.url, options);
  ({ module, statuses } = made);
  return made;
}

const states = () => statuses.map(({ state }) => state);
const waiting = () =>
  vi.waitUntil(() => (module.status.state === 'waiting' ? module.status : undefined), { timeout: 15_000 });

test('connecting says which world it is, and the token in the first frame only', async () => {
  make();
  await module.connect();
  const peer = await relay.nextPeer();
  expect(peer.url.pathname).toBe('/relay');
  expect(Object.fromEntries(peer.url.searchParams)).toEqual({ id: 'client-1', ...world });
  expect(peer.token).toBe('trc_token');
  expect(states()).toEqual(['connecting', 'connected']);
  expect(module.status).toEqual({ state: 'connected', clientId: 'client-1', instanceId: 'one' });
});

test('a platform without WebSocket is told which option to give', () => {
  vi.stubGlobal('WebSocket', undefined);
  expect(() => make()).toThrow(/has no WebSocket; give one as the option/);
});

test('connecting twice opens one socket', async () => {
  make();
  await Promise.all([module.connect(), module.connect()]);
  await module.connect();
  expect(relay.peers).toHaveLength(1);
});

test('without a token nothing is tried', async () => {
  make({ storage: memoryStorage({ clientId: 'c', pairedRelayUrl: relay.url }) });
  await expect(module.connect()).rejects.toMatchObject({ code: 'not_paired' });
  expect(states()).toEqual(['connecting', 'unpaired']);
});

test('ws:// to another machine is refused, unless allowed', async () => {
  const WebSocket = vi.fn<(url: string) => void>();
  make({ storage: paired('ws://10.0.0.5'), WebSocket: WebSocket as never });
  await expect(module.connect()).rejects.toMatchObject({ code: 'insecure_url' });
  expect(module.status).toMatchObject({ state: 'closed', code: 'insecure_url' });
  expect(WebSocket).not.toHaveBeenCalled();
  make({ storage: paired('ws://10.0.0.5'), WebSocket: WebSocket as never, allowInsecure: true });
  void module.connect();
  await vi.waitUntil(() => WebSocket.mock.calls.length > 0, 10_000);
});

test('close before the connection stands rejects who waits for it', async () => {
  make();
  relay.admit = () => 'nothing';
  const connected = module.connect();
  await relay.nextPeer();
  module.close();
  await expect(connected).rejects.toMatchObject({ code: 'closed' });
});

describe('a socket closed by the relay', () => {
  test.each([
    [1000, 'closed'],
    [1001, 'waiting'],
    [1003, 'waiting'],
    [1009, 'waiting'],
    [1011, 'waiting'],
    [1012, 'waiting'],
    [1013, 'waiting'],
    [4000, 'waiting'],
    [4001, 'waiting'],
    [4002, 'unpaired'],
    [4003, 'waiting'],
    [4004, 'waiting'],
    [4999, 'waiting'],
  ])('with %i leads to %s; only 4002 loses the token', async (code, state) => {
    const storage = paired(relay.url);
    make({ storage, random: () => 0.999 });
    await module.connect();
    (await relay.nextPeer()).socket.close(code);
    await vi.waitUntil(() => module.status.state === state, 10_000);
    expect(await storage.load()).toEqual({
      clientId: 'client-1',
      pairedRelayUrl: relay.url,
      connectionToken: code === 4002 ? undefined : 'trc_token',
    });
    expect(statuses.at(-1)).toMatchObject(state === 'waiting' ? { state, closeCode: code } : { state });
  });

  test('with 4004 is tried again after 30 s', async () => {
    make();
    relay.admit = () => 4004;
    const before = Date.now();
    void module.connect();
    const { retryAt } = await waiting();
    expect(retryAt - before).toBeGreaterThanOrEqual(30_000);
    expect(retryAt - Date.now()).toBeLessThanOrEqual(30_000);
  });

  test('backs off further each time, by the injected jitter', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    make({ random: () => 0.001 });
    relay.admit = () => (relay.peers.length > 6 ? 'welcome' : 4000);
    await module.connect();
    const waits = statuses.map((status) => (status.state === 'waiting' ? status.retryAt - Date.now() : 0));
    expect(waits.filter((wait) => wait > 0)).toEqual([1, 2, 4, 8, 16, 30]);
  });

  test.each([
    [60_000, 1],
    [59_000, 16],
  ])('after %i ms of connection waits up to %i s', async (heldMs, bound) => {
    const now = vi.spyOn(performance, 'now');
    make({ random: () => (relay.peers.length > 4 ? 0.999 : 0) });
    relay.admit = () => (relay.peers.length > 4 ? 'welcome' : 4000);
    await module.connect();
    now.mockReturnValue(performance.now() + heldMs);
    relay.peers.at(-1)?.socket.close(1011);
    const { retryAt } = await waiting();
    expect(Math.ceil((retryAt - Date.now()) / 1_000)).toBe(bound);
  });

  test('that another tab has paired anew keeps the new token and uses it', async () => {
    const storage = paired(relay.url);
    make({ storage });
    relay.admit = ({ token }) => {
      if (token === 'trc_new') return 'welcome';
      void storage.save({ connectionToken: 'trc_new' });
      return 4002;
    };
    await module.connect();
    expect((await storage.load()).connectionToken).toBe('trc_new');
  });
});

test('a relay that is away is tried until it is back', async () => {
  const { url } = relay;
  await relay.close();
  make({ random: () => 0.001 });
  const connected = module.connect();
  await vi.waitUntil(() => states().filter((state) => state === 'waiting').length >= 3, 10_000);
  relay = await startRelay(Number(new URL(url).port));
  await expect(connected).resolves.toBeUndefined();
});

test('a storage that fails is tried again', async () => {
  let loads = 0;
  const storage = paired(relay.url);
  const { errors } = make({
    storage: {
      ...storage,
      load() {
        loads += 1;
        if (loads < 3) throw new Error('locked');
        return storage.load();
      },
    },
  });
  await module.connect();
  expect(errors).toHaveLength(2);
});

test('a socket that falls silent is dropped and replaced', async () => {
  relay.heartbeatMs = 100;
  make();
  await module.connect();
  const peer = await relay.nextPeer();
  await relay.nextPeer();
  expect(peer.received).toEqual([{ type: 'ping' }]);
});

test('a socket that answers pings is kept', async () => {
  relay.heartbeatMs = 100;
  make();
  await module.connect();
  const peer = await relay.nextPeer();
  peer.socket.on('message', () => peer.send({ type: 'pong' }));
  await vi.waitUntil(() => peer.received.length >= 6, { timeout: 15_000 });
  expect(relay.peers).toHaveLength(1);
});

test('a relay that holds the socket before it lets the module in is waited for, longer than it holds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  make();
  relay.admit = () => 'nothing';
  const connected = module.connect();
  const peer = await relay.nextPeer();
  vi.advanceTimersByTime(65_000);
  peer.send({ type: 'auth-success', clientId: 'client-1', instanceId: 'one', heartbeatMs: 20_000 });
  await connected;
  expect(states()).toEqual(['connecting', 'connected']);
});

test.each(['online', 'visibilitychange', 'resume', 'pageshow'])(
  'a page that wakes by %s tries at once',
  async (event) => {
    const page = new EventTarget();
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
    const removed = vi.spyOn(page, 'removeEventListener');
    vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
    make();
    relay.admit = () => (relay.peers.length > 1 ? 'welcome' : 4004);
    const connected = module.connect();
    await waiting();
    page.dispatchEvent(new Event(event));
    await connected;
    module.close();
    expect(removed).toHaveBeenCalledWith(event, expect.any(Function));
    page.dispatchEvent(new Event(event));
    expect(module.status.state).toBe('closed');
  },
);

describe('an instance that goes away', () => {
  const handlers: ModuleOptions['handlers'] = { players: () => ({ users: [] }) };

  test('is left for a second socket, while the first answers what it was asked', async () => {
    const finish = Promise.withResolvers<void>();
    make({ handlers: { players: () => finish.promise.then(() => ({ users: [] })) } });
    await module.connect();
    const first = await relay.nextPeer();
    first.send({ type: 'players', requestId: 'running' });
    first.send({ type: 'reconnect', afterMs: 10 });
    const second = await relay.nextPeer();
    await vi.waitUntil(() => states().filter((state) => state === 'connected').length === 2, 10_000);
    expect(first.socket.readyState).toBe(first.socket.OPEN);
    finish.resolve();
    await first.frame({ requestId: 'running' });
    first.socket.close(1012);
    module.notify('still here');
    await second.frame({ type: 'module-notify' });
    expect(states()).toEqual(['connecting', 'connected', 'connected']);
  });

  test('and is lost while the way to the next is prepared is followed by that one alone', async () => {
    const storage = paired(relay.url);
    const next = Promise.withResolvers<void>();
    const load = vi.fn<typeof storage.load>(() => storage.load());
    make({ handlers, storage: { ...storage, load } });
    await module.connect();
    load.mockImplementation(() => next.promise.then(() => storage.load()));
    const first = await relay.nextPeer();
    first.send({ type: 'reconnect', afterMs: 0 });
    await vi.waitUntil(() => load.mock.calls.length === 2, 10_000);
    first.send({ type: 'reconnect', afterMs: 0 });
    first.socket.close(1012);
    await vi.waitUntil(() => module.status.state !== 'connected', 10_000);
    next.resolve();
    await relay.nextPeer();
    await vi.waitUntil(() => module.status.state === 'connected', 10_000);
    expect(states()).toEqual(['connecting', 'connected', 'connecting', 'connected']);
    expect(load).toHaveBeenCalledTimes(2);
  });

  test('and closes at once is come back to when it said', async () => {
    make({ handlers, random: () => 0.999 });
    await module.connect();
    const first = await relay.nextPeer();
    const before = Date.now();
    first.send({ type: 'reconnect', afterMs: 5_000 });
    first.socket.close(1012);
    const { retryAt } = await waiting();
    expect(retryAt - before).toBeGreaterThanOrEqual(5_000);
    expect(retryAt - Date.now()).toBeLessThanOrEqual(5_000);
  });

  test('and still holds the claim is asked again soon', async () => {
    make({ handlers });
    relay.admit = () => (relay.peers.length === 2 ? 4004 : 'welcome');
    await module.connect();
    const first = await relay.nextPeer();
    first.send({ type: 'reconnect', afterMs: 0 });
    await relay.nextPeer();
    await relay.nextPeer();
    expect(states()).not.toContain('waiting');
    expect(first.socket.readyState).toBe(first.socket.OPEN);
  });
});

test.each(['listeners', 'status'])('closing within a %s callback closes for good', async (which) => {
  const seen = vi.fn<() => void>();
  const closeOn = (now: boolean) => {
    if (!now) return;
    seen();
    module.close();
  };
  make({
    onStatus: ({ state }) => closeOn(which === 'status' && state === 'waiting'),
    onListeners: (_, count) => closeOn(which === 'listeners' && count === 0),
  });
  await module.connect();
  const peer = await relay.nextPeer();
  peer.send({ type: 'event-subscription-update', channel: 'hooks', count: 1 });
  await vi.waitUntil(() => module.listeners('hooks') === 1, 10_000);
  peer.socket.terminate();
  await vi.waitUntil(() => module.status.state === 'closed', 10_000);
  await expect(module.connect()).resolves.toBeUndefined();
  expect(seen).toHaveBeenCalledOnce();
  expect(relay.peers).toHaveLength(2);
});

test('a status callback that throws is reported and changes nothing', async () => {
  const { errors } = make({
    onStatus() {
      throw new Error('callback');
    },
  });
  await module.connect();
  expect(errors).toHaveLength(2);
});
