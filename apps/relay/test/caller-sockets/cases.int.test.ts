import { operations } from '@tabletop-relay/contract';
import type { TabletopModule } from '@tabletop-relay/module-sdk';
import { call, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { connectDemoWorld } from '../mcp/assistant.ts';
import { connectCaller, openCaller } from './caller.ts';
import type { Caller } from './caller.ts';

/** What programs of another relay expect of such a socket, by the numbers of their list. */

let instances: TestInstances;
let url: string;
let account: TestAccount;
let key: string;
let pairing: Pairing;
let world: TabletopModule;
let caller: Caller;

beforeAll(async () => {
  instances = await startInstances({ config: { authTimeoutMs: 300, callTimeoutMs: 60_000 } });
  ({ url } = instances.instances[0]);
  account = await createAccount(url);
  key = await account.createKey();
  pairing = await account.pair();
  world = await connectDemoWorld(url, pairing);
  caller = await connectCaller(url, key, { query: `?clientId=${pairing.clientId}` });
});
afterAll(async () => {
  await caller.close();
  world.close();
  await instances.stop();
});

it('1: a socket without a token is closed in time', async () => {
  expect(await (await openCaller(url)).closed).toMatchObject({ code: 4408 });
});

it('2: a socket with an unknown key is closed with 4002', async () => {
  const unknown = await openCaller(url, { token: `${key.slice(0, -6)}AAAAAA` });
  expect(await unknown.closed).toMatchObject({ code: 4002 });
  expect(unknown.told).toMatchObject([{ type: 'error', problem: { code: 'key_invalid' } }]);
});

it('3: without a clientId the one world that is online is chosen; of several each call must name one', async () => {
  const one = await openCaller(url, { token: key });
  expect(await one.next('connected')).toMatchObject({ clientId: pairing.clientId });
  const other = await connectDemoWorld(url, await account.pair());
  const several = await openCaller(url, { token: key });
  expect(await several.next('connected')).toMatchObject({ clientId: null });
  expect(await several.ask({ type: 'players' })).toMatchObject({
    type: 'players-result',
    problem: { code: 'client_required', outcome: 'not_sent' },
  });
  expect(await several.ask({ type: 'players', clientId: pairing.clientId })).not.toHaveProperty('error');
  other.close();
  await Promise.all([one.close(), several.close()]);
});

it('4: a good key is told `connected`', async () => {
  const fresh = await openCaller(url, { token: key, query: `?clientId=${pairing.clientId}` });
  const connected = await fresh.next();
  expect(connected).toMatchObject({ type: 'connected', clientId: pairing.clientId, version: '0.0.0-test' });
  expect(connected['supportedTypes']).toEqual(
    expect.arrayContaining([...operations.map(({ name }) => name), 'ping', 'subscribe', 'unsubscribe']),
  );
  expect(connected['eventChannels']).toEqual(
    expect.arrayContaining([
      'hooks',
      'combat-events',
      'actor-events',
      'scene-events',
      'chat-events',
      'roll-events',
    ]),
  );
  await fresh.close();
});

it('5: an unknown type is an error that begins with words for it', async () => {
  caller.send({ type: 'make-tea', requestId: 'tea' });
  expect(await caller.next('error')).toMatchObject({
    requestId: 'tea',
    error: expect.stringMatching(/^Unknown message type/) as unknown,
  });
});

it('6: a call without a requestId is an error that says so', async () => {
  caller.send({ type: 'search', query: 'mira' });
  expect(await caller.next('error')).toMatchObject({
    error: expect.stringContaining('requestId') as unknown,
  });
});

it('7: what is not JSON is an error, and the socket stays', async () => {
  caller.send('not JSON');
  expect(await caller.next('error')).toMatchObject({
    error: 'Invalid JSON',
    problem: { code: 'invalid_request' },
  });
  expect(await caller.ask({ type: 'ping' })).toMatchObject({ type: 'pong' });
});

it('8: a call is answered with its requestId and the world', async () => {
  const told = await caller.ask({ type: 'search', query: 'mira' });
  expect(told).toMatchObject({ type: 'search-result', clientId: pairing.clientId });
  const http = await call(url, 'GET', `/search?query=mira&clientId=${pairing.clientId}`, {
    headers: { 'x-api-key': key },
  });
  expect({ ...told, requestId: '', clientId: '' }).toEqual({ ...http.body, requestId: '', clientId: '' });
});

it('9: a ping is answered, with its requestId where it has one', async () => {
  expect(await caller.ask({ type: 'ping' })).toMatchObject({ type: 'pong' });
  caller.send({ type: 'ping' });
  expect(await caller.next('pong')).toEqual(expect.objectContaining({ type: 'pong' }));
});

it.each([
  [10, 'chat-events'],
  [11, 'roll-events'],
])('%i: %s may be followed', async (_case, channel) => {
  expect(await caller.ask({ type: 'subscribe', channel })).toMatchObject({ type: 'subscribed', channel });
});

it('12: an unknown channel is an error that begins with words for it', async () => {
  caller.send({ type: 'subscribe', channel: 'tea-events' });
  expect(await caller.next('error')).toMatchObject({
    error: expect.stringMatching(/^Invalid channel/) as unknown,
  });
});

it('13: a channel may be left', async () => {
  caller.send({ type: 'unsubscribe', channel: 'chat-events' });
  expect(await caller.next('unsubscribed')).toMatchObject({ channel: 'chat-events' });
});

it('14: a channel may be followed by filters', async () => {
  caller.send({ type: 'subscribe', channel: 'chat-events', filters: { speaker: 'Mira', whisperOnly: true } });
  expect(await caller.next('subscribed')).toMatchObject({ channel: 'chat-events' });
  caller.send({ type: 'unsubscribe', channel: 'chat-events' });
});

it('15 and 16: what is said and rolled over HTTP arrives', async () => {
  await caller.ask({ type: 'subscribe', channel: 'chat-events' });
  const headers = { 'x-api-key': key };
  const clientId = pairing.clientId;
  await call(url, 'POST', '/chat', { body: { clientId, content: 'Behind the altar!' }, headers });
  expect(await caller.next('chat-event')).toMatchObject({
    data: { data: { content: 'Behind the altar!' } },
  });
  await call(url, 'POST', '/roll', { body: { clientId, formula: '1d20' }, headers });
  expect(await caller.next('roll-event')).toMatchObject({ data: { formula: '1d20' } });
});
