import type { Scope } from '@tabletop-relay/contract';
import { measureRunningTime } from '@tabletop-relay/testing';
import type { FakeModule } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { drivers, startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';
import { answerTo, connectAsking, readRemoteLog } from './asking-module.ts';
import type { AskingModule } from './asking-module.ts';

/** A right that was taken away may be used so long. */
const withinMs = 1_000;

describe.each(drivers)('a request to a world on another instance, with the %s drivers', (driver) => {
  let two: TwoInstances;
  let account: TestAccount;
  let target: FakeModule;
  let pairing: Pairing;
  let source: AskingModule;

  beforeAll(async () => {
    two = await startTwo(driver, { config: { callTimeoutMs: 1_500 } });
    account = await createAccount(two.first.url);
    pairing = await account.pair({ worldTitle: 'Asked' });
  });
  afterAll(() => two.stop());

  beforeEach(async () => {
    target = await connectModule(two.second.url, pairing);
    source = await connectAsking(account, two.first.url, {
      allowedTargetClients: [pairing.clientId],
      remoteScopes: ['user:read', 'roll:execute'],
    });
  });
  afterEach(async () => {
    source.module.cut();
    await target.close();
  });

  const ask = (request: object = {}) => source.ask({ targetClientId: pairing.clientId, ...request });
  const logged = () => readRemoteLog(account, `client=${source.pairing.clientId}`);
  const answer = (command: { type: string; requestId?: unknown }, fields: object) =>
    target.send({ type: `${command.type}-result`, requestId: command.requestId, ...fields });

  /** Asks and waits until the command has arrived. */
  async function begin() {
    const answered = ask();
    // Some tests end the connection that it would come on.
    answered.catch(() => undefined);
    const command = await target.next('players');
    return { answered, command };
  }

  it('is one command there, and its reply comes back without the command’s id', async () => {
    const payload = { actorUuid: 'Actor.a', skill: 'prc', userId: 'gm' };
    const answered = ask({ action: 'skill-check', payload, autoStartIfOffline: true });
    const command = await target.next('skill-check');
    expect(command).toEqual({
      type: 'skill-check',
      requestId: expect.stringMatching(/^skill-check_\d+$/) as unknown,
      ...payload,
      createChatMessage: true,
    });
    answer(command, { data: { total: 7, requestId: 'inner' }, text: `“ÿ”${'é'.repeat(500_000)}` });
    expect(await answered).toEqual({
      type: 'remote-response',
      requestId: expect.stringMatching(/^remote_/) as unknown,
      success: true,
      data: {
        type: 'skill-check-result',
        data: { total: 7, requestId: 'inner' },
        text: `“ÿ”${'é'.repeat(500_000)}`,
      },
    });
    expect(target.count('skill-check')).toBe(1);
    await expect.poll(logged).toEqual([
      expect.objectContaining({
        sourceClientId: source.pairing.clientId,
        sourceTokenId: source.tokenId,
        targetClientId: pairing.clientId,
        action: 'skill-check',
        outcome: 'ok',
        error: '',
        attempts: 1,
      }),
    ]);
  });

  it('is understood by the names that modules and programs of another relay use', async () => {
    const asked = async (action: string, payload: object) => {
      const answered = ask({ action, payload });
      const { type, requestId: _id, ...fields } = await target.next(action);
      answer({ type, requestId: _id }, { data: {} });
      expect(await answered).toMatchObject({ success: true });
      return fields;
    };
    // Their scope stands for three of ours.
    const remoteScopes = ['dnd5e', 'encounter:manage'] as unknown as Scope[];
    expect((await source.allow({ remoteScopes })).body['remoteScopes']).toEqual([
      'sys5e:read',
      'sys5e:write',
      'roll:execute',
      'encounter:manage',
    ]);
    expect(await asked('next-turn', { encounterId: 'e' })).toEqual({ encounterId: 'e' });
    expect(await asked('next-turn', { encounter: 'e' })).toEqual({ encounterId: 'e' });
    expect(await asked('start-encounter', { tokenUuids: ['t'] })).toEqual({ tokenUuids: ['t'] });
    const spell = { prepared: true, uuid: 'Actor.a', name: 'Bless' };
    expect(await asked('prepare-spell', spell)).toEqual(spell);
    expect(await asked('get-concentration', { actorUuid: 'Actor.a' })).toEqual({ actorUuid: 'Actor.a' });
  });

  it('whose world plays by another rules system is refused at once, like a call of a program', async () => {
    const foreign = await account.pair({ systemId: 'pf2e' });
    const metadata = { systemId: 'pf2e', systemTitle: 'Pathfinder' };
    const world = await connectModule(two.second.url, foreign, () => ({ users: [] }), { metadata });
    await source.allow({ allowedTargetClients: [foreign.clientId] });
    const payload = { actorUuid: 'Actor.a', skill: 'prc' };
    const refused = { code: 'operation_failed', reason: 'wrong_system' };
    const { clientId: targetClientId } = foreign;
    expect(await source.ask({ targetClientId, action: 'skill-check', payload })).toMatchObject(refused);
    const headers = { 'x-api-key': account.masterKey };
    const path = `/sys5e/skill-check?clientId=${targetClientId}`;
    expect(await call(two.first.url, 'POST', path, { headers, body: payload })).toMatchObject({
      status: 422,
      body: refused,
    });
    expect(await source.ask({ targetClientId, action: 'players' })).toMatchObject({ success: true });
    expect(world.count('skill-check')).toBe(0);
    await world.close();
  });

  it.each([
    ['small', ''],
    ['large', 'x'.repeat(600_000)],
  ])('whose %s answer closes the frame around it answers no other request', async (_size, text) => {
    source.module.send({
      type: 'remote-request',
      requestId: 'other',
      targetClientId: pairing.clientId,
      action: 'players',
    });
    const other = await target.next('players');
    const { answered, command } = await begin();
    const own = JSON.stringify({ type: 'players-result', requestId: command['requestId'], users: [], text });
    target.send(`${own},"requestId":"other","data":{"users":["forged"]}`);
    expect(await answered).toMatchObject({ success: false, code: 'client_bad_reply', retryable: true });
    answer(other, { users: ['true'] });
    expect(await answerTo(source.module, 'other')).toMatchObject({ data: { users: ['true'] } });
  });

  it('that the world refuses carries its text and its code', async () => {
    const { answered, command } = await begin();
    answer(command, { error: 'No such user', code: 'user_not_found' });
    const response = await answered;
    expect(response).toMatchObject({
      success: false,
      code: 'operation_failed',
      error: 'No such user',
      reason: 'user_not_found',
      retryable: false,
    });
    expect(response).not.toHaveProperty('outcome');
  });

  it('ends with the operation’s time-out, and the world gets `cancel`', async () => {
    const { answered, command } = await begin();
    expect(await target.next('cancel')).toMatchObject({ requestId: command['requestId'] });
    expect(await answered).toMatchObject({ code: 'client_timeout', outcome: 'unknown', retryable: true });
  });

  it('whose world goes away fails at once', async () => {
    const { answered } = await begin();
    target.cut();
    expect(await answered).toMatchObject({ code: 'client_lost', outcome: 'unknown' });
  });

  it('whose module goes away is cancelled and recorded', async () => {
    const { command } = await begin();
    source.module.cut();
    expect(await target.next('cancel')).toMatchObject({ requestId: command['requestId'] });
    await expect.poll(logged).toMatchObject([{ outcome: 'source_lost', action: 'players' }]);
  });

  it.each([
    ['scope', { remoteScopes: ['roll:execute' as const] }, 'scope_missing'],
    ['world', { allowedTargetClients: [] }, 'client_not_found'],
  ])(
    'whose %s is taken away while it runs ends within a second, and the world gets `cancel`',
    async (_name, permissions, code) => {
      const { answered, command } = await begin();
      const ranMs = measureRunningTime();
      expect((await source.allow(permissions)).status).toBe(200);
      expect(await answered).toMatchObject({ code: 'forbidden', outcome: 'unknown' });
      expect(ranMs()).toBeLessThan(withinMs);
      expect(await target.next('cancel')).toMatchObject({ requestId: command['requestId'] });
      expect(await ask()).toMatchObject({ code, outcome: 'not_sent' });
    },
  );

  it('goes on when its token is narrowed by what it does not need', async () => {
    const { answered, command } = await begin();
    const other = ask({ action: 'skill-check', payload: { actorUuid: 'Actor.a', skill: 'prc' } });
    await target.next('skill-check');
    expect((await source.allow({ remoteScopes: ['user:read'] })).status).toBe(200);
    expect(await other).toMatchObject({ code: 'forbidden' });
    answer(command, { users: [] });
    expect(await answered).toMatchObject({ success: true });
  });

  it('whose token is revoked while it runs is cancelled, and the module is gone', async () => {
    const { command } = await begin();
    expect((await account.as('DELETE', `/auth/connection-tokens/${source.tokenId}`)).status).toBe(200);
    expect(await source.module.closed).toMatchObject({ code: 4002 });
    expect(await target.next('cancel')).toMatchObject({ requestId: command['requestId'] });
  });
});

describe('an instance that drains', () => {
  let two: TwoInstances;
  let account: TestAccount;

  beforeAll(async () => {
    two = await startTwo('memory');
    account = await createAccount(two.first.url);
  });
  afterAll(() => two.stop());

  it('lets a request of its module end', async () => {
    const pairing = await account.pair();
    const target = await connectModule(two.second.url, pairing);
    const source = await connectAsking(account, two.first.url, {
      allowedTargetClients: [pairing.clientId],
      remoteScopes: ['user:read'],
    });
    const request = { type: 'remote-request', targetClientId: pairing.clientId, action: 'players' };
    source.module.send({ ...request, requestId: 'late' });
    const { requestId } = await target.next('players');
    const drained = two.first.stop();
    await source.module.next('reconnect');
    target.send({ type: 'players-result', requestId, users: [] });
    expect(await answerTo(source.module, 'late')).toMatchObject({ success: true, data: { users: [] } });
    expect(await source.module.closed).toMatchObject({ code: 1012 });
    await drained;
  });
});
