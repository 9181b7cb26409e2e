import { addTotp, call, codeOf, createAccount, sendTwice } from '@tabletop-relay/testing/scenes';
import type { Answer, TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startInstances } from '../../instances.ts';
import type { TestInstances } from '../../instances.ts';
import { createPasskey } from '../../passkey.ts';
import type { CreationOptions, RequestOptions, TestPasskey } from '../../passkey.ts';

const origin = 'https://relay.example';
let cluster: TestInstances;
let url: string;

beforeAll(async () => {
  cluster = await startInstances({
    count: 2,
    config: { publicUrl: origin, maxPasskeysPerAccount: 2, trustedProxies: ['127.0.0.1/32'] },
  });
  url = cluster.instances[0].url;
});
afterAll(() => cluster.stop());

const path = '/auth/second-factors/passkeys';
const byPasskey = (passkey: TestPasskey) => (demand: Answer['body']) => ({
  method: 'passkey',
  credential: passkey.get(demand['passkeyOptions'] as RequestOptions),
});

const login = (own: TestAccount, part: object = {}, at = url, headers = {}) =>
  call(at, 'POST', '/auth/login', { body: { email: own.email, password: own.password, ...part }, headers });

interface Begun {
  setup: string;
  options: CreationOptions & { excludeCredentials: { id: string }[] };
}

const begin = async (own: TestAccount, part: object = {}) =>
  await own.as('POST', path, { password: own.password, ...part });

const confirm = (own: TestAccount, { setup, options }: Begun, passkey: TestPasskey) =>
  own.as('POST', `${path}/confirm`, { setup, name: 'Blue key', credential: passkey.create(options) });

let account: TestAccount;
let passkey: TestPasskey;
let added: Answer;

beforeEach(async () => {
  account = await createAccount(url);
  passkey = createPasskey(origin);
  added = await confirm(account, (await begin(account)).body as unknown as Begun, passkey);
});

