import { assistantPresets } from '@tabletop-relay/contract';
import { createSealer } from '@tabletop-relay/database';
import { call, createAccount, makeAdministrator } from '@tabletop-relay/testing/scenes';
import type { Answer, TestAccount } from '@tabletop-relay/testing/scenes';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSecret, familyOf } from '../../src/credentials/secret.ts';
import { startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';
import { ask, connectDemoWorld } from '../mcp/assistant.ts';
import { codeOf, createBrowser, postForm, signIn } from './program.ts';
import { approvedCode, exchangeCode, mcp, prepareRequest, registerClient, wide } from './raw-steps.ts';
import type { Client } from './raw-steps.ts';

let two: TwoInstances;
let url: string;
let secondUrl: string;
let account: TestAccount;

beforeAll(async () => {
  two = await startTwo('memory', { config: { limitOauthToken: '60 per 1 h' } });
  ({ url } = two.first);
  secondUrl = two.second.url;
  account = await createAccount(url);
});
afterAll(() => two.stop());

const list = { method: 'tools/list' };

interface Grant {
  owner: TestAccount;
  client: Client;
  access: string;
  refresh: string;
}

async function newGrant(owner = account, client?: Client): Promise<Grant> {
  const asked = await approvedCode({ url, account: owner }, {}, client);
  const { body } = await exchangeCode(url, asked);
  const [access, refresh] = [String(body['access_token']), String(body['refresh_token'])];
  return { owner, client: asked.client, access, refresh };
}

const refreshAt = (at: string, { client }: Pick<Grant, 'client'>, token: string) =>
  postForm(at, '/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: token,
    client_id: client.client_id,
  });

const statuses = async (grant: Grant) => [
  (await mcp(url, grant.access, list)).status,
  (await mcp(secondUrl, grant.access, list)).status,
];

/** Ten minutes ago: beyond the time in which the one before is taken once more. */
const ageRotation = ({ owner }: Grant) =>
  two.cluster.db
    .updateTable('oauthGrants')
    .set({ rotatedAt: new Date(Date.now() - 600_000) })
    .where('keyId', 'in', (query) =>
      query.selectFrom('apiKeys').select('id').where('accountId', '=', owner.accountId),
    )
    .execute();

const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };

describe('a sign-in ends as keys do', () => {
  /** A sign-in and a code of an account that an administrator has stopped: neither is worth anything. */
  async function stopped(verb: string) {
    const owner = await createAccount(url);
    const admin = await createAccount(url);
    await makeAdministrator(two.cluster.db, admin);
    const grant = await newGrant(owner);
    const waiting = await approvedCode({ url, account: owner });
    await admin.as('POST', `/admin/accounts/${owner.accountId}/${verb}`);
    await expect.poll(() => statuses(grant), { timeout: 1_000 }).toEqual([403, 403]);
    expect(await refreshAt(secondUrl, grant, grant.refresh)).toMatchObject(invalidGrant);
    expect(await exchangeCode(secondUrl, waiting)).toMatchObject(invalidGrant);
    return { owner, admin, grant, waiting };
  }

  it('while its account is disabled, on both instances', async () => {
    const { owner, admin, grant } = await stopped('disable');
    await admin.as('POST', `/admin/accounts/${owner.accountId}/enable`);
    // A key works again too.
    expect((await refreshAt(secondUrl, grant, grant.refresh)).status).toBe(200);
  });

  it('where the master key has to be rotated, and for good when it is', async () => {
    const { owner, grant, waiting } = await stopped('force-rotation');
    const { email, password } = owner;
    const rotated = await call(url, 'POST', '/auth/regenerate-key', { body: { email, password } });
    expect(rotated.status).toBe(200);
    await expect.poll(() => statuses(grant), { timeout: 1_000 }).toEqual([401, 401]);
    expect(await refreshAt(url, grant, grant.refresh)).toMatchObject(invalidGrant);
    expect(await exchangeCode(url, waiting)).toMatchObject(invalidGrant);
  });

  it('at the deletion of its account', async () => {
    const owner = await createAccount(url);
    const grant = await newGrant(owner);
    const waiting = await approvedCode({ url, account: owner });
    expect((await owner.as('DELETE', '/auth/account', { password: owner.password })).status).toBe(200);
    await expect.poll(() => statuses(grant), { timeout: 1_000 }).toEqual([401, 401]);
    expect(await refreshAt(url, grant, grant.refresh)).toMatchObject(invalidGrant);
    expect(await exchangeCode(secondUrl, waiting)).toMatchObject(invalidGrant);
    const left = await two.cluster.db
      .selectFrom('oauthRequests')
      .select('id')
      .where('accountId', '=', owner.accountId)
      .execute();
    expect(left).toEqual([]);
  }); // prettier-ignore
});

