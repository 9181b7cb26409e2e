import { randomBytes } from 'node:crypto';
import { scopeNames } from '@tabletop-relay/contract';
import type { Scope } from '@tabletop-relay/contract';
import type { Database } from '@tabletop-relay/database';
import { createAccountClient } from '@tabletop-relay/sdk';
import { connectFakeModule } from '../network/fake-module.ts';
import type { FakeModule, FakeModuleOptions } from '../network/fake-module.ts';

export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

/** Calls an instance; JSON in, JSON out. */
export async function call(
  url: string,
  method: string,
  path: string,
  options: { body?: unknown; headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    ...(options.signal ? { signal: options.signal } : {}),
  });
  const text = await response.text();
  if (text.startsWith('<')) throw new Error(`${method} ${path} answered ${response.status} ${text}`);
  return {
    status: response.status,
    headers: response.headers,
    body: text ? (JSON.parse(text) as Answer['body']) : {},
  };
}

/** The header by which a session is named. */
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

export interface TestAccount {
  email: string;
  password: string;
  accountId: string;
  masterKey: string;
  sessionToken: string;
  /** Calls an account endpoint as the signed-in person. */
  as(method: string, path: string, body?: unknown): Promise<Answer>;
  /** A scoped key; every scope unless told otherwise. */
  createKey(options?: {
    scopes?: readonly Scope[];
    clientIds?: string[];
    monthlyLimit?: number;
  }): Promise<string>;
  /** Pairs a new world. */
  pair(world?: { worldId?: string; worldTitle?: string; systemId?: string }): Promise<Pairing>;
}

export interface Pairing {
  token: string;
  clientId: string;
  relayUrl: string;
}

/** The events of which the account's owner is to be told. */
export async function eventsTold(db: Database, accountId: string): Promise<unknown[]> {
  const notices = await db
    .selectFrom('notices')
    .select('record')
    .where('accountId', '=', accountId)
    .orderBy('id')
    .execute();
  return notices.map(({ record }) => record['event'] ?? record['outcome']);
}

/** Registers an account through the API of an instance. */
export async function createAccount(url: string): Promise<TestAccount> {
  const email = `${randomBytes(6).toString('hex')}@example.org`;
  const password = `correct horse ${randomBytes(4).toString('hex')}`;
  const { account, masterKey, sessionToken } = await createAccountClient({ url }).register({
    email,
    password,
  });
  const headers = bearer(sessionToken);
  const client = createAccountClient({ url, headers });
  return {
    email,
    password,
    accountId: account.id,
    masterKey,
    sessionToken,
    as: (method, path, body) => call(url, method, path, { body, headers }),
    async createKey({ scopes = scopeNames, ...terms } = {}) {
      return (await client.createApiKey({ name: 'test', scopes: [...scopes], ...terms })).apiKey;
    },
    async pair({ worldId, worldTitle = 'A test world', systemId = 'dnd5e' } = {}) {
      const { code } = await client.createPairingCode();
      const id = worldId ?? `world-${randomBytes(4).toString('hex')}`;
      return await client.pair({ code, worldId: id, worldTitle, systemId });
    },
  };
}

/** Connects a bare module and waits until it may be called. */
export async function connectModule(
  url: string,
  { token, clientId }: Pick<Pairing, 'token' | 'clientId'>,
  answer?: FakeModuleOptions['answer'],
  options: Partial<FakeModuleOptions> = {},
): Promise<FakeModule> {
  const module = await connectFakeModule({ url, token, clientId, ...(answer ? { answer } : {}), ...options });
  await module.next('auth-success');
  return module;
}
