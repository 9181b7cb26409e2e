import { afterEach, beforeEach, expect, test } from 'vitest';
import { startRelay } from '../../test/relay-server.ts';
import type { RelayServer } from '../../test/relay-server.ts';
import { makeModule, world } from '../../test/fixtures.ts';
import { PairingError, memoryStorage } from '../index.ts';

let relay: RelayServer;
let calls: { url: string | undefined; body: Record<string, unknown> }[];

beforeEach(async () => {
  relay = await startRelay();
  calls = [];
  answer(200, { token: 'trc_new', clientId: 'client-9', relayUrl: relay.url });
});
afterEach(() => relay.close());

function answer(status: number, body: unknown, headers: Record<string, string> = {}) {
  relay.http = (request, received, response) => {
    calls.push({ url: request.url, body: received });
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

test('pairing sends the code and the world, and stores what the relay gives', async () => {
  const storage = memoryStorage();
  const { module } = makeModule('', { storage, world: { ...world, serverFingerprint: 'f1' } });
  expect(await module.pair({ relayUrl: relay.url, code: ' ABC234 ' })).toEqual({
    clientId: 'client-9',
    relayUrl: relay.url,
  });
  expect(calls).toEqual([{ url: '/auth/pair', body: { code: 'ABC234', ...world, serverFingerprint: 'f1' } }]);
  expect(await storage.load()).toEqual({
    clientId: 'client-9',
    connectionToken: 'trc_new',
    pairedRelayUrl: relay.url,
  });
  await module.connect();
  expect((await relay.nextPeer()).token).toBe('trc_new');
  module.close();
});

test('pairing again brings the client id that the world has', async () => {
  const { module } = makeModule(relay.url);
  await module.pair({ code: 'ABC234' });
  expect(calls[0]?.body).toMatchObject({ existingClientId: 'client-1' });
});

test('an announced address that would be refused is not stored', async () => {
  answer(200, { token: 't', clientId: 'c', relayUrl: 'ws://10.1.1.1' });
  const { module } = makeModule(relay.url);
  expect((await module.pair({ code: 'ABC234' })).relayUrl).toBe(relay.url);
});

test.each([
  [429, { code: 'rate_limited', detail: 'Slow down' }, { 'retry-after': '30' }, 'rate_limited', 30_000],
  [410, { code: 'code_expired', detail: 'Too late' }, {}, 'code_expired', undefined],
  [502, '<html>', {}, 'bad_answer', undefined],
  [200, { hello: 'world' }, {}, 'bad_answer', undefined],
  [200, 'null', {}, 'bad_answer', undefined],
])('answer %i %j fails as a PairingError and changes nothing', async (status, body, headers, code, wait) => {
  answer(status, body, headers);
  const { module } = makeModule(relay.url);
  await module.connect();
  const error = await module.pair({ code: 'ABC234' }).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(PairingError);
  expect(error).toMatchObject({ code, status, retryAfterMs: wait });
  expect(module.status.state).toBe('connected');
  module.close();
});

test('the code is never sent unencrypted to another machine', async () => {
  const { module } = makeModule(relay.url, { fetch: () => expect.unreachable() });
  const refused = module.pair({ relayUrl: 'http://relay.example', code: 'ABC234' });
  await expect(refused).rejects.toMatchObject({ name: 'PairingError', code: 'insecure_url' });
});

test('a relay that cannot be reached is told apart', async () => {
  const { module } = makeModule(relay.url);
  await relay.close();
  await expect(module.pair({ code: 'ABC234' })).rejects.toMatchObject({ code: 'unreachable' });
});

test('unpairing deletes the token there and here, and keeps the client id', async () => {
  const storage = memoryStorage({ clientId: 'c', connectionToken: 'trc_old', pairedRelayUrl: relay.url });
  const { module } = makeModule(relay.url, { storage });
  await module.connect();
  expect(await module.unpair()).toBe(true);
  expect(calls).toEqual([{ url: '/api/self-unpair', body: { token: 'trc_old' } }]);
  expect(await storage.load()).toMatchObject({ clientId: 'c', connectionToken: undefined });
  expect(module.status).toEqual({ state: 'unpaired' });
});

test('unpairing forgets the token though the relay does not confirm, and says so', async () => {
  answer(503, {});
  const storage = memoryStorage({ clientId: 'c', connectionToken: 'trc_old', pairedRelayUrl: relay.url });
  const { module } = makeModule(relay.url, { storage });
  expect(await module.unpair()).toBe(false);
  expect((await storage.load()).connectionToken).toBeUndefined();
});