describe('a call of a program that was signed in', () => {
  it('is made as the user that its person chose, and cannot name another', async () => {
    const owner = await createAccount(url);
    const pairing = await owner.pair({ worldId: 'sunken-chapel' });
    const module = await connectDemoWorld(url, pairing);
    const { client } = await signIn(url, owner, {
      terms: { scopes: assistantPresets[1].scopes, actingUserIds: { [pairing.clientId]: 'ben' } },
    });
    const save = { actorUuid: 'Actor.borin', ability: 'wis', world: pairing.clientId };
    expect((await ask(client, 'ability_save', save)).data).toMatchObject({
      code: 'operation_failed',
      reason: 'permission_denied',
    });
    expect((await ask(client, 'ability_save', { ...save, userId: 'gm' })).data).toMatchObject({
      code: 'acting_user_fixed',
    });
    await client.close();
    module.close();
  });
});

describe('a request to sign in', () => {
  it('costs the relay nothing until a person decides: a flood of strangers is refused nothing and fills nothing', async () => {
    const { address } = await prepareRequest(url);
    const before = await countRequests();
    const answers: string[] = [];
    for (let round = 0; round < 20; round++)
      // oxlint-disable-next-line no-await-in-loop -- Twenty at once, from one address.
      answers.push(...(await Promise.all(Array.from({ length: 20 }, async () => (await createBrowser(url).open(address)).pathname))));
    expect(new Set(answers)).toEqual(new Set(['/oauth/consent']));
    expect(await countRequests()).toBe(before);
    expect((await newGrant()).access).toMatch(/^tro_/);
  }); // prettier-ignore

  it('is decided once, whichever instance is asked, and by one account', async () => {
    const other = await createAccount(url);
    const browser = createBrowser(url);
    const code = codeOf(await browser.open((await prepareRequest(url)).address));
    const elsewhere = createBrowser(secondUrl);
    for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
    const answers = await Promise.all([
      ...[account, account, other].map((who) => browser.as(who, 'POST', '/oauth/request/approve', { code, ...wide })),
      ...[account, other, other].map((who) => elsewhere.as(who, 'POST', '/oauth/request/approve', { code, ...wide })),
    ]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 410, 410, 410, 410, 410]);
    for (const verb of ['approve', 'deny'])
      // oxlint-disable-next-line no-await-in-loop -- One after the other.
      expect((await elsewhere.as(account, 'POST', `/oauth/request/${verb}`, verb === 'deny' ? { code } : { code, ...wide })).status).toBe(410);
    const shown = [account, other].map((who) => elsewhere.as(who, 'GET', `/oauth/request?code=${code}`));
    expect((await Promise.all(shown)).map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 404]);
  }); // prettier-ignore

  it('is none whose code was changed, nor after ten minutes', async () => {
    const browser = createBrowser(url);
    const code = codeOf(await browser.open((await prepareRequest(url)).address));
    for (const other of [code.slice(1), `${code}A`, `${code}=`, code.slice(0, -5) + 'AAAAA', randomBytes(300).toString('base64url')])
      // oxlint-disable-next-line no-await-in-loop -- One after the other.
      expect((await browser.as(account, 'POST', '/oauth/request/approve', { code: other, ...wide })).status, other).toBe(404);
    const sealer = createSealer(['a secret for tests; long enough.']);
    const asked = JSON.parse(sealer.open(code, 'request to sign in') ?? '') as { atMs: number };
    const late = sealer.seal(JSON.stringify({ ...asked, atMs: asked.atMs - 600_000 }), 'request to sign in');
    expect((await browser.as(account, 'GET', `/oauth/request?code=${late}`)).body['status']).toBe('expired');
    expect(await browser.as(account, 'POST', '/oauth/request/approve', { code: late, ...wide })).toMatchObject({ body: { code: 'code_expired' } });
  }); // prettier-ignore

  it('gives back the state as it came, and what stood in the redirect', async () => {
    const odd = 'https://claude.ai/cb?a=b%20c&d=~%2F';
    const client = await registerClient(url, { redirect_uris: [odd] });
    const state = `a b&c="\\'%00é😀${'x'.repeat(3_000)}`;
    const browser = createBrowser(url);
    const { address } = await prepareRequest(url, { redirect_uri: odd, state }, client);
    const { body } = await browser.as(account, 'POST', '/oauth/request/deny', { code: codeOf(await browser.open(address)) });
    expect(String(body['redirectUrl']).startsWith(`${odd}&`)).toBe(true);
    expect(new URL(String(body['redirectUrl'])).searchParams.get('state')).toBe(state);
    const { address: bad } = await prepareRequest(url, { state: 'a\u0000b' });
    expect((await createBrowser(url).open(bad)).pathname).toBe('/oauth/refused');
  }); // prettier-ignore

  it('leads to no page of the relay itself, as which it would be named', async () => {
    const own = `${url}/oauth/refused`;
    const client = await registerClient(url, { redirect_uris: [own] });
    const { address } = await prepareRequest(url, { redirect_uri: own }, client);
    expect((await createBrowser(url).open(address)).search).toBe('?why=redirect_unknown');
  });
});

