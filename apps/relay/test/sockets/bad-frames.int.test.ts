// oxlint-disable max-lines -- All of it acts on one socket and judges by one bystander.
import { frameErrors } from '@tabletop-relay/contract';
import { connectFakeModule, measureRunningTime } from '@tabletop-relay/testing';
import type { FakeModule, UpgradeRefused, WireFrame } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Answer, Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { once } from 'node:events';
import type { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSecret } from '../../src/credentials/secret.ts';
import { createBystander } from '../bystander.ts';
import type { Bystander } from '../bystander.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { connectStranger, refusedFrame } from '../stranger.ts';

const maxFrameBytes = 100_000;

let cluster: TestInstances;
let url: string;
let registry: Registry;
let account: TestAccount;
let key: string;
let pairing: Pairing;
let module: FakeModule;
let bystander: Bystander;
let logStart = 0;

beforeAll(async () => {
  cluster = await startInstances({
    config: { maxFrameBytes, authTimeoutMs: 200, limitKnownClients: '8 per 1 min' },
  });
  [{ url, registry }] = cluster.instances;
  account = await createAccount(url);
  key = await account.createKey();
  bystander = await createBystander(url);
});
afterAll(async () => {
  await bystander.close();
  await cluster.stop();
});
beforeEach(async () => {
  await bystander.begin();
  pairing = await account.pair();
  module = await connectModule(url, pairing);
  logStart = cluster.logs.length;
});
afterEach(async () => {
  await bystander.expectUnharmed();
  module.cut();
  await module.closed;
});

/** Calls the world; resolves when the command has arrived there. */
async function begin(): Promise<{ answer: Promise<Answer>; command: WireFrame }> {
  const answer = call(url, 'POST', `/sys5e/skill-check?clientId=${pairing.clientId}`, {
    body: { actorUuid: 'Actor.a', skill: 'prc' },
    headers: { 'x-api-key': key },
  });
  return { answer, command: await module.next('skill-check') };
}

/** The module is still connected, and what it answers arrives. */
async function expectServing(): Promise<void> {
  const { answer, command } = await begin();
  module.send({ type: 'skill-check-result', requestId: command['requestId'], data: { total: 7 } });
  expect((await answer).body).toMatchObject({ data: { total: 7 } });
}

/** Lines since the test began, without those of coming and going. */
const lines = () =>
  cluster.logs
    .slice(logStart)
    .filter(({ level, msg }) => Number(level) >= 30 && !/^module (dis)?connected$/.test(String(msg)));

async function counted(name: string, label?: string): Promise<number> {
  const values = (await registry.getSingleMetric(name)?.get())?.values ?? [];
  return values
    .filter(({ labels }) => label === undefined || Object.values(labels).includes(label))
    .reduce((sum, { value }) => sum + value, 0);
}

