import { call, createAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

const maxSessionsPerAccount = 3;

let cluster: TestInstances;
beforeAll(async () => {
  cluster = await startInstances({ count: 2, config: { maxSessionsPerAccount } });
});
afterAll(() => cluster.stop());

describe('the sessions of an account', () => {
  it('are never more than its bound, however many sign in at once; the oldest end with their streams', async () => {
    const [first, second] = cluster.instances;
    const owner = await createAccount(first.url);
    const other = await createAccount(first.url);
    const stream = await fetch(`${first.url}/auth/events`, {
      headers: { authorization: `Bearer ${owner.sessionToken}` },
    });
    const streamEnds = stream.text();
    const body = { email: owner.email, password: owner.password };
    const signedIn = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        call(index % 2 ? first.url : (second?.url as string), 'POST', '/auth/login', { body }),
      ),
    );
    expect(signedIn.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const alive = await Promise.all(
      signedIn.map(async ({ body: { sessionToken } }) => {
        const headers = { authorization: `Bearer ${String(sessionToken)}` };
        return (await call(first.url, 'GET', '/auth/account', { headers })).status;
      }),
    );
    expect(alive.filter((status) => status === 200)).toHaveLength(maxSessionsPerAccount);
    expect((await owner.as('GET', '/auth/account')).status).toBe(401);
    expect(await streamEnds).toContain('event: connected');
    expect((await other.as('GET', '/auth/account')).status).toBe(200);
  });
});
