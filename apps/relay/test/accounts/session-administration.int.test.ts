import { measureRunningTime } from '@tabletop-relay/testing';
import { bearer, call, createAccount, makeAdministrator } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashSecret } from '../../src/credentials/secret.ts';
import { openStream } from '../event-stream.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

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

const readId = (token: string) =>
  cluster.db
    .selectFrom('sessions')
    .select('id')
    .where('hash', '=', hashSecret(token))
    .executeTakeFirstOrThrow();

const auditOf = async (account: TestAccount, event: string) =>
  cluster.db
    .selectFrom('auditLog')
    .select(['event', 'actor', 'subjectId', 'detail'])
    .where('accountId', '=', account.accountId)
    .where('event', '=', event)
    .execute();

describe('an administrator', () => {
  let administrator: TestAccount;
  beforeAll(async () => {
    administrator = await createAccount(first);
    await makeAdministrator(cluster.db, administrator);
  });

  it('lists the sessions of an account and ends one of them', async () => {
    const account = await createAccount(first);
    const other = await newToken(account);
    const { id } = await readId(other);
    const path = `/admin/accounts/${account.accountId}/sessions`;
    const { body } = await administrator.as('GET', path);
    expect(body['items']).toHaveLength(2);
    expect(body['items']).toContainEqual(expect.objectContaining({ id, ipAddress: '127.0.0.1' }));
    const stream = await openStream(second, other);
    expect((await administrator.as('DELETE', `${path}/${id}`)).status).toBe(200);
    expect(await stream.ended).toBe(true);
    expect([await statusOf(other), await statusOf(account.sessionToken)]).toEqual([401, 200]);
    expect((await administrator.as('DELETE', `${path}/${id}`)).status).toBe(404);
    expect(await auditOf(account, 'session.revoked')).toEqual([
      expect.objectContaining({
        actor: 'administrator',
        subjectId: id,
        detail: { by: administrator.accountId },
      }),
    ]);
  });

  it('ends no session by the id of another account', async () => {
    const [account, other] = [await createAccount(first), await createAccount(first)];
    const { id } = await readId(other.sessionToken);
    const path = `/admin/accounts/${account.accountId}/sessions/${id}`;
    expect((await administrator.as('DELETE', path)).status).toBe(404);
    expect(await statusOf(other.sessionToken)).toBe(200);
  });

  it('ends all sessions of an account and their streams, within a second on any instance', async () => {
    const account = await createAccount(first);
    const other = await newToken(account);
    const streams = [await openStream(first, other), await openStream(second, account.sessionToken)];
    const path = `/admin/accounts/${account.accountId}/end-sessions`;
    const ranMs = measureRunningTime();
    expect(await administrator.as('POST', path)).toMatchObject({ status: 200, body: { ended: 2 } });
    await Promise.all(streams.map(({ ended }) => ended));
    expect(ranMs()).toBeLessThan(1_000);
    expect([await statusOf(other), await statusOf(account.sessionToken)]).toEqual([401, 401]);
    expect(await auditOf(account, 'account.sessions_ended')).toEqual([
      expect.objectContaining({ actor: 'administrator', detail: { by: administrator.accountId, count: 2 } }),
    ]);
  });

  it('finds no account by an unknown id', async () => {
    const at = '/admin/accounts/nobody';
    const answers = await Promise.all([
      administrator.as('GET', `${at}/sessions`),
      administrator.as('POST', `${at}/end-sessions`),
      administrator.as('DELETE', `${at}/sessions/x`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('ends the sessions of an account with disabling it, and enabling brings none back', async () => {
    const account = await createAccount(first);
    const stream = await openStream(second, account.sessionToken);
    const at = `/admin/accounts/${account.accountId}`;
    expect((await administrator.as('POST', `${at}/disable`)).status).toBe(200);
    expect(await stream.ended).toBe(true);
    expect(await statusOf(account.sessionToken, second)).toBe(401);
    expect((await administrator.as('POST', `${at}/enable`)).status).toBe(200);
    expect(await statusOf(account.sessionToken)).toBe(401);
    expect((await signIn(account)).status).toBe(200);
  });
});
