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

test.each(['ws://10.1.1.1', 'no address', 7, null, undefined])(
  'where the relay announces %j, the address that was asked is stored',
  async (relayUrl) => {
    answer(200, { token: 't', clientId: 'c', relayUrl });
    const { module } = makeModule(relay.url);
    expect((await module.pair({ code: 'ABC234' })).relayUrl).toBe(relay.url);
  },
);

test.each([
  [429, { code: 'rate_limited', detail: 'Slow down' }, { 'retry-after': '30' }, 'rate_limited', 30_000],
  [410, { code: 'code_expired', detail: 'Too late' }, {}, 'code_expired', undefined],
  [410, { code: 7, detail: {} }, { 'retry-after': 'soon' }, 'bad_answer', undefined],
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

test.each([
  [
    { code: 'code_expired', detail: 'The code is too old. Make another.' },
    'The code is too old. Make another.',
  ],
  [{ code: 'code_expired' }, 'The relay answered 410'],
])('a person reads why the relay refused: %j', async (body, message) => {
  answer(410, body);
  const { module } = makeModule(relay.url);
  await expect(module.pair({ code: 'ABC234' })).rejects.toMatchObject({ message, detail: message });
});

test('where the relay announces another address, that is stored and connected to', async () => {
  const announced = 'wss://one.relay.example/eu';
  answer(200, { token: 't', clientId: 'c', relayUrl: announced });
  const storage = memoryStorage();
  const { module } = makeModule('', { storage });
  expect((await module.pair({ relayUrl: relay.url, code: 'ABC234' })).relayUrl).toBe(announced);
  expect((await storage.load()).pairedRelayUrl).toBe(announced);
});

test('pairing without an address of a relay asks for one', async () => {
  const { module } = makeModule('', { storage: memoryStorage(), fetch: () => expect.unreachable() });
  const refused = module.pair({ code: 'ABC234' });
  await expect(refused).rejects.toMatchObject({
    name: 'PairingError',
    code: 'invalid_url',
    message: 'Say which relay to pair with',
  });
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
