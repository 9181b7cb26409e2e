import type { FakeModule } from '@tabletop-relay/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectModule, createAccount } from '../account.ts';
import type { Pairing, TestAccount } from '../account.ts';
import { createBystander } from '../bystander.ts';
import type { Bystander } from '../bystander.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { expectProblem, send } from '../problem.ts';

const maxBodyBytes = 20_000;

let cluster: TestInstances;
let url: string;
let account: TestAccount;
let key: string;
let pairing: Pairing;
let module: FakeModule;
let bystander: Bystander;

beforeAll(async () => {
  cluster = await startInstances({ config: { maxBodyBytes } });
  url = cluster.instances[0].url;
  account = await createAccount(url);
  key = await account.createKey();
  pairing = await account.pair();
  module = await connectModule(url, pairing, () => ({ data: {} }));
  bystander = await createBystander(url);
});
afterAll(async () => {
  await bystander.close();
  await module.close();
  await cluster.stop();
});
beforeEach(() => bystander.begin());
afterEach(() => bystander.expectUnharmed());

const json = { 'content-type': 'application/json' };
const good = { actorUuid: 'Actor.a', skill: 'prc' };

interface Call {
  query?: string;
  body?: string | object;
  headers?: Record<string, string>;
}

/** `POST /sys5e/skill-check`, right but for what is given. */
function skillCheck({ query = `clientId=${pairing.clientId}`, body = good, headers = {} }: Call = {}) {
  return send('POST', `${url}/sys5e/skill-check?${query}`, {
    headers: { ...json, 'x-api-key': key, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

const fieldsOf = (body: Record<string, unknown>) =>
  (body['errors'] as { field: string }[]).map(({ field }) => field).sort();

describe('a world', () => {
  const named = (clientId: string, apiKey = key) =>
    skillCheck({ query: `clientId=${clientId}`, headers: { 'x-api-key': apiKey } });

  it('that is unknown, another account’s or outside the key’s restriction is the same 404', async () => {
    const stranger = await createAccount(url);
    const theirs = await stranger.pair();
    const theirModule = await connectModule(url, theirs);
    const mine = await account.pair();
    const bound = await account.createKey({ clientIds: [mine.clientId] });
    const answers = [
      [await named('nobodys-world'), 'nobodys-world'],
      [await named('%00'), '\0'],
      [await named(theirs.clientId), theirs.clientId],
      [await named(pairing.clientId, bound), pairing.clientId],
    ] as const;
    for (const [answer, clientId] of answers) {
      expectProblem(cluster, answer, { code: 'client_not_found', outcome: 'not_sent' });
      expect(String(answer.body['detail'])).toBe(`No world ${clientId} that this key may reach.`);
      expect(Object.keys(answer.body)).toEqual(Object.keys(answers[0][0].body));
    }
    expect(theirModule.count('skill-check')).toBe(0);
    await theirModule.close();
  });

  it('that is offline is 404 with the time when it was last seen, 0 for never', async () => {
    const never = await account.pair();
    expectProblem(cluster, await named(never.clientId), {
      code: 'client_offline',
      outcome: 'not_sent',
      lastSeen: 0,
    });
    const since = Date.now();
    await (await connectModule(url, never)).close();
    await expect.poll(async () => (await named(never.clientId)).body['lastSeen']).toBeGreaterThan(since - 1);
    expect((await named(never.clientId)).body['lastSeen']).toBeLessThanOrEqual(Date.now());
  });

  it('is named in the query, the body or a header, and two that differ are refused', async () => {
    const { clientId } = pairing;
    const ok: Call[] = [
      { query: `clientId=${clientId}` },
      { query: '', body: { ...good, clientId } },
      { query: '', headers: { 'x-client-id': clientId } },
      { body: { ...good, clientId }, headers: { 'x-client-id': clientId } },
    ];
    for (const each of ok) expect((await skillCheck(each)).status).toBe(200);
    const differing: Call[] = [
      { body: { ...good, clientId: 'other' } },
      { headers: { 'x-client-id': 'other' } },
      { query: '', body: { ...good, clientId }, headers: { 'x-client-id': 'other' } },
      { query: `clientId=${clientId}&clientId=${clientId}` },
      { query: 'clientId=' },
      { query: '', body: { ...good, clientId: 7 } },
      { query: '', body: { ...good, clientId: null } },
    ];
    for (const each of differing) {
      const answer = await skillCheck(each);
      expectProblem(cluster, answer, { code: 'invalid_request', outcome: 'not_sent', detail: /clientId/ });
      expect(fieldsOf(answer.body)).toEqual(['clientId']);
    }
  });

  it('need not be named by a key that is bound to one or may see one that is online; else the candidates are told', async () => {
    const own = await createAccount(url);
    const ownKey = await own.createKey();
    const ask = (apiKey: string) => skillCheck({ query: '', headers: { 'x-api-key': apiKey } });
    expectProblem(cluster, await ask(ownKey), {
      code: 'client_required',
      outcome: 'not_sent',
      candidates: [],
    });

    const [first, second] = [await own.pair(), await own.pair()];
    const one = await connectModule(url, first, () => ({ world: 1 }));
    expect((await ask(ownKey)).body).toMatchObject({ world: 1 });
    const two = await connectModule(url, second, () => ({ world: 2 }));
    const answer = await ask(ownKey);
    expectProblem(cluster, answer, { code: 'client_required', outcome: 'not_sent' });
    expect((answer.body['candidates'] as string[]).sort()).toEqual([first.clientId, second.clientId].sort());

    const bound = await own.createKey({ clientIds: [second.clientId] });
    expect((await ask(bound)).body).toMatchObject({ world: 2 });
    await two.close();
    expectProblem(cluster, await ask(bound), { code: 'client_offline', outcome: 'not_sent' });
    expect((await ask(ownKey)).body).toMatchObject({ world: 1 });
    await one.close();
  });

  it('by an id that no world can have is not active, and that is no trouble of ours', async () => {
    for (const id of ['%00', 'x'.repeat(600), '%F0%9F%98%80', "'--"]) {
      const answer = await send('GET', `${url}/api/clients/${id}/active`);
      expect([400, 404]).toContain(answer.status);
    }
  });
});
