import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let url: string;
let second: string;
let account: TestAccount;

beforeAll(async () => {
  cluster = await startInstances({ count: 2 });
  url = cluster.instances[0].url;
  second = cluster.instances[1]?.url ?? '';
  account = await createAccount(url);
});
afterAll(() => cluster.stop());
const ask = async (more: object = {}) => {
  const scopes = ['clients:read', 'roll:execute'];
  const { body } = await call(url, 'POST', '/auth/key-request', {
    body: { appName: 'Dice bot', scopes, ...more },
  });
  return body['code'] as string;
};
const poll = (code: string, headers: Record<string, string> = {}, at = url) =>
  call(at, 'GET', `/auth/key-request/${code}/status`, { headers });
const approve = (code: string, body: object = {}) =>
  account.as('POST', `/auth/key-request/${code}/approve`, body);
const withKey = (key: unknown) => call(url, 'GET', '/clients', { headers: { 'x-api-key': String(key) } });

async function expire(): Promise<void> {
  const past = new Date(Date.now() - 1);
  await cluster.db.updateTable('keyRequests').set({ expiresAt: past }).execute();
}

describe('the device flow', () => {
  it('goes from asking over approving to one answer with the key', async () => {
    const created = await call(url, 'POST', '/auth/key-request', {
      body: {
        appName: 'Dice bot',
        appUrl: 'https://bot.example',
        scopes: ['clients:read'],
        suggestedMonthlyLimit: 100,
      },
    });
    expect(created.body).toEqual({
      code: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/) as unknown,
      approvalUrl: `${url}/approve/${String(created.body['code'])}`,
      expiresIn: 600,
      expiresAt: expect.any(String) as unknown,
    });
    const code = created.body['code'] as string;
    expect((await poll(code)).body).toEqual({ status: 'pending' });
    const shown = await account.as('GET', `/auth/key-request/${code}`);
    expect(shown.body).toMatchObject({
      appName: 'Dice bot',
      scopes: ['clients:read'],
      suggestedMonthlyLimit: 100,
      callbackHost: null,
      status: 'pending',
    });
    expect((await approve(code)).body).toEqual({ status: 'approved' });
    const approved = await poll(code);
    expect(approved.body).toEqual({
      status: 'approved',
      apiKey: expect.stringMatching(/^trk_/) as unknown,
      scopes: ['clients:read'],
      clientIds: [],
    });
    expect((await withKey(approved.body['apiKey'])).status).toBe(200);
    expect((await poll(code)).body).toEqual({ status: 'exchanged' });
    const keys = await account.as('GET', '/auth/api-keys');
    expect(keys.body['items']).toMatchObject([
      { name: 'Dice bot', scopes: ['clients:read'], clientIds: null, monthlyLimit: 100, expiresAt: null },
    ]);
  });

  it('narrows scopes, worlds, limit and life, and never widens', async () => {
    const { clientId } = await account.pair();
    const code = await ask();
    const wider = await approve(code, { scopes: ['clients:read', 'sys5e:write'] });
    expect(wider).toMatchObject({ status: 400, body: { errors: [{ field: 'scopes' }] } });
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const terms = { scopes: ['clients:read'], clientIds: [clientId], monthlyLimit: 7, expiresAt };
    expect((await approve(code, terms)).status).toBe(200);
    expect((await poll(code)).body).toMatchObject({ scopes: ['clients:read'], clientIds: [clientId] });
    const keys = await account.as('GET', '/auth/api-keys?limit=1');
    expect(keys.body['items']).toMatchObject([terms]);
  });

  it('ends when it is denied', async () => {
    const code = await ask();
    expect((await account.as('POST', `/auth/key-request/${code}/deny`)).body).toEqual({ status: 'denied' });
    expect((await poll(code)).body).toEqual({ status: 'denied' });
    expect(await approve(code)).toMatchObject({ status: 410, body: { code: 'code_used' } });
  });

  it('expires undecided, and approved but not collected', async () => {
    const pending = await ask();
    const approved = await ask();
    await approve(approved);
    await expire();
    expect((await poll(pending)).body).toEqual({ status: 'expired' });
    expect(await approve(pending)).toMatchObject({ status: 410, body: { code: 'code_expired' } });
    expect((await poll(approved)).body).toEqual({ status: 'expired' });
  });

  it('with a pollChallenge gives the key to who has the verifier, and consumes nothing for others', async () => {
    const verifier = randomBytes(32).toString('base64url');
    const code = await ask({ pollChallenge: createHash('sha256').update(verifier).digest('base64url') });
    await approve(code);
    expect((await poll(code)).body).toEqual({ status: 'approved' });
    expect((await poll(code, { 'x-poll-verifier': 'wrong' })).body).toEqual({ status: 'approved' });
    const collected = await poll(code, { 'x-poll-verifier': verifier });
    expect(collected.body['apiKey']).toMatch(/^trk_/);
  });

  const rounds = Number(process.env['RACE_ROUNDS'] ?? 100);
  it(`gives the key to one of two racing polls, ${rounds} times`, async () => {
    let several = 0;
    let none = 0;
    for (let batch = 0; batch < rounds; batch += 20) {
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          const code = await ask();
          await approve(code);
          const answers = await Promise.all([poll(code), poll(code, {}, second)]);
          const keys = answers.filter((answer) => answer.body['apiKey'] !== undefined).length;
          if (keys > 1) several++;
          if (keys < 1) none++;
        }),
      );
    }
    expect({ several, none }).toEqual({ several: 0, none: 0 });
  }, 120_000);

  const countKeys = async () =>
    (await cluster.db.selectFrom('apiKeys').select('id').where('accountId', '=', account.accountId).execute())
      .length;

  it('revokes a key whose caller left before it was made', async () => {
    const code = await ask();
    await approve(code);
    const before = await countKeys();
    // The row is held, so that the poll waits; its caller goes away meanwhile.
    await cluster.db.transaction().execute(async (trx) => {
      await trx.selectFrom('keyRequests').select('id').forUpdate().execute();
      const sent = request(`${url}/auth/key-request/${code}/status`);
      sent.on('error', () => {});
      sent.end();
      await expect
        .poll(async () => {
          const waiting = await cluster.db
            .selectFrom('pg_stat_activity' as never)
            .select('wait_event_type' as never)
            .where('wait_event_type' as never, '=', 'Lock' as never)
            .execute();
          return waiting.length;
        })
        .toBeGreaterThan(0);
      sent.destroy();
    });
    await expect.poll(async () => (await poll(code)).body['status']).toBe('exchanged');
    await expect.poll(countKeys).toBe(before);
  });

  it('revokes a key whose caller left after it was made and before the answer was written', async () => {
    const pairing = await account.pair();
    const module = await connectModule(url, pairing);
    const code = await ask();
    await approve(code);
    const before = await countKeys();
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    // Answers keep the order of a connection's requests: the poll's waits behind a world that is silent.
    const head = (path: string, more = '') =>
      `GET ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n${more}\r\n`;
    socket.write(
      head(`/players?clientId=${pairing.clientId}`, `x-api-key: ${account.masterKey}\r\n`) +
        head(`/auth/key-request/${code}/status`),
    );
    await expect.poll(countKeys).toBe(before + 1);
    expect((await poll(code)).body).toEqual({ status: 'exchanged' });
    socket.destroy();
    await expect.poll(countKeys).toBe(before);
    await module.close();
  });

  it('keeps the key of a caller that hangs up with the answer in hand', async () => {
    const code = await ask();
    await approve(code);
    const { body } = await poll(code, { connection: 'close' });
    const other = await ask();
    await approve(other);
    await poll(other, { connection: 'close' });
    expect((await withKey(body['apiKey'])).status).toBe(200);
  });

  it('collects nothing for an account that was blocked meanwhile', async () => {
    const own = await createAccount(url);
    const code = await ask();
    await own.as('POST', `/auth/key-request/${code}/approve`);
    await cluster.db
      .updateTable('accounts')
      .set({ rotationRequired: true })
      .where('id', '=', own.accountId)
      .execute();
    expect((await poll(code)).body).toEqual({ status: 'approved' });
  });

  it('is cancelled by a rotation', async () => {
    const own = await createAccount(url);
    const code = await ask();
    await own.as('POST', `/auth/key-request/${code}/approve`);
    await call(url, 'POST', '/auth/regenerate-key', { body: { email: own.email, password: own.password } });
    expect((await poll(code)).body).toEqual({ status: 'denied' });
  });
});