const countRequests = async () => {
  const { count } = await two.cluster.db
    .selectFrom('oauthRequests')
    .select((query) => query.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
};

describe('where a sign-in leads', () => {
  it('stands whole behind its name, however long the program makes both', async () => {
    const host = `claude.ai.${'x'.repeat(50)}.${'y'.repeat(40)}.evil.example`;
    const callback = `https://${host}/cb`;
    const client = await registerClient(url, { redirect_uris: [callback], client_name: 'Claude '.repeat(20) });
    const owner = await createAccount(url);
    const asked = await approvedCode({ url, account: owner }, { redirect_uri: callback }, client);
    expect((await exchangeCode(url, asked, { redirect_uri: callback })).status).toBe(200);
    const { items } = (await owner.as('GET', '/auth/api-keys')).body as { items: { name: string; signedIn: unknown }[] };
    expect(items[0]?.name).toMatch(/^Claude .*evil\.example\)$/);
    expect(items[0]?.signedIn).toEqual({ host });
  }); // prettier-ignore
});

describe('a refresh token', () => {
  it('is exchanged by two instances at once for one new pair, and the sign-in goes on', async () => {
    const grant = await newGrant(await createAccount(url));
    const answers = await Promise.all(
      [url, secondUrl, url, secondUrl].map((at) => refreshAt(at, grant, grant.refresh)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const next = answers
      .map(({ body }) => body['refresh_token'])
      .filter((token): token is string => typeof token === 'string');
    expect(next.length).toBe(1);
    for (const { body } of answers)
      // oxlint-disable-next-line no-await-in-loop -- One after the other.
      expect((await mcp(secondUrl, String(body['access_token']), list)).status).toBe(200);
    expect((await refreshAt(secondUrl, grant, next[0] ?? '')).status).toBe(200);
  });

  it('is exchanged sixty times an hour for each sign-in, and one that was used long ago ends it all the same', async () => {
    const owner = await createAccount(url);
    const grant = await newGrant(owner);
    let last = grant.refresh;
    let refused: Answer | undefined;
    for (let time = 0; time < 61; time++) {
      // oxlint-disable-next-line no-await-in-loop -- Each has the token of the one before.
      const answer = await refreshAt(time % 2 ? url : secondUrl, grant, last);
      if (answer.status === 200) last = String(answer.body['refresh_token']);
      else refused = answer;
    }
    expect(refused).toMatchObject({ status: 429, body: { error: 'rate_limited' } });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    const beside = await newGrant(owner);
    expect((await refreshAt(url, beside, beside.refresh)).status).toBe(200);
    // Who stole one may use up the limit, so that its owner’s would be refused before it is known for an old one.
    await ageRotation(grant);
    expect(await refreshAt(url, grant, grant.refresh)).toMatchObject(invalidGrant);
    await expect.poll(() => statuses(grant), { timeout: 1_000 }).toEqual([401, 401]);
  });
});

it('no line of the log holds a code, a token, a verifier, a client or what a program said', async () => {
  const owner = await createAccount(url);
  const client = await registerClient(url, { token_endpoint_auth_method: 'client_secret_post' });
  const asked = await approvedCode({ url, account: owner }, { state: 'the-state-of-a-program' }, client);
  const { body } = await exchangeCode(url, asked, { client_secret: client.client_secret });
  const tokens = [String(body['access_token']), String(body['refresh_token'])];
  await mcp(url, tokens[0] ?? '', list);
  await postForm(url, '/oauth/token', { grant_type: 'refresh_token', refresh_token: tokens[1], client_id: client.client_id });
  await postForm(url, '/oauth/revoke', { token: tokens[1], client_id: client.client_id, client_secret: 'wrong' });
  await exchangeCode(url, asked, { client_secret: 'wrong' });
  const logs = JSON.stringify(two.cluster.logs);
  expect(logs.length).toBeGreaterThan(100);
  for (const secret of [...tokens, asked.code, asked.verifier, client.client_secret ?? '', client.client_id, codeOf(asked.page), 'the-state-of-a-program'])
    expect(logs.includes(secret), secret).toBe(false);
}); // prettier-ignore

it('failures are told in the letters that the standard allows', async () => {
  const texts = await Promise.all([
    postForm(url, '/oauth/token', { grant_type: 'refresh_token', client_id: 'x', refresh_token: 'x' }),
    postForm(url, '/oauth/token', { client_id: 'x' }),
    postForm(url, '/oauth/revoke', { token: 'x', client_secret: 'x"', client_id: 'x' }),
    call(url, 'POST', '/oauth/register', { body: { redirect_uris: ['x'] } }),
  ]);
  const told = texts.map(({ body }) => body['error_description']).filter((text) => text !== undefined);
  expect(told.length).toBe(3);
  for (const text of told) expect(text).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
});

describe('an address of many programs', () => {
  it('may send few made-up tokens that begin like one of a sign-in, and its own go on', async () => {
    const grant = await newGrant(await createAccount(url));
    expect((await mcp(url, grant.access, list)).status).toBe(200);
    const madeUp = () => createSecret('accessToken', familyOf(grant.access)).value;
    let answer: Pick<Answer, 'status' | 'body'> | undefined;
    for (let time = 0; time < 200 && answer?.status !== 429; time++)
      // oxlint-disable-next-line no-await-in-loop -- One after the other.
      answer = await mcp(url, madeUp(), list);
    expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect((await mcp(url, grant.access, list)).status).toBe(200);
  });

  it('may try few unknown ones, and those that are signed in go on', async () => {
    const grant = await newGrant(await createAccount(url));
    const unknown = () => createSecret('refreshToken').value;
    let status = 0;
    for (let time = 0; time < 90 && status !== 429; time++)
      // oxlint-disable-next-line no-await-in-loop -- One after the other.
      ({ status } = await refreshAt(url, grant, unknown()));
    expect(status).toBe(429);
    expect((await refreshAt(url, grant, grant.refresh)).status).toBe(200);
  });
});
