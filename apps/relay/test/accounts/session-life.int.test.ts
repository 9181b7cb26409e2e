import { waitFor } from '@tabletop-relay/testing';
import { bearer, call, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashSecret } from '../../src/credentials/secret.ts';
import { openStream } from '../event-stream.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

const dayMs = 86_400_000;

let cluster: TestInstances;
let first: string;
let second: string;
beforeAll(async () => {
  cluster = await startInstances({ count: 2 });
  [first = '', second = ''] = cluster.instances.map(({ url }) => url);
});
afterAll(() => cluster.stop());

const statusOf = async (token: string, url = first) =>
  (await call(url, 'GET', '/auth/account', { headers: bearer(token) })).status;
const signIn = ({ email, password }: TestAccount, headers = {}) =>
  call(first, 'POST', '/auth/login', { body: { email, password }, headers });
const newToken = async (account: TestAccount) => String((await signIn(account)).body['sessionToken']);

const inMs = (ms: number) => new Date(Date.now() + ms);
type Times = Partial<Record<'expiresAt' | 'idleExpiresAt' | 'lastUsedAt', Date>>;
const setTimes = (token: string, times: Times) =>
  cluster.db.updateTable('sessions').set(times).where('hash', '=', hashSecret(token)).execute();
const readTimes = (token: string) =>
  cluster.db
    .selectFrom('sessions')
    .select(['id', 'createdAt', 'lastUsedAt', 'idleExpiresAt', 'expiresAt'])
    .where('hash', '=', hashSecret(token))
    .executeTakeFirstOrThrow();

const auditOf = async (account: TestAccount, event: string) =>
  cluster.db
    .selectFrom('auditLog')
    .select(['event', 'actor', 'subjectId', 'detail'])
    .where('accountId', '=', account.accountId)
    .where('event', '=', event)
    .execute();

describe('a session', () => {
  it('lives 7 days without use and 30 days at most, and the cookie as long as it can', async () => {
    const account = await createAccount(first);
    const { headers, body } = await signIn(account);
    const { lastUsedAt, idleExpiresAt, expiresAt } = await readTimes(String(body['sessionToken']));
    expect(idleExpiresAt.getTime() - lastUsedAt.getTime()).toBe(7 * dayMs);
    expect(expiresAt.getTime() - lastUsedAt.getTime()).toBe(30 * dayMs);
    expect(body['expiresAt']).toBe(expiresAt.toISOString());
    expect(headers.getSetCookie().find((cookie) => cookie.startsWith('trs='))).toContain('Max-Age=2592000');
  });

  it.each(['idleExpiresAt', 'expiresAt'] as const)(
    'is refused by every instance after its %s',
    async (end) => {
      const { sessionToken } = await createAccount(first);
      await setTimes(sessionToken, { [end]: inMs(-1) });
      expect([await statusOf(sessionToken, first), await statusOf(sessionToken, second)]).toEqual([401, 401]);
    },
  );

  it('is used for as long as somebody uses it, on any instance, but not beyond its end', async () => {
    const { sessionToken } = await createAccount(first);
    const before = await readTimes(sessionToken);
    await setTimes(sessionToken, { lastUsedAt: inMs(-6 * dayMs), idleExpiresAt: inMs(dayMs) });
    expect(await statusOf(sessionToken, second)).toBe(200);
    const after = await readTimes(sessionToken);
    expect(after.idleExpiresAt.getTime()).toBeGreaterThanOrEqual(before.idleExpiresAt.getTime());
    expect(after.expiresAt).toEqual(before.expiresAt);
  });

  it('has its use written once a minute', async () => {
    const { sessionToken } = await createAccount(first);
    await setTimes(sessionToken, { lastUsedAt: inMs(-30_000) });
    const before = await readTimes(sessionToken);
    await statusOf(sessionToken);
    expect(await readTimes(sessionToken)).toEqual(before);
    await setTimes(sessionToken, { lastUsedAt: inMs(-61_000) });
    await statusOf(sessionToken, second);
    const after = await readTimes(sessionToken);
    expect(after.lastUsedAt.getTime()).toBeGreaterThan(before.lastUsedAt.getTime());
    await Promise.all([first, second].map((url) => statusOf(sessionToken, url)));
    expect(await readTimes(sessionToken)).toEqual(after);
  });

  it('is told with its last use and its ends, and no longer when it has ended', async () => {
    const account = await createAccount(first);
    const other = await newToken(account);
    const { lastUsedAt, expiresAt, idleExpiresAt, id } = await readTimes(other);
    const listed = async () => (await account.as('GET', '/auth/sessions')).body['items'] as { id: string }[];
    expect(await listed()).toContainEqual(
      expect.objectContaining({
        id,
        lastUsedAt: lastUsedAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
        idleExpiresAt: idleExpiresAt.toISOString(),
      }),
    );
    await setTimes(other, { expiresAt: inMs(60_000) });
    const [soon] = await listed();
    expect(soon).toMatchObject({ idleExpiresAt: (soon as unknown as { expiresAt: string }).expiresAt });
    await setTimes(other, { idleExpiresAt: inMs(-1) });
    expect(await listed()).not.toContainEqual(expect.objectContaining({ id }));
  });
});

