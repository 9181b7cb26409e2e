import type { FakeModule } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { randomBytes } from 'node:crypto';

/** A tenant that does nothing while others are attacked in its neighbourhood. */
export interface Victim {
  account: TestAccount;
  module: FakeModule;
  clientId: string;
  /** A key of its own, to see whether its calls work. */
  key: string;
  /** What an attacker may have come by and sends: never a secret. */
  ids: Record<string, string>;
  /** Its credentials, by what they are. */
  secrets: Record<string, string>;
  /** What it called its things: nobody else has any of it. */
  names: Record<string, string>;
  close(): Promise<void>;
}

/** Opens an account that owns one of everything, each field filled with a mark of its own. */
export async function createVictim(url: string): Promise<Victim> {
  const account = await createAccount(url);
  const names: Record<string, string> = {};
  const mark = (field: string) => (names[field] = `canary-${randomBytes(8).toString('hex')}`);
  const made = await ok(account.as('POST', '/auth/api-keys', { name: mark('key name'), scopes: allScopes }));
  const pairing = await account.pair({
    worldId: mark('world id'),
    worldTitle: mark('world title'),
    systemId: mark('system id'),
  });
  await ok(
    account.as('PATCH', `/auth/known-clients/${pairing.clientId}`, { customName: mark('custom name') }),
  );
  const tokens = await ok(account.as('GET', '/auth/connection-tokens'));
  const tokenId = firstId(tokens);
  await ok(account.as('PATCH', `/auth/connection-tokens/${tokenId}`, { name: mark('browser name') }));
  const code = await ok(account.as('POST', '/auth/pairing-codes', {}));
  const asked = await ok(
    call(url, 'POST', '/auth/key-request', {
      body: { appName: mark('program name'), scopes: ['clients:read'] },
    }),
  );
  const requestCode = String(asked['code']);
  await ok(account.as('POST', `/auth/key-request/${requestCode}/approve`, {}));
  // A key that an address has used works on while others guess from there.
  await ok(call(url, 'GET', '/clients', { headers: { 'x-api-key': String(made['apiKey']) } }));
  const module = await connectModule(url, pairing, () => ({ data: {} }));
  return {
    account,
    module,
    clientId: pairing.clientId,
    key: String(made['apiKey']),
    ids: {
      clientId: pairing.clientId,
      key: String(made['id']),
      token: tokenId,
      session: firstId(await ok(account.as('GET', '/auth/sessions'))),
      account: account.accountId,
      email: account.email,
    },
    secrets: {
      'master key': account.masterKey,
      key: String(made['apiKey']),
      session: account.sessionToken,
      'connection token': pairing.token,
      password: account.password,
      'key request code': requestCode,
      'pairing code': String(code['code']),
    },
    names,
    close: () => module.close(),
  };
}

const allScopes = ['clients:read', 'user:read', 'world:read', 'roll:execute'];

async function ok(answer: ReturnType<TestAccount['as']>): Promise<Record<string, unknown>> {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(`the victim was refused: ${JSON.stringify(body)}`);
  return body;
}

const firstId = (list: Record<string, unknown>) => (list['items'] as { id: string }[])[0]?.id ?? '';