describe('a reply', () => {
  it.each([
    ['that is cut short', (id: string) => `{"type":"skill-check-result","requestId":"${id}","data":{`],
    ['that is no object', (id: string) => `["skill-check-result",{"requestId":"${id}"}]`],
    ['without a type', (id: string) => `{"requestId":"${id}","data":{}}`],
    ['whose type is no text', (id: string) => `{"type":1,"requestId":"${id}","data":{}}`],
  ])('%s fails its call at once', async (_name, text) => {
    const { answer, command } = await begin();
    const ranMs = measureRunningTime();
    module.send(text(String(command['requestId'])));
    const { status, body } = await answer;
    expect(ranMs()).toBeLessThan(1_000);
    expect(status).toBe(502);
    expect(body).toMatchObject({
      code: 'client_bad_reply',
      outcome: 'unknown',
      retryable: false,
      requestId: command['requestId'],
    });
    expect(await module.next('error')).toMatchObject({ code: 'bad_frame' });
    expect(lines()).toEqual([
      expect.objectContaining({ msg: 'frame refused', code: 'bad_frame' }),
      expect.objectContaining({
        msg: 'request refused',
        code: 'client_bad_reply',
        requestId: body['traceId'],
      }),
    ]);
    await expectServing();
  });

  it.each(['ability-save-result', '-result', 'skill-check', 'pong', 'skill-check-results'])(
    'of the wrong type %s fails its call at once',
    async (type) => {
      const { answer, command } = await begin();
      module.send({ type, requestId: command['requestId'], data: { total: 20 } });
      const { status, body } = await answer;
      expect(status).toBe(502);
      expect(body).toMatchObject({
        code: 'client_bad_reply',
        outcome: 'unknown',
        detail: `The world answered ${type} to skill-check.`,
        requestId: command['requestId'],
      });
      await expectServing();
    },
  );

  it('that a query gets and that makes no sense may be asked again', async () => {
    const answer = call(url, 'GET', `/players?clientId=${pairing.clientId}`, {
      headers: { 'x-api-key': key },
    });
    const command = await module.next('players');
    module.send(`{"requestId":"${String(command['requestId'])}"`);
    expect(await answer).toMatchObject({ status: 502, body: { code: 'client_bad_reply', retryable: true } });
  });

  it.each([
    ['text', { error: 'No such actor', code: 'entity_not_found' }, 'No such actor', 'entity_not_found'],
    ['an object, which keeps its text', { error: { message: 'x' } }, 'x', undefined],
    ['no text', { error: 7 }, 'The world refused the operation.', undefined],
    ['too much text', { error: 'x'.repeat(9_000), code: 'y'.repeat(900) }, 'x'.repeat(2_000), 'y'.repeat(100)],
    ['a code that is no text', { error: 'No', code: 5 }, 'No', undefined],
  ])('with an error of %s is the world’s refusal', async (_name, fields, detail, reason) => {
    const { answer, command } = await begin();
    module.send({ type: 'skill-check-result', requestId: command['requestId'], ...fields });
    const { status, body } = await answer;
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'operation_failed', detail, error: detail });
    expect(body['reason']).toBe(reason);
    expect(body).not.toHaveProperty('outcome');
  }); // prettier-ignore

  it.each([
    'encounter-navigation',
    'ability-save-result',
    'skill-check',
    'ping',
    'module-notify',
    'remote-request',
  ])(
    'with an error is the world’s refusal under the type %s too: today’s modules name some so',
    async (type) => {
      const { answer, command } = await begin();
      module.send({
        type,
        requestId: command['requestId'],
        error: 'No encounter',
        code: 'encounter_not_found',
      });
      const { status, body } = await answer;
      expect(status).toBe(422);
      expect(body).toMatchObject({
        code: 'operation_failed',
        detail: 'No encounter',
        reason: 'encounter_not_found',
      });
      await expectServing();
    },
  );

  it('that nobody waits for is dropped and counted', async () => {
    const { answer, command } = await begin();
    const reply = { type: 'skill-check-result', requestId: command['requestId'], data: { total: 1 } };
    const before = await counted('relay_replies_dropped_total');
    const unknown = [
      reply,
      { ...reply, requestId: 'skill-check_1' },
      { type: 'skill-check-result' },
      { type: 'skill-check-result', requestId: 5 },
      { type: 'skill-check-result', requestId: { toString: 1 } },
      { type: 'skill-check-result', requestId: '__proto__' },
      { type: '__proto__-result', requestId: 'constructor' },
    ];
    module.send(reply);
    await answer;
    for (const frame of unknown) module.send(frame);
    await expect.poll(() => counted('relay_replies_dropped_total')).toBe(before + unknown.length);
    expect(lines()).toEqual(
      unknown.map(() => expect.objectContaining({ msg: 'reply dropped: no call waits for it' })),
    );
    await expectServing();
  });

  it('with the id of another socket’s call reaches nobody', async () => {
    const { answer, command } = await begin();
    const other = await connectModule(url, await account.pair());
    const before = await counted('relay_replies_dropped_total');
    const forged = { type: 'skill-check-result', requestId: command['requestId'], data: { total: 20 } };
    other.send(forged);
    await expect.poll(() => counted('relay_replies_dropped_total')).toBe(before + 1);
    other.send(`{"requestId":"${String(command['requestId'])}"`);
    await other.next('error');
    module.send({ ...forged, data: { total: 3 } });
    expect((await answer).body).toMatchObject({ data: { total: 3 } });
    await other.close();
  });

  it('reaches its caller byte for byte, whatever stands in it', async () => {
    const { command } = await begin();
    const id = String(command['requestId']);
    const text = `{"type":"skill-check-result" ,"requestId":"${id}","__proto__":{"a":1},"n":1e400,"big":12345678901234567890,"s":"\\ud800\\u0000","data":{"total":1.0}}`;
    const raw = fetch(`${url}/sys5e/skill-check?clientId=${pairing.clientId}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: '{"actorUuid":"Actor.a","skill":"prc"}',
    });
    const next = await module.next('skill-check');
    const sent = text.replace(id, String(next['requestId']));
    module.send(sent);
    expect(await (await raw).text()).toBe(sent);
    module.send({ type: 'skill-check-result', requestId: id, data: {} });
  });
});

describe('a frame', () => {
  it('after authentication that authenticates again changes nothing', async () => {
    const stranger = await (await createAccount(url)).pair();
    logStart = cluster.logs.length;
    for (const token of [pairing.token, stranger.token, 'nonsense']) {
      module.send({ type: 'auth', token });
      expect(await module.next('error')).toMatchObject({ code: 'already_authenticated' });
    }
    expect(lines()).toHaveLength(3);
    expect(JSON.stringify(lines())).not.toContain('trc_');
    await expectServing();
  });

  it('of bytes closes with 1003, and what was asked fails at once', async () => {
    const { answer } = await begin();
    module.send(Buffer.from('{"type":"ping"}'));
    expect((await module.closed).code).toBe(1003);
    expect(await answer).toMatchObject({ status: 502, body: { code: 'client_lost', outcome: 'unknown' } });
    expect(lines().filter(({ msg }) => msg !== 'request refused')).toHaveLength(1);
  });

  it('above the limit that names its call fails that call alone', async () => {
    const large = await begin();
    const other = await begin();
    const { requestId } = large.command;
    module.send({ type: 'skill-check-result', requestId, text: 'x'.repeat(maxFrameBytes) });
    expect(await large.answer).toMatchObject({
      status: 502,
      body: {
        code: 'client_bad_reply',
        detail: 'The world’s answer is larger than 100000 bytes. Ask for less.',
        outcome: 'unknown',
        retryable: false,
        requestId: large.command['requestId'],
      },
    });
    module.send({ type: 'skill-check-result', requestId: other.command['requestId'], data: { total: 7 } });
    expect((await other.answer).body).toMatchObject({ data: { total: 7 } });
    await expectServing();
    expect(module.count('error')).toBe(0);
  });

  it('above the limit that a query gets may not be asked again, for it would be as large', async () => {
    const answer = call(url, 'GET', `/players?clientId=${pairing.clientId}`, {
      headers: { 'x-api-key': key },
    });
    const { requestId } = await module.next('players');
    module.send({ type: 'players-result', requestId, text: 'x'.repeat(maxFrameBytes) });
    expect((await answer).body).toMatchObject({ code: 'client_bad_reply', retryable: false });
  });

  it('above the limit that answers no call is dropped and counted', async () => {
    const { answer, command } = await begin();
    const before = await counted('relay_large_frames_dropped_total');
    const text = 'x'.repeat(maxFrameBytes);
    module.send({ type: 'skill-check-result', requestId: 'skill-check_1', text });
    module.send({ type: 'ping', text });
    await expect.poll(() => counted('relay_large_frames_dropped_total')).toBe(before + 2);
    expect(module.count('pong')).toBe(0);
    module.send({ type: 'skill-check-result', requestId: command['requestId'], data: { total: 7 } });
    expect((await answer).status).toBe(200);
  });

  it('above twice the limit closes with 1009, and what was asked fails at once with that reason', async () => {
    const answer = call(url, 'GET', `/players?clientId=${pairing.clientId}`, {
      headers: { 'x-api-key': key },
    });
    const { requestId } = await module.next('players');
    const ranMs = measureRunningTime();
    module.send({ type: 'players-result', requestId, text: 'x'.repeat(2 * maxFrameBytes) });
    expect(await answer).toMatchObject({
      status: 502,
      body: {
        code: 'client_lost',
        detail:
          'The world sent a message above 200000 bytes, and its connection was closed. Where that was the answer to this call, ask for less.',
        outcome: 'unknown',
        retryable: false,
      },
    });
    expect(ranMs()).toBeLessThan(1_000);
    expect((await module.closed).code).toBe(1009);
    expect(lines().filter(({ msg }) => msg !== 'request refused')).toEqual([
      expect.objectContaining({ msg: 'socket closed: bad frame', clientId: pairing.clientId }),
    ]);
  });

  it('of an unknown type is told so and goes nowhere', async () => {
    for (const type of ['dance', '__proto__', 'constructor', 'toString', 'x'.repeat(5_000), '']) {
      module.send({ type, requestId: 'x', data: { secret: 1 } });
      expect(await module.next('error')).toMatchObject({ code: 'unknown_frame' });
    }
    expect(lines()).toHaveLength(6);
    for (const line of lines()) expect(JSON.stringify(line).length).toBeLessThan(500);
    await expectServing();
  });

  it('that is no JSON object with a type is told so; the tenth in a minute closes with 4000', async () => {
    const bad = ['', '{', 'null', '[]', '"ping"', '7', '{}', '{"type":null}', '{"type":{}}'];
    for (const text of bad) {
      module.send(text);
      expect(await module.next('error')).toMatchObject({ code: 'bad_frame' });
    }
    await expectServing();
    module.send('x');
    expect(await module.closed).toMatchObject({
      code: 4000,
      reason: expect.stringMatching(/JSON/) as unknown,
    });
  });

  it('that is no JSON and answers a call ends that call alone, however often', async () => {
    const other = await begin();
    for (let broken = 0; broken < 12; broken++) {
      const { answer, command } = await begin();
      module.send(`{"requestId":"${String(command['requestId'])}","data":`);
      expect(await answer).toMatchObject({ body: { code: 'client_bad_reply' } });
    }
    module.send({ type: 'skill-check-result', requestId: other.command['requestId'], data: { total: 7 } });
    expect((await other.answer).body).toMatchObject({ data: { total: 7 } });
    await expectServing();
  });

  it('that asks, answers or tells of another world is answered as documented', async () => {
    module.send({ type: 'ping' });
    await module.next('pong');
    const remote = { type: 'remote-request', targetClientId: 'x', action: 'skill-check', payload: {} };
    module.send({ ...remote, requestId: 'remote-request_1' });
    expect(await module.next('remote-response')).toMatchObject({
      requestId: 'remote-request_1',
      success: false,
      code: 'scope_missing',
      scope: 'roll:execute',
    });
    module.send({ type: 'get-known-clients', requestId: 'known_1' });
    const known = await module.next('known-clients-result');
    expect(known).toMatchObject({ requestId: 'known_1', tokenScopes: [], tokenAllowedTargets: [] });
    expect(known['clients']).toContainEqual({
      clientId: pairing.clientId,
      worldTitle: expect.any(String) as unknown,
      systemTitle: '',
      systemId: expect.any(String) as unknown,
      isOnline: true,
    });
    module.send({ type: 'player-list', users: [{ id: 'ada' }] });
    for (const type of ['hook-event', 'combat-event', 'actor-event', 'scene-event']) module.send({ type });
    const actor = { id: 'ada', name: 'Ada' };
    module.send({ type: 'module-notify', event: 'gm-joined', details: { users: 3 }, actor });
    await expectServing();
    expect(module.count('error')).toBe(0);
    expect(lines()).toEqual([]);
    await expect
      .poll(() =>
        cluster.db
          .selectFrom('auditLog')
          .select(['event', 'actor', 'detail'])
          .where('clientId', '=', pairing.clientId)
          .where('event', 'like', 'module.%')
          .execute(),
      )
      .toEqual([{ event: 'module.gm-joined', actor: 'token', detail: { details: { users: 3 }, actor } }]);
  });

  it('that carries a requestId is answered with it, also where the answer is no', async () => {
    const long = `question_${'x'.repeat(5_000)}`;
    const refused: [{ type?: string; requestId: string; token?: string }, keyof typeof frameErrors][] = [
      [{ type: 'dance', requestId: 'dance_1' }, 'unknown_frame'],
      [{ type: 'dance', requestId: long }, 'unknown_frame'],
      [{ type: 'auth', requestId: 'auth_1', token: 'x' }, 'already_authenticated'],
      [{ requestId: 'nothing_1' }, 'bad_frame'],
    ];
    for (const [frame, code] of refused) {
      module.send(frame);
      const { requestId } = frame;
      const message = frameErrors[code];
      expect(await module.next('error')).toEqual({ type: 'error', requestId, code, message });
    }
    module.send({ type: 'dance', requestId: 'x'.repeat(10_000) });
    const withoutId = { type: 'error', code: 'unknown_frame', message: frameErrors.unknown_frame };
    expect(await module.next('error')).toEqual(withoutId);
    await expectServing();
  });

  it('that asks for the account’s worlds has its turn one by one and so often, and else a no at once', async () => {
    const ask = (requestId: string) => module.send({ type: 'get-known-clients', requestId });
    ask('first');
    ask('second');
    expect(await module.next('error')).toMatchObject({ requestId: 'second', code: 'overloaded' });
    expect(await module.next('known-clients-result')).toMatchObject({ requestId: 'first' });
    for (let i = 2; i <= 8; i++) {
      ask(`question-${i}`);
      expect(await module.next('known-clients-result')).toMatchObject({ requestId: `question-${i}` });
    }
    ask('too many');
    expect(await module.next('error')).toEqual({
      type: 'error',
      requestId: 'too many',
      code: 'rate_limited',
      message: frameErrors.rate_limited,
    });
    await expectServing();
  });

  it('whose ids and names are anything but text is answered all the same', async () => {
    const deep = `${'['.repeat(40_000)}${']'.repeat(40_000)}`;
    for (const value of ['{"toString":1,"valueOf":1}', '{"toString":null}', 'null', '[{}]', deep]) {
      module.send(`{"type":"remote-request","requestId":${value}}`);
      await module.next('remote-response');
      module.send(`{"type":"get-known-clients","requestId":${value}}`);
      await module.next('known-clients-result');
      module.send(`{"type":"module-notify","event":${value}}`);
      module.send(`{"type":"module-notify","event":"odd","details":${value}}`);
      module.send(`{"type":"skill-check-result","requestId":${value}}`);
      module.send(`{"type":"hook-event","data":${value}}`);
    }
    const odd = '"\\u0000\\ud800 odd"';
    module.send(
      `{"type":"module-notify","event":${odd},"details":{${odd}:${odd}},"actor":"${'x'.repeat(5_000)}"}`,
    );
    await expectServing();
  });

  it('with the world’s description nested without end reaches its caller', async () => {
    const answer = fetch(`${url}/world-info?clientId=${pairing.clientId}`, {
      headers: { 'x-api-key': key },
    });
    const { requestId } = await module.next('world-info');
    const deep = `${'['.repeat(40_000)}${']'.repeat(40_000)}`;
    const text = `{"type":"world-info-result","requestId":"${String(requestId)}","data":{"modules":${deep}}}`;
    module.send(text);
    expect((await answer).status).toBe(200);
    await expectServing();
  });
});

describe('a socket', () => {
  const connect = (options: Partial<Parameters<typeof connectFakeModule>[0]> = {}) =>
    connectFakeModule({ url, clientId: pairing.clientId, ...options });

  const lastAttempt = async (outcome: string) =>
    expect
      .poll(() =>
        cluster.db
          .selectFrom('connectionLogs')
          .select(['outcome', 'closeCode'])
          .where('clientId', '=', pairing.clientId)
          .where('outcome', '=', outcome)
          .execute(),
      )
      .toHaveLength(1);

  it('that says nothing is closed with 4000 when its time is up', async () => {
    const silent = await connect();
    expect(await silent.closed).toMatchObject({ code: 4000 });
    expect(lines()).toEqual([
      expect.objectContaining({ msg: 'module refused', outcome: 'auth_timeout', closeCode: 4000 }),
    ]);
    await lastAttempt('auth_timeout');
  });

  it('that leaves without a word is recorded once, and not again when its time is up', async () => {
    const left = await connect();
    left.socket.close();
    await expect.poll(() => lines().length).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(lines()).toEqual([expect.objectContaining({ outcome: 'gone' })]);
  });

  it.each([
    ['another type', '{"type":"ping"}'],
    ['no token', '{"type":"auth"}'],
    ['a token that is no text', '{"type":"auth","token":["x"]}'],
    ['no JSON', 'auth'],
    ['bytes', Buffer.from('{"type":"auth","token":"x"}')],
  ])('whose first frame is %s is closed with 4000', async (_name, frame) => {
    const wrong = await connect();
    wrong.send(frame);
    expect(await wrong.closed).toMatchObject({ code: 4000 });
    expect(lines()).toEqual([
      expect.objectContaining({ msg: 'module refused', outcome: 'auth_missing', closeCode: 4000 }),
    ]);
  });

  it('whose first frame is far too big is ended before it has arrived whole', async () => {
    const wrong = await connect();
    wrong.send('x'.repeat(maxFrameBytes - 1));
    // The rest of the frame may meet a closed connection before the close frame is read.
    expect([1006, 1009]).toContain((await wrong.closed).code);
    await expect
      .poll(lines)
      .toEqual([
        expect.objectContaining({ msg: 'module refused', outcome: 'auth_missing', closeCode: 1009 }),
      ]);
    await expectServing();
  });

  it('that sends more in one piece with its auth frame is let in, and all of it is handled', async () => {
    const fresh = await account.pair();
    const early = await connect({ clientId: fresh.clientId });
    const { transport } = early;
    transport.cork();
    early.send({ type: 'auth', token: fresh.token });
    early.send({ type: 'player-list', players: 'x'.repeat(60_000) });
    early.send({ type: 'ping' });
    transport.uncork();
    expect(await early.next('auth-success')).toMatchObject({ clientId: fresh.clientId });
    await early.next('pong');
    early.cut();
  });

  it('that was refused is not listened to: it cannot fill our memory while it closes', async () => {
    const stranger = await connectStranger(url);
    const closed = once(stranger, 'close');
    // A first frame that is refused; then one that would be as large as frames may be.
    stranger.write(refusedFrame, 'latin1');
    await once(stranger, 'data');
    const ranMs = measureRunningTime();
    stranger.write('\x81\xff\0\0\0\0\0\x01\x86\x9f\0\0\0\0', 'latin1');
    stranger.write('x'.repeat(90_000));
    await closed;
    expect(ranMs()).toBeLessThan(1_500);
  });

  it('whose token is malformed, unknown or another client’s is closed with 4002', async () => {
    const other = await account.pair();
    for (const token of ['x', createSecret('connectionToken').value, other.token, key, account.masterKey]) {
      logStart = cluster.logs.length;
      const wrong = await connect({ token });
      expect(await wrong.closed).toMatchObject({ code: 4002 });
      expect(wrong.received).toEqual([]);
      expect(lines()).toEqual([expect.objectContaining({ outcome: 'token_invalid', closeCode: 4002 })]);
    }
  });

  it('without an id, or with a token in its address, is refused before the upgrade', async () => {
    const status = (error: unknown) => (error as UpgradeRefused).status;
    expect(await connect({ clientId: '' }).catch(status)).toBe(400);
    expect(await connect({ metadata: { token: pairing.token } }).catch(status)).toBe(400);
    expect(lines()).toEqual([
      expect.objectContaining({ code: 'invalid_request', route: '/relay' }),
      expect.objectContaining({ code: 'invalid_request', route: '/relay' }),
    ]);
    expect(JSON.stringify(lines())).not.toContain(pairing.token);
    const { body } = await call(url, 'GET', `/relay?id=${pairing.clientId}&token=x`);
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'token' }] });
    const noUpgrade = { field: 'upgrade', message: expect.stringContaining('WebSocket') as unknown };
    expect(await call(url, 'GET', `/relay?id=${pairing.clientId}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [noUpgrade] },
    });
  });

  it('with anything in its address is let in, and its world is listed', async () => {
    // Of a world that differs from the paired one the list keeps what is known.
    const odd = await account.pair({ worldId: 'ab' });
    const { closed, ...rest } = await connectModule(url, odd, undefined, {
      metadata: {
        systemId: 'dnd5e',
        worldTitle: `${'x'.repeat(255)}😀`,
        worldId: 'a\0b',
        systemTitle: '\u202e<script>',
        customName: 'y'.repeat(5_000),
        foundryVersion: '13.1',
      },
    });
    await rest.close();
    await closed;
    await expect
      .poll(
        async () =>
          (await call(url, 'GET', '/clients', { headers: { 'x-api-key': key } })).body['clients'] as object[],
      )
      .toContainEqual(
        expect.objectContaining({
          clientId: odd.clientId,
          isOnline: false,
          worldId: 'ab',
          tabletopVersion: '13.1',
          connectedSince: expect.any(Number) as unknown,
          systemTitle: '<script>',
        }),
      );
    expect(lines()).toEqual([]);
  });

  it('that sends on before it is let in loses nothing of what it sent', async () => {
    const eager = await account.pair();
    const early = await connect({ clientId: eager.clientId });
    early.send({ type: 'auth', token: eager.token });
    for (let frame = 0; frame < 5; frame++) early.send({ type: 'ping' });
    await expect.poll(() => early.count('pong')).toBe(5);
    await early.close();
  });
});