describe('a passkey', () => {
  it('is set up with recovery codes, and signs in beside the password, without a look at who holds it', async () => {
    expect(added).toMatchObject({
      status: 200,
      body: { factor: { kind: 'passkey', name: 'Blue key', usable: true }, recoveryCodes: expect.any(Array) },
    });
    const asked = await login(account);
    expect(asked).toMatchObject({
      status: 401,
      body: {
        code: 'second_factor_required',
        methods: ['passkey', 'recovery'],
        passkeyOptions: {
          rpId: 'relay.example',
          challenge: asked.body['challenge'],
          userVerification: 'discouraged',
          allowCredentials: [{ id: passkey.id, transports: ['usb'] }],
        },
      },
    });
    const done = await sendTwice((part) => login(account, part), byPasskey(passkey));
    expect(done).toMatchObject({ status: 200, body: { sessionToken: expect.stringMatching(/^trs_/) } });
    const { body } = await account.as('GET', '/auth/second-factors');
    expect(body).toMatchObject({ items: [{ lastUsedAt: expect.any(String) }], offered: ['totp', 'passkey'] });
  });

  const withOptions = (own: TestPasskey, changed: Partial<RequestOptions>) => (demand: Answer['body']) =>
    byPasskey(own)({ passkeyOptions: { ...(demand['passkeyOptions'] as RequestOptions), ...changed } });

  it.each<[string, (own: TestPasskey) => (demand: Answer['body']) => object]>([
    [
      'used on a page of another origin',
      (own) => {
        own.origin = 'https://relay.example.evil';
        return byPasskey(own);
      },
    ],
    ['with another challenge', (own) => withOptions(own, { challenge: 'AAAA' })],
    ['for another host', (own) => withOptions(own, { rpId: 'other.example' })],
    ['that nobody set up', () => byPasskey(createPasskey(origin))],
    [
      'that another key signed for',
      (own) => byPasskey(Object.assign(createPasskey(origin), { credential: own.credential })),
    ],
  ])('%s is refused', async (_what, answerOf) => {
    const send = (part: object) => login(account, part);
    expect(await sendTwice(send, answerOf(passkey))).toMatchObject({
      status: 401,
      body: { code: 'second_factor_invalid' },
    });
  });

  it('is heard although others guessed codes of the app with the right password', async () => {
    const adding = (part: object) =>
      account.as('POST', '/auth/second-factors/totp', { password: account.password, ...part });
    const { body } = await sendTwice(adding, byPasskey(passkey));
    const { setup, secret } = body as { setup: string; secret: string };
    await account.as('POST', '/auth/second-factors/totp/confirm', { setup, code: codeOf(secret) });
    const guesses = Array.from({ length: 12 }, async (_, index) => {
      const headers = { 'x-forwarded-for': `203.0.113.${index}` };
      const { body: asked } = await login(account, {}, url, headers);
      const secondFactor = { method: 'totp', challenge: asked['challenge'], code: String(100_000 + index) };
      return (await login(account, { secondFactor }, url, headers)).status;
    });
    expect(await Promise.all(guesses)).toContain(429);
    expect((await sendTwice((part) => login(account, part), byPasskey(passkey))).status).toBe(200);
  });

  it('of another account is refused', async () => {
    const other = await createAccount(url);
    const theirs = createPasskey(origin);
    await confirm(other, (await begin(other)).body as unknown as Begun, theirs);
    expect((await sendTwice((part) => login(account, part), byPasskey(theirs))).status).toBe(401);
    expect((await sendTwice((part) => login(other, part), byPasskey(theirs))).status).toBe(200);
  });

  it('is refused as a copy: its counter must grow', async () => {
    const send = (part: object) => login(account, part);
    passkey.counter = 5;
    expect((await sendTwice(send, byPasskey(passkey))).status).toBe(200);
    passkey.counter = 3;
    expect((await sendTwice(send, byPasskey(passkey))).status).toBe(401);
    passkey.counter = 6;
    expect((await sendTwice(send, byPasskey(passkey))).status).toBe(200);
  });

  it('lets one of fifty through that send the same answer at once, over two instances', async () => {
    const { body } = await login(account);
    const secondFactor = { challenge: body['challenge'], ...byPasskey(passkey)(body) };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => login(account, { secondFactor }, cluster.instances[i % 2]?.url)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('is set up once, by a page of this relay alone, and never past the bound', async () => {
    const other = await createAccount(url);
    const begun = (await begin(other)).body as unknown as Begun;
    expect(await confirm(other, begun, createPasskey('https://evil.example'))).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'credential' }] },
    });
    expect((await confirm(other, begun, passkey)).status).toBe(409);
    // The password and a factor for each set-up; all of them are confirmed at once.
    const setups: Begun[] = [];
    for (let i = 0; i < 4; i++) {
      const answer = await sendTwice((part) => begin(account, part), byPasskey(passkey));
      setups.push(answer.body as unknown as Begun);
    }
    expect(setups[0]?.options.excludeCredentials).toMatchObject([{ id: passkey.id }]);
    const answers = await Promise.all(setups.map((each) => confirm(account, each, createPasskey(origin))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
  });

  it('is renamed and removed', async () => {
    const { id } = added.body['factor'] as { id: string };
    const own = `/auth/second-factors/${id}`;
    expect((await account.as('PATCH', own, { name: 'Spare' })).body).toMatchObject({ name: 'Spare' });
    const remove = (part: object) => account.as('DELETE', own, { password: account.password, ...part });
    expect((await sendTwice(remove, byPasskey(passkey))).status).toBe(200);
    expect((await login(account)).status).toBe(200);
  });

  it('of another address is listed, and not asked for here', async () => {
    await cluster.db
      .updateTable('secondFactors')
      .set({ rpId: 'former.example' })
      .where('accountId', '=', account.accountId)
      .execute();
    expect((await account.as('GET', '/auth/second-factors')).body).toMatchObject({
      items: [{ name: 'Blue key', usable: false }],
    });
    const asked = await login(account);
    expect(asked.body).toMatchObject({ methods: ['recovery'] });
    expect(asked.body).not.toHaveProperty('passkeyOptions');
  });
});

describe('an address on which browsers have no passkeys', () => {
  let plain: TestInstances;
  beforeAll(async () => {
    plain = await startInstances();
  });
  afterAll(() => plain.stop());

  it('offers codes of an app alone', async () => {
    const own = await createAccount(plain.instances[0].url);
    expect((await own.as('GET', '/auth/second-factors')).body).toMatchObject({ offered: ['totp'] });
    expect(await begin(own)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    await addTotp(own, plain.db);
    expect((await login(own, {}, plain.instances[0].url)).body).toMatchObject({
      methods: ['totp', 'recovery'],
    });
  });
});
