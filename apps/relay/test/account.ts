import { scopeNames } from '@tabletop-relay/contract';
import type { Scope } from '@tabletop-relay/contract';
import { connectFakeModule } from '@tabletop-relay/testing';
import type { FakeModule, FakeModuleOptions } from '@tabletop-relay/testing';
import { randomBytes } from 'node:crypto';

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

/** Registers an account through the API of an instance. */
export async function createAccount(url: string): Promise<TestAccount> {
  const email = `${randomBytes(6).toString('hex')}@example.org`;
  const password = `correct horse ${randomBytes(4).toString('hex')}`;
  const registered = await call(url, 'POST', '/auth/register', { body: { email, password } });
  if (registered.status !== 200) throw new Error(`register answered ${JSON.stringify(registered.body)}`);
  const { account, masterKey, sessionToken } = registered.body as {
    account: { id: string };
    masterKey: string;
    sessionToken: string;
  };
  const as = (method: string, path: string, body?: unknown) =>
    call(url, method, path, { body, headers: { authorization: `Bearer ${sessionToken}` } });
  return {
    email,
    password,
    accountId: account.id,
    masterKey,
    sessionToken,
    as,
    async createKey({ scopes = scopeNames, ...rest } = {}) {
      const { status, body } = await as('POST', '/auth/api-keys', { name: 'test', scopes, ...rest });
      if (status !== 200) throw new Error(`api-keys answered ${JSON.stringify(body)}`);
      return body['apiKey'] as string;
    },
    async pair(world = {}) {
      const made = await as('POST', '/auth/pairing-codes', {});
      const paired = await call(url, 'POST', '/auth/pair', {
        body: {
          code: made.body['code'],
          worldId: world.worldId ?? `world-${randomBytes(4).toString('hex')}`,
          worldTitle: world.worldTitle ?? 'A test world',
          systemId: world.systemId ?? 'dnd5e',
        },
      });
      if (paired.status !== 200) throw new Error(`pair answered ${JSON.stringify(paired.body)}`);
      return paired.body as unknown as Pairing;
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