describe('asking for a key', () => {
  it.each([
    [{ scopes: ['clients:read'] }, 'appName'],
    [{ appName: 'Bot' }, 'scopes'],
    [{ appName: 'Bot', scopes: [] }, 'scopes'],
    [{ appName: 'Bot', scopes: ['nope'] }, 'scopes.0'],
    [{ appName: 'Bot', scopes: ['clients:read'], appUrl: 'javascript:alert(1)' }, 'appUrl'],
    [{ appName: 'Bot', scopes: ['clients:read'], pollChallenge: 'short' }, 'pollChallenge'],
    [{ appName: 'Bot', scopes: ['clients:read'], extra: 1 }, 'extra'],
  ])('is refused for %j, naming %s', async (body, field) => {
    const answer = await call(url, 'POST', '/auth/key-request', { body });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ field }] } });
  });

  it('answers any origin, and the approval only its own', async () => {
    const code = await ask();
    expect((await poll(code)).headers.get('access-control-allow-origin')).toBe('*');
    const shown = await account.as('GET', `/auth/key-request/${code}`);
    expect(shown.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('is unknown by any other code', async () => {
    for (const code of ['0'.repeat(26), 'short', '%2e%2e', 'x'.repeat(65), 'x'.repeat(512)]) {
      expect(await poll(code)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });
});
