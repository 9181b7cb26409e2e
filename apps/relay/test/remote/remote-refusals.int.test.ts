import type { FakeModule } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBystander } from '../bystander.ts';
import { startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';
import { answerTo, connectAsking, readRemoteLog } from './asking-module.ts';
import type { AskingModule } from './asking-module.ts';

const maxBodyBytes = 300_000;
const perMinute = 40;

let two: TwoInstances;
let account: TestAccount;
let pairing: Pairing;
let target: FakeModule;
let source: AskingModule;
/** A world of the account that nobody allowed. */
let untold: string;

beforeAll(async () => {
  two = await startTwo('memory', {
    config: {
      maxBodyBytes,
      limitRemoteRequest: `${perMinute} per 1 min`,
      callsInFlightPerKey: 10,
      remoteRequestTimeoutMs: 1_000,
    },
  });
  account = await createAccount(two.first.url);
  pairing = await account.pair({ worldTitle: 'Asked' });
  target = await connectModule(two.second.url, pairing, ({ type }) =>
    type === 'players' ? { users: [] } : undefined,
  );
  untold = (await account.pair()).clientId;
  source = await connectAsking(account, two.first.url, reach());
});
afterAll(() => two.stop());

const reach = (...remoteScopes: ('roll:execute' | 'world:read')[]) => ({
  allowedTargetClients: [pairing.clientId],
  remoteScopes: ['user:read' as const, 'roll:execute' as const, ...remoteScopes],
});
const ask = (request: object = {}) => source.ask({ targetClientId: pairing.clientId, ...request });
const commands = () => target.received.filter(({ requestId }) => requestId !== undefined).length;

const refusals: [name: string, request: () => object, code: string, expected?: object][] = [
  ['to itself', () => ({ targetClientId: source.pairing.clientId }), 'invalid_request', { errors: [{ field: 'targetClientId' }] }],
  ['to a world that the token may not reach', () => ({ targetClientId: untold }), 'client_not_found'],
  ['for an action beyond its scopes', () => ({ action: 'encounters' }), 'scope_missing', { scope: 'encounter:read' }],
  ['for an unknown action', () => ({ action: 'dance' }), 'not_found'],
  ['for another remote request', () => ({ action: 'remote-request' }), 'not_found'],
  ['for a name that every object has', () => ({ action: 'toString' }), 'not_found'],
  ['whose action is no text', () => ({ action: { toString: 1 } }), 'invalid_request', { errors: [{ field: 'action' }] }],
  ['whose payload does not fit', () => ({ action: 'skill-check', payload: { skill: 'xyz' } }), 'invalid_request'],
  ['whose payload is no object', () => ({ payload: [1] }), 'invalid_request'],
  ['whose payload names another world', () => ({ payload: { clientId: 'x' } }), 'invalid_request'],
  ['that names a user beside its payload', () => ({ userId: 'cleo' }), 'invalid_request', { errors: [{ field: 'userId' }] }],
  ['that is larger than a body may be', () => ({ padding: 'x'.repeat(maxBodyBytes) }), 'payload_too_large'],
]; // prettier-ignore

it.each(refusals)(
  'a request %s is refused, sent nowhere and recorded',
  async (_name, request, code, expected = {}) => {
    const before = commands();
    const response = await ask(request());
    expect(response).toMatchObject({
      success: false,
      code,
      outcome: 'not_sent',
      retryable: false,
      ...expected,
    });
    const logged = () => readRemoteLog(account, `client=${source.pairing.clientId}&limit=1`);
    await expect.poll(logged).toMatchObject([{ outcome: code, error: response['error'], attempts: 1 }]);
    // What was sent before this would have come before it.
    expect(await ask()).toMatchObject({ success: true });
    expect(commands()).toBe(before + 1);
  },
);

it('a request of nearly the size of a body is served', async () => {
  expect(await ask({ padding: 'x'.repeat(maxBodyBytes - 1_000) })).toMatchObject({ success: true });
});

it('a request without an id is refused, as its answer could not be told from another', async () => {
  source.module.send({ type: 'remote-request', targetClientId: pairing.clientId, action: 'players' });
  expect(await answerTo(source.module, '')).toMatchObject({
    code: 'invalid_request',
    errors: [{ field: 'requestId' }],
  });
});

it('a request to a world that is offline says since when', async () => {
  const offline = await account.pair();
  const asking = await connectAsking(account, two.first.url, {
    ...reach(),
    allowedTargetClients: [offline.clientId],
  });
  expect(await asking.ask({ targetClientId: offline.clientId })).toMatchObject({
    code: 'client_offline',
    lastSeen: 0,
    outcome: 'not_sent',
  });
});

it('a world of another account is out of reach, whatever the token says', async () => {
  const stranger = await createAccount(two.first.url);
  const other = await stranger.pair();
  const world = await connectModule(two.second.url, other);
  const asking = await connectAsking(account, two.first.url, reach());
  expect((await asking.allow({ allowedTargetClients: [other.clientId] })).status).toBe(404);
  await two.cluster.db
    .updateTable('connectionTokens')
    .set({ allowedTargetClients: [other.clientId] })
    .where('id', '=', asking.tokenId)
    .execute();
  // Any change makes the instances read the token again.
  await asking.allow({ remoteScopes: ['user:read'] });
  await expect
    .poll(() => asking.ask({ targetClientId: other.clientId }))
    .toMatchObject({
      code: 'client_not_found',
      error: `No world ${other.clientId} that this token may reach.`,
    });
  expect(world.count('players')).toBe(0);
  expect(await readRemoteLog(stranger)).toEqual([]);
  await world.close();
});

it('a stolen token opens its own world’s socket and nothing else', async () => {
  const { token } = source.pairing;
  const asKey = await call(two.first.url, 'GET', `/players?clientId=${pairing.clientId}`, {
    headers: { 'x-api-key': token },
  });
  expect(asKey).toMatchObject({ status: 401, body: { code: 'key_invalid' } });
  const asSession = await call(two.first.url, 'GET', '/auth/remote-request-logs', {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(asSession.status).toBe(401);
  const asTarget = connectModule(two.first.url, { token, clientId: pairing.clientId });
  await expect(asTarget).rejects.toThrow('no auth-success');
  // The other way round needs a token of the target with rights of its own.
  target.send({
    type: 'remote-request', requestId: 'back', action: 'players', targetClientId: source.pairing.clientId, payload: {},
  }); // prettier-ignore
  expect(await answerTo(target, 'back')).toMatchObject({ code: 'scope_missing' });
});

it('a request ends after its own time at the latest', async () => {
  const startedAt = performance.now();
  const payload = { actorUuid: 'a', skill: 'prc' };
  const answered = ask({ action: 'skill-check', payload });
  const { requestId } = await target.next('skill-check');
  expect(await answered).toMatchObject({ code: 'client_timeout', outcome: 'unknown', retryable: false });
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(await target.next('cancel')).toMatchObject({ requestId });
});

it('a module waits for a bounded number of answers', async () => {
  const asking = await connectAsking(account, two.first.url, reach('world:read'));
  const answers = Array.from({ length: 12 }, () =>
    asking.ask({ targetClientId: pairing.clientId, action: 'world-info' }),
  );
  const codes = (await Promise.all(answers)).map(({ code }) => code);
  // The last two are refused before the first ten have ended.
  expect(codes).toEqual([...Array<string>(10).fill('client_timeout'), 'rate_limited', 'rate_limited']);
  expect(target.count('world-info')).toBe(10);
});

it('a flood is cut at its rate over all instances, harms nobody, and costs one row more', async () => {
  const bystander = await createBystander(two.first.url);
  await bystander.begin();
  const asking = await connectAsking(account, two.first.url, reach());
  const before = target.count('players');
  const flood = async (module: FakeModule, count: number) => {
    const request = { type: 'remote-request', targetClientId: pairing.clientId, action: 'players' };
    const from = module.count('remote-response');
    for (let sent = 0; sent < count; sent++) module.send({ ...request, requestId: `flood_${sent}` });
    await expect.poll(() => module.count('remote-response'), { timeout: 15_000 }).toBe(from + count);
  };
  // No more than ten may wait at once, so it takes some rounds to spend the minute.
  for (let round = 0; round < 6; round++) await flood(asking.module, 9);
  await asking.module.close();
  const elsewhere = await connectModule(two.second.url, asking.pairing);
  await flood(elsewhere, 2_000);
  const last = elsewhere.received.findLast(({ type }) => type === 'remote-response');
  expect(last).toMatchObject({ code: 'rate_limited', outcome: 'not_sent', retryable: true });
  expect(Number(last?.['retryAfterMs'])).toBeGreaterThan(0);
  const commandsSent = target.count('players') - before;
  expect(commandsSent).toBeLessThanOrEqual(perMinute);
  expect(commandsSent).toBeGreaterThan(perMinute / 2);
  await bystander.expectUnharmed();
  await bystander.close();
  await elsewhere.close();
  // The counts are written when the minute is over, or with the instance's end.
  await Promise.all([two.first.stop(), two.second.stop()]);
  const rows = await two.cluster.db
    .selectFrom('remoteRequestLogs')
    .select(['outcome', 'attempts'])
    .where('sourceClientId', '=', asking.pairing.clientId)
    .execute();
  const refused = rows.filter(({ outcome }) => outcome === 'rate_limited');
  expect(rows).toHaveLength(commandsSent + refused.length);
  expect(refused.length).toBeLessThanOrEqual(2);
  expect(refused.reduce((sum, { attempts }) => sum + Number(attempts), 0)).toBe(2_054 - commandsSent);
});
