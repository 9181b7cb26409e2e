import { bearer, call, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultLimits, startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let account: TestAccount;

beforeAll(async () => {
  cluster = await startInstances({ count: 2, config: { limitAccountChanges: '4 per 15 min' } });
  account = await createAccount(cluster.instances[0].url);
});
afterAll(() => cluster.stop());

describe('the changes of an account', () => {
  it('are limited together, whatever they change; what takes a right away is not, nor are others', async () => {
    const key = { name: 'k', scopes: ['clients:read'] };
    const { id } = (await account.as('POST', '/auth/api-keys', key)).body;
    const keyPath = `/auth/api-keys/${String(id)}`;
    const changes: [method: string, path: string, body: object | undefined, status: number][] = [
      ['PATCH', keyPath, { name: 'other' }, 200],
      ['PATCH', '/auth/known-clients/nothing', { customName: 'x' }, 404],
      ['POST', '/auth/pairing-codes', {}, 200],
      ['PUT', '/auth/call-log-settings', { keepsBodies: false }, 429],
      ['PATCH', keyPath, { name: 'third' }, 429],
      ['DELETE', keyPath, undefined, 200],
    ];
    for (const [method, path, body, status] of changes) {
      expect((await account.as(method, path, body)).status, `${method} ${path}`).toBe(status);
    }
    // Both instances count together.
    const refused = await call(cluster.instances[1]?.url ?? '', 'POST', '/auth/api-keys', {
      body: key,
      headers: bearer(account.sessionToken),
    });
    expect(refused.body).toMatchObject({ code: 'rate_limited', retryable: true });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800);
    expect((await account.as('GET', '/auth/api-keys')).status).toBe(200);
    const other = await createAccount(cluster.instances[0].url);
    expect((await other.as('POST', '/auth/api-keys', key)).status).toBe(200);
  });

  it('are so many by default that a script may make three hundred keys and name each', () => {
    expect(defaultLimits).toMatchObject({ limitAccountChanges: '600 per 15 min' });
  });
});

it('a browser is allowed each world once, and its record names each once', async () => {
  const own = await startInstances();
  try {
    const person = await createAccount(own.instances[0].url);
    const { clientId } = await person.pair();
    const { body } = await person.as('GET', '/auth/connection-tokens');
    const [{ id }] = body['items'] as [{ id: string }];
    const granted = { allowedTargetClients: [clientId], remoteScopes: ['user:read'] };
    const answer = await person.as('PATCH', `/auth/connection-tokens/${id}`, {
      allowedTargetClients: Array.from({ length: 500 }, () => clientId),
      remoteScopes: ['user:read', 'user:read'],
    });
    expect(answer).toMatchObject({ status: 200, body: granted });
    const changed = own.db
      .selectFrom('auditLog')
      .select('detail')
      .where('event', '=', 'connection_token.changed');
    expect(await changed.execute()).toEqual([{ detail: granted }]);
  } finally {
    await own.stop();
  }
});
