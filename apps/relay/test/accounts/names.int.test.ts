import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let url: string;
let account: TestAccount;
let clientId: string;
let keyId: string;
let tokenId: string;

beforeAll(async () => {
  cluster = await startInstances();
  url = cluster.instances[0].url;
  account = await createAccount(url);
  ({ clientId } = await account.pair());
  const key = await account.as('POST', '/auth/api-keys', { name: 'k', scopes: ['clients:read'] });
  keyId = String(key.body['id']);
  const tokens = await account.as('GET', '/auth/connection-tokens');
  tokenId = (tokens.body['items'] as { id: string }[])[0]?.id ?? '';
});
afterAll(() => cluster.stop());

const hiddenTexts: [string, string][] = [
  ['a bidi override', 'Good \u202Eppa'],
  ['a bidi isolate', 'Good \u2066App'],
  ['a zero-width space', 'Good\u200BApp'],
  ['a control character', 'Good\u0007App'],
];

const ask = (more: object) =>
  call(url, 'POST', '/auth/key-request', {
    body: { appName: 'Bot', scopes: ['clients:read'], ...more },
  });

type Write = (text: string) => ReturnType<typeof call>;
const writes: [string, Write][] = [
  ['appName', (appName) => ask({ appName })],
  ['appDescription', (appDescription) => ask({ appDescription })],
  ['name', (name) => account.as('POST', '/auth/api-keys', { name, scopes: ['clients:read'] })],
  ['name', (name) => account.as('PATCH', `/auth/api-keys/${keyId}`, { name })],
  ['name', (name) => account.as('PATCH', `/auth/connection-tokens/${tokenId}`, { name })],
  ['customName', (customName) => account.as('PATCH', `/auth/known-clients/${clientId}`, { customName })],
];

describe.each(writes)('%s', (field, write) => {
  it.each(hiddenTexts)('with %s is refused, and the field is named', async (_what, text) => {
    expect(await write(text)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ field }] },
    });
  });

  it('is taken with letters of any language, and with emoji', async () => {
    expect((await write('Café \u5973 \u{1F469}\u{1F3FD}\u200D\u{1F4BB}')).status).toBe(200);
  });
});

it('a name is refused with a line break, and kept in its one form', async () => {
  expect((await ask({ appName: 'Good\nApproved by the relay' })).status).toBe(400);
  const { body } = await account.as('PATCH', `/auth/api-keys/${keyId}`, { name: ' Caf\u0065\u0301 ' });
  expect(body['name']).toBe('Caf\u00E9');
});

it('the paragraphs of a description are read as one', async () => {
  const { code } = (await ask({ appDescription: 'Rolls dice.\r\n\r\nFor your table.' })).body;
  const shown = await account.as('GET', `/auth/key-request/${String(code)}`);
  expect(shown.body['appDescription']).toBe('Rolls dice. For your table.');
});

it('a name of a world in blank is the module’s again', async () => {
  expect((await account.as('PATCH', `/auth/known-clients/${clientId}`, { customName: '  ' })).status).toBe(
    200,
  );
});

describe('an address that the approving person reads', () => {
  it('is spelled in ASCII where it has other letters', async () => {
    const { code } = (
      await ask({ appUrl: 'https://\u0430pple.example/x', callbackUrl: 'https://\u0430pple.example/y' })
    ).body;
    const shown = await account.as('GET', `/auth/key-request/${String(code)}`);
    expect(shown.body).toMatchObject({
      appUrl: 'https://xn--pple-43d.example/x',
      callbackHost: 'xn--pple-43d.example',
    });
  });

  it.each(['https://good.example@evil.example/', 'https://u:p@evil.example', 'file:///etc/passwd'])(
    'is refused as %s',
    async (appUrl) => {
      expect(await ask({ appUrl })).toMatchObject({ status: 400, body: { errors: [{ field: 'appUrl' }] } });
    },
  );
});

describe('what a module says of its world', () => {
  const dirty = 'The \u202Ettic\u200B\n of  Caf\u0065\u0301';
  const clean = 'The ttic of Caf\u00E9';

  it('is cleaned when it pairs and when it connects, and never refused', async () => {
    const own = await createAccount(url);
    const { code } = (await own.as('POST', '/auth/pairing-codes', {})).body;
    const said = { worldTitle: dirty, systemTitle: dirty, customName: dirty };
    const cleaned = { worldTitle: clean, systemTitle: clean, customName: clean };
    const paired = await call(url, 'POST', '/auth/pair', { body: { code, worldId: 'w', ...said } });
    expect(paired.status).toBe(200);
    const known = async () => (await own.as('GET', '/auth/known-clients')).body['items'] as object[];
    expect(await known()).toMatchObject([cleaned]);

    const pairing = paired.body as { token: string; clientId: string };
    const again = { worldTitle: `${dirty} 2`, systemTitle: `${dirty} 2`, customName: `${dirty} 2` };
    const module = await connectModule(url, pairing, undefined, { metadata: { worldId: 'w', ...again } });
    await expect
      .poll(known)
      .toMatchObject([
        { worldTitle: `${clean} 2`, systemTitle: `${clean} 2`, customName: `${clean} 2`, isOnline: true },
      ]);
    const list = await call(url, 'GET', '/clients', { headers: { 'x-api-key': own.masterKey } });
    expect(list.body['clients']).toMatchObject([{ worldTitle: `${clean} 2`, customName: `${clean} 2` }]);
    await module.close();
  });

  it('its browser’s name for itself holds nothing hidden in the records', async () => {
    const own = await createAccount(url);
    await call(url, 'POST', '/auth/login', {
      body: { email: own.email, password: own.password },
      headers: { 'user-agent': 'Good\u0085Browser' },
    });
    const { body } = await own.as('GET', '/auth/sessions');
    const agents = (body['items'] as { userAgent: string }[]).map(({ userAgent }) => userAgent);
    expect(agents).toContain('Good Browser');
  });
});
