import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RelayError } from '../src/index.ts';
import type { ModuleStatus, TabletopModule } from '../src/index.ts';
import { makeModule } from './fixtures.ts';
import { startRelay } from './relay-server.ts';
import type { Peer, RelayServer } from './relay-server.ts';

let relay: RelayServer;
let module: TabletopModule;
let statuses: ModuleStatus[];
const serving: boolean[] = [];

beforeEach(async () => {
  relay = await startRelay();
  relay.admit = () => 'nothing';
  serving.length = 0;
  ({ module, statuses } = makeModule(relay.url, {
    standby: true,
    onServing: (isServing) => serving.push(isServing),
  }));
});
afterEach(async () => {
  module.close();
  await relay.close();
});

const states = () => statuses.map(({ state }) => state);
const hello = { instanceId: 'one', clientId: 'client-1', heartbeatMs: 20_000 };
const welcome = (peer: Peer, more: object = {}) => peer.send({ type: 'auth-success', ...hello, ...more });

async function wait(more: object = {}): Promise<Peer> {
  const connected = module.connect();
  const peer = await relay.nextPeer();
  peer.send({ type: 'standby', ...hello, ...more });
  await connected;
  return peer;
}

test('a browser that waits serves nothing, and serves when the relay lets it', async () => {
  const peer = await wait();
  expect([peer.standby, module.status]).toEqual([
    true,
    { state: 'standby', instanceId: 'one', clientId: 'client-1' },
  ]);
  expect([module.notify('x'), serving]).toEqual([false, []]);
  await expect(module.knownClients()).rejects.toMatchObject({ code: 'not_connected' });
  welcome(peer);
  await vi.waitUntil(() => module.status.state === 'connected', 10_000);
  expect([serving, module.notify('x')]).toEqual([[true], true]);
  peer.socket.terminate();
  await vi.waitUntil(() => serving.length === 2, 10_000);
  expect([serving, states().slice(0, 3)]).toEqual([
    [true, false],
    ['connecting', 'standby', 'connected'],
  ]);
});

test('its line is kept up while it waits, and opened anew when it ends', async () => {
  const peer = await wait({ heartbeatMs: 100 });
  await peer.frame({ type: 'ping' });
  peer.socket.close(1012);
  expect((await relay.nextPeer()).standby).toBe(true);
  expect(serving).toEqual([]);
});

test('it serves when a person says so, and hears why it may not', async () => {
  const peer = await wait();
  const refused = module.serve();
  const { requestId } = await peer.frame({ type: 'serve' });
  peer.send({ type: 'error', requestId, code: 'rate_limited', message: 'later' });
  await expect(refused).rejects.toMatchObject(new RelayError('rate_limited', 'later'));
  const served = module.serve();
  await vi.waitUntil(() => peer.received.length === 2, 10_000);
  welcome(peer, { requestId: peer.received[1]?.['requestId'] });
  await served;
  expect(module.status.state).toBe('connected');
  await module.serve();
  expect(peer.received).toHaveLength(2);
});

test('a module that does not say so does not wait', async () => {
  const { module: other } = makeModule(relay.url);
  void other.connect().catch(() => undefined);
  expect((await relay.nextPeer()).standby).toBeUndefined();
  other.close();
});
