import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { follow } from '../event-stream.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let first: string;
let second: string;
let account: TestAccount;

beforeAll(async () => {
  cluster = await startInstances({ count: 2 });
  first = cluster.instances[0].url;
  second = cluster.instances[1]?.url ?? '';
  account = await createAccount(first);
});
afterAll(() => cluster.stop());

describe('GET /auth/events', () => {
  it('tells of worlds coming and going on any instance, and of no other account’s', async () => {
    const stranger = await createAccount(first);
    const stream = await follow(first, account.sessionToken);
    const foreign = await follow(first, stranger.sessionToken);
    const pairing = await account.pair();
    const module = await connectModule(second, pairing);
    await module.close();
    const { clientId } = pairing;
    await expect
      .poll(() => stream.events)
      .toEqual([
        ['connected', {}],
        ['client-online', { clientId }],
        ['client-offline', { clientId }],
      ]);
    expect(foreign.events).toEqual([['connected', {}]]);
    await Promise.all([stream.cancel(), foreign.cancel()]);
  });

  it('tells when the list says the same: offline, and when it was last seen', async () => {
    const own = await createAccount(first);
    const stream = await follow(first, own.sessionToken);
    for (let round = 1; round <= 5; round++) {
      const module = await connectModule(second, await own.pair());
      await module.close();
      await expect
        .poll(() => stream.events.filter(([event]) => event === 'client-offline'))
        .toHaveLength(round);
      const { body } = await own.as('GET', '/auth/known-clients');
      expect(body['items']).toHaveLength(round);
      for (const item of body['items'] as unknown[]) {
        expect(item).toMatchObject({ isOnline: false, lastSeenAt: expect.any(String) as unknown });
      }
    }
    await stream.cancel();
  });

  it('does not call a world offline that came back at once', async () => {
    const own = await createAccount(first);
    const stream = await follow(first, own.sessionToken);
    const pairing = await own.pair();
    const module = await connectModule(second, pairing);
    await module.close();
    const again = await connectModule(second, pairing);
    // A later event: whatever there is to say of the first world has been said by then.
    const other = await own.pair();
    const otherModule = await connectModule(second, other);
    await expect.poll(() => stream.events).toContainEqual(['client-online', { clientId: other.clientId }]);
    await otherModule.close();
    await expect.poll(() => stream.events.at(-1)).toEqual(['client-offline', { clientId: other.clientId }]);
    expect(stream.events).not.toContainEqual(['client-offline', { clientId: pairing.clientId }]);
    await again.close();
    await stream.cancel();
  });

  it('ends with its session', async () => {
    const own = await createAccount(first);
    const stream = await follow(second, own.sessionToken);
    await own.as('POST', '/auth/logout');
    expect(await stream.ended).toBe(true);
  });

  it('ends for every session that a changed password ends, by one event, and stays for the one that changed it', async () => {
    const own = await createAccount(first);
    const signIn = async () => {
      const { email, password } = own;
      const { body } = await call(first, 'POST', '/auth/login', { body: { email, password } });
      return String(body['sessionToken']);
    };
    const others = [await signIn(), await signIn(), await signIn()];
    const ended = await Promise.all([
      follow(first, others[0] ?? ''),
      follow(second, others[1] ?? ''),
      follow(second, others[2] ?? ''),
    ]);
    const kept = await Promise.all([follow(first, own.sessionToken), follow(second, own.sessionToken)]);
    const change = { currentPassword: own.password, newPassword: 'another horse of battery' };
    expect((await own.as('POST', '/auth/change-password', change)).status).toBe(200);
    expect(await Promise.all(ended.map((stream) => stream.ended))).toEqual([true, true, true]);
    const events = await cluster.db
      .selectFrom('credentialEvents')
      .select(['subject', 'change'])
      .where('accountId', '=', own.accountId)
      .execute();
    expect(events).toEqual([{ subject: 'account', change: 'sessions_ended' }]);
    // Who still listens hears of the world that comes now.
    const pairing = await own.pair();
    const module = await connectModule(second, pairing);
    for (const stream of kept) {
      await expect
        .poll(() => stream.events)
        .toContainEqual(['client-online', { clientId: pairing.clientId }]);
    }
    await module.close();
    for (const stream of kept) await stream.cancel();
  });

  it('is refused without a session', async () => {
    expect((await follow(first, 'nonsense')).status).toBe(401);
  });

  it('does not hold up a drain', async () => {
    const third = await cluster.add();
    const stream = await follow(third.url, account.sessionToken);
    await third.stop();
    expect(await stream.ended).toBe(true);
  });
});

describe('a key’s usage', () => {
  it('counts calls that passed their checks, and shows when it was last used', async () => {
    const own = await createAccount(first);
    const pairing = await own.pair();
    const fourth = await cluster.add();
    const module = await connectModule(fourth.url, pairing, () => ({ users: [] }));
    const key = await own.createKey({ scopes: ['user:read'] });
    const headers = { 'x-api-key': key };
    for (let i = 0; i < 3; i++) {
      expect((await call(fourth.url, 'GET', '/players', { headers })).status).toBe(200);
    }
    expect((await call(fourth.url, 'GET', '/world-info', { headers })).status).toBe(403);
    await module.close();
    await fourth.stop();
    const { body } = await own.as('GET', '/auth/api-keys');
    expect(body['items']).toMatchObject([{ usedThisMonth: 3, lastUsedAt: expect.any(String) as unknown }]);
  });
});
