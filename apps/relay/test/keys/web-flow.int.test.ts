import { call, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let url: string;
let account: TestAccount;

beforeAll(async () => {
  cluster = await startInstances();
  url = cluster.instances[0].url;
  account = await createAccount(url);
});
afterAll(() => cluster.stop());

const callbackUrl = 'https://bot.example/done?keep=1';
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
const exchange = (code: unknown, headers: Record<string, string> = {}) =>
  call(url, 'POST', '/auth/key-request/exchange', { body: { code }, headers });
const withKey = (key: unknown) => call(url, 'GET', '/clients', { headers: { 'x-api-key': String(key) } });
const exchangeCodeOf = (answer: { body: Record<string, unknown> }) =>
  new URL(String(answer.body['redirectUrl'])).searchParams.get('code');

/** How many statements wait for a lock. */
async function countWaiting(): Promise<number> {
  const waiting = await sql`
    select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
    cluster.db,
  );
  return waiting.rows.length;
}

async function expire(): Promise<void> {
  const past = new Date(Date.now() - 1);
  await cluster.db.updateTable('keyRequests').set({ expiresAt: past }).execute();
}

describe('the web flow', () => {
  it('leads to the callback with a code that is exchanged once, and never shows the key to a poll', async () => {
    const code = await ask({ callbackUrl });
    const approved = await approve(code);
    const redirect = new URL(String(approved.body['redirectUrl']));
    expect(redirect.origin + redirect.pathname).toBe('https://bot.example/done');
    expect(redirect.searchParams.get('keep')).toBe('1');
    const granted = { scopes: ['clients:read', 'roll:execute'], clientIds: [] };
    expect((await poll(code)).body).toEqual({ status: 'approved', ...granted });
    const exchanged = await exchange(exchangeCodeOf(approved));
    expect(exchanged.body).toEqual({
      apiKey: expect.stringMatching(/^trk_/) as unknown,
      ...granted,
    });
    expect((await poll(code)).body).toEqual({ status: 'exchanged', ...granted });
    const decided = cluster.db.selectFrom('auditLog').select('actor');
    const deciders = () => decided.where('event', '=', 'key_request.approved').execute();
    await expect.poll(deciders).toEqual([{ actor: 'session' }]);
    expect((await withKey(exchanged.body['apiKey'])).status).toBe(200);
    expect(await exchange(exchangeCodeOf(approved))).toMatchObject({
      status: 410,
      body: { code: 'code_used' },
    });
    await expect.poll(async () => (await withKey(exchanged.body['apiKey'])).status).toBe(401);
    const revoked = cluster.db.selectFrom('auditLog').select(['actor', 'detail']);
    const revokers = () => revoked.where('event', '=', 'api_key.revoked').execute();
    await expect.poll(revokers).toEqual([{ actor: 'relay', detail: { why: 'exchanged twice' } }]);
  });

  it('shows a description of several lines as one', async () => {
    const code = await ask({ callbackUrl, appDescription: ' Rolls dice.\n\nAnd tells. ' });
    const shown = await account.as('GET', `/auth/key-request/${code}`);
    expect(shown.body['appDescription']).toBe('Rolls dice. And tells.');
  });

  it('tells the callback of a refusal', async () => {
    const code = await ask({ callbackUrl });
    const denied = await account.as('POST', `/auth/key-request/${code}/deny`);
    expect(denied.body).toEqual({
      status: 'denied',
      redirectUrl: 'https://bot.example/done?keep=1&error=access_denied',
    });
  });

  it('ends 60 seconds after the approval', async () => {
    const approved = await approve(await ask({ callbackUrl }));
    const { expiresAt } = await cluster.db
      .selectFrom('keyRequests')
      .select('expiresAt')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(expiresAt.getTime() - Date.now()).toBeLessThanOrEqual(60_000);
    await expire();
    expect(await exchange(exchangeCodeOf(approved))).toMatchObject({
      status: 410,
      body: { code: 'code_expired', detail: 'Exchange codes live for 60 seconds.' },
    });
  });

  it('ends also for an exchange that waited while it expired', async () => {
    const approved = await approve(await ask({ callbackUrl }));
    const answer = await cluster.db.transaction().execute(async (trx) => {
      await trx.selectFrom('keyRequests').select('id').forUpdate().execute();
      const sent = [exchange(exchangeCodeOf(approved))];
      await expect.poll(() => countWaiting()).toBeGreaterThan(0);
      const past = new Date(Date.now() - 60_000);
      await trx.updateTable('keyRequests').set({ expiresAt: past }).execute();
      return sent;
    });
    expect(await answer[0]).toMatchObject({ status: 410, body: { code: 'code_expired' } });
  });

  it('with a pollChallenge takes the code from who has the verifier', async () => {
    const verifier = randomBytes(32).toString('base64url');
    const pollChallenge = createHash('sha256').update(verifier).digest('base64url');
    const asked = await ask({ callbackUrl, pollChallenge });
    const approved = await approve(asked);
    expect((await poll(asked)).body).toEqual({ status: 'approved' });
    expect((await poll(asked, { 'x-poll-verifier': verifier })).body).toEqual({
      status: 'approved',
      scopes: ['clients:read', 'roll:execute'],
      clientIds: [],
    });
    expect(await exchange(exchangeCodeOf(approved))).toMatchObject({ status: 403 });
    const right = await exchange(exchangeCodeOf(approved), { 'x-poll-verifier': verifier });
    expect(right.body['apiKey']).toMatch(/^trk_/);
    // A stranger's replay revokes nothing: it lacks the verifier.
    expect(await exchange(exchangeCodeOf(approved))).toMatchObject({ status: 403 });
    expect((await withKey(right.body['apiKey'])).status).toBe(200);
  });

  it('of twenty exchanges at once one gets a key, and the others end it', async () => {
    const approved = await approve(await ask({ callbackUrl }));
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(exchangeCodeOf(approved))));
    const [winner, ...more] = answers.filter((answer) => answer.status === 200);
    expect(more).toEqual([]);
    expect(answers.filter((answer) => answer.body['code'] === 'code_used')).toHaveLength(19);
    await expect.poll(async () => (await withKey(winner?.body['apiKey'])).status).toBe(401);
  });

  it('of two exchanges that both found the code unused, the later ends the key of the first', async () => {
    const approved = await approve(await ask({ callbackUrl }));
    const answers = await cluster.db.transaction().execute(async (trx) => {
      await trx.selectFrom('keyRequests').select('id').forUpdate().execute();
      const both = [exchange(exchangeCodeOf(approved)), exchange(exchangeCodeOf(approved))];
      await expect.poll(() => countWaiting()).toBeGreaterThan(0);
      return both;
    });
    const [first, later] = (await Promise.all(answers)).toSorted((a, b) => a.status - b.status);
    expect([first?.status, later?.body['code']]).toEqual([200, 'code_used']);
    await expect.poll(async () => (await withKey(first?.body['apiKey'])).status).toBe(401);
  });

  it.each([
    'http://bot.example/done',
    'http://127.0.0.1.bot.example/done',
    'javascript:alert(1)',
    'ftp://bot.example',
    'https://user:pass@bot.example',
    'https://bot.example/#x',
    'not an address',
    '//bot.example',
  ])('refuses the callback %s', async (bad) => {
    const body = { appName: 'Bot', scopes: ['clients:read'], callbackUrl: bad };
    const answer = await call(url, 'POST', '/auth/key-request', { body });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ field: 'callbackUrl' }] } });
  });

  it.each([
    'http://localhost:8080/cb',
    'http://127.0.0.1/cb',
    'http://127.0.0.2:9/cb',
    'http://[::1]:3000/cb',
  ])('allows %s', async (good) => {
    expect(await ask({ callbackUrl: good })).toHaveLength(26);
  });
});