describe('the times of sessions as they are set', () => {
  it('count from the last use and from sign-in', async () => {
    const own = await startInstances({ config: { sessionIdleMs: 1_500, sessionMaxMs: 4_000 } });
    const [{ url }] = own.instances;
    const [used, idle] = await Promise.all([createAccount(url), createAccount(url)]);
    const status = (account: TestAccount) => statusOf(account.sessionToken, url);
    const { idleExpiresAt } = await own.db
      .selectFrom('sessions')
      .select('idleExpiresAt')
      .where('hash', '=', hashSecret(idle.sessionToken))
      .executeTakeFirstOrThrow();
    await waitFor(async () => (await status(used)) === 200 && Date.now() > idleExpiresAt.getTime());
    expect([await status(used), await status(idle)]).toEqual([200, 401]);
    await waitFor(async () => (await status(used)) === 401);
    const { expiresAt } = await own.db
      .selectFrom('sessions')
      .select('expiresAt')
      .where('hash', '=', hashSecret(used.sessionToken))
      .executeTakeFirstOrThrow();
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime());
    await own.stop();
  });
});

describe('signing in with the cookie of a session', () => {
  const withCookie = (token: string) => ({ cookie: `trs=${token}`, 'sec-fetch-site': 'same-origin' });

  it('ends that session and its stream, and gives a new token', async () => {
    const account = await createAccount(first);
    const stream = await openStream(second, account.sessionToken);
    const { body } = await signIn(account, withCookie(account.sessionToken));
    expect(body['sessionToken']).not.toBe(account.sessionToken);
    expect(await statusOf(account.sessionToken)).toBe(401);
    expect(await statusOf(String(body['sessionToken']))).toBe(200);
    expect(await stream.ended).toBe(true);
    expect(await auditOf(account, 'session.replaced')).toHaveLength(1);
  });

  it('ends it when it was another account’s, and when an account is opened', async () => {
    const [one, other] = [await createAccount(first), await createAccount(first)];
    await signIn(one, withCookie(other.sessionToken));
    expect(await statusOf(other.sessionToken)).toBe(401);
    const body = { email: `new-${one.email}`, password: one.password };
    await call(first, 'POST', '/auth/register', { body, headers: withCookie(one.sessionToken) });
    expect(await statusOf(one.sessionToken)).toBe(401);
  });

  it('leaves it alone where the password is wrong', async () => {
    const account = await createAccount(first);
    const wrong = { ...account, password: 'not the password' };
    expect((await signIn(wrong, withCookie(account.sessionToken))).status).toBe(401);
    expect(await statusOf(account.sessionToken)).toBe(200);
  });
});

describe('an event stream', () => {
  it.each(['idleExpiresAt', 'expiresAt'] as const)(
    'ends within a second of the %s of its session',
    async (end) => {
      const { sessionToken } = await createAccount(first);
      const endsAt = inMs(1_500);
      await setTimes(sessionToken, { [end]: endsAt });
      const stream = await openStream(second, sessionToken);
      await stream.ended;
      const lateMs = Date.now() - endsAt.getTime();
      expect(lateMs).toBeGreaterThanOrEqual(0);
      expect(lateMs).toBeLessThan(1_000);
    },
  );

  it('goes on where its session is used meanwhile', async () => {
    const { sessionToken } = await createAccount(first);
    await setTimes(sessionToken, { idleExpiresAt: inMs(500) });
    const stream = await openStream(second, sessionToken);
    const endsAt = inMs(2_000);
    await setTimes(sessionToken, { idleExpiresAt: endsAt });
    await stream.ended;
    expect(Date.now()).toBeGreaterThanOrEqual(endsAt.getTime());
  });
});
