import { scopeNames, scopesBeyondUsers } from '@tabletop-relay/contract';
import type { Database } from '@tabletop-relay/database';
import {
  bearer,
  call,
  connectModule,
  createAccount,
  makeAdministrator,
  sendTwice,
} from '@tabletop-relay/testing/scenes';
import type { TestAccount, TestTotp } from '@tabletop-relay/testing/scenes';
import { createSecret } from '../../../src/credentials/secret.ts';
import { approvedCode, exchangeCode } from '../../oauth/raw-steps.ts';
import type { AttackedRoute } from './routes.ts';

/** Somebody who is not the victim, and what they send to be let in. */
export interface Principal {
  name: string;
  headers: Record<string, string>;
  /** The credential that is really theirs and works. */
  holds: 'session' | 'apiKey' | null;
  /** It works for some routes only. */
  only?: (route: AttackedRoute) => boolean;
  isAdministrator?: boolean;
  /** Their own world, to call. */
  clientId?: string;
}

export interface Attackers {
  principals: readonly Principal[];
  /** Every credential that they were given: none may stand in a log. */
  secrets: Record<string, string>;
  accountIds: readonly string[];
  /** Commands that a key which is bound to a user had its world carry out as anybody else. */
  unbound: readonly string[];
  /** Sees that who should be let in still is, and signs in again who signed out by trying. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

const isMcp = ({ pattern }: AttackedRoute) => pattern.startsWith('/mcp');

const apiKey = (key: string) => ({ 'x-api-key': key });

/** Assistants send their key as others do a session. */
const isForAssistants = ({ pattern }: AttackedRoute) => pattern.startsWith('/mcp');

/** One of each kind of stranger, tenant and worn-out credential. */
// oxlint-disable-next-line max-lines-per-function -- It is a table: each kind of stranger and tenant with its credentials.
export async function createAttackers(url: string, db: Database): Promise<Attackers> {
  const tenant = await createAccount(url);
  const other = await createAccount(url);
  const disabled = await createAccount(url);
  const mustRotate = await createAccount(url);
  const administrator = await createAccount(url);
  const bound = await createAccount(url);
  const accounts = { tenant, other, disabled, mustRotate, administrator, bound };
  const world = await tenant.pair();
  const otherWorld = await other.pair();
  const module = await connectModule(url, world, () => ({ data: {} }));
  const boundWorld = await bound.pair();
  const unbound: string[] = [];
  const boundModule = await connectModule(url, boundWorld, ({ type, userId }) => {
    if (userId !== 'cleo') unbound.push(`${type} as ${JSON.stringify(userId)}`);
    return { data: {} };
  });

  const keys = {
    full: await tenant.createKey(),
    narrow: await tenant.createKey({ scopes: ['clients:read'] }),
    'bound elsewhere': await other.createKey({ clientIds: [otherWorld.clientId] }),
    'bound to a user': await boundKey(bound, boundWorld.clientId),
    revoked: await revokedKey(tenant),
    expired: await expiredKey(tenant, db),
    paused: await pausedKey(tenant),
    disabled: await disabled.createKey(),
    'must rotate': await mustRotate.createKey(),
  };
  const signedIn = await exchangeCode(url, await approvedCode({ url, account: tenant }));
  const token = String(signedIn.body['access_token']);
  const sessions = {
    expired: await signIn(url, tenant),
    ended: await signIn(url, tenant),
    disabled: disabled.sessionToken,
  };
  await db
    .updateTable('sessions')
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .where('accountId', '=', tenant.accountId)
    .where('id', '=', await newestSession(db, tenant.accountId, 1))
    .execute();
  await call(url, 'POST', '/auth/logout', { headers: bearer(sessions.ended) });
  const reset = createSecret('passwordReset');
  await db
    .insertInto('passwordResets')
    .values({ hash: reset.hash, accountId: other.accountId, expiresAt: new Date(Date.now() + 3_600_000) })
    .execute();
  const update = db.updateTable('accounts');
  await update.set({ disabledAt: new Date() }).where('id', '=', disabled.accountId).execute();
  await update.set({ rotationRequired: true }).where('id', '=', mustRotate.accountId).execute();
  const totp = await makeAdministrator(db, administrator);

  const own = { clientId: world.clientId };
  const live: Principal[] = [
    { name: 'session of another tenant', headers: bearer(tenant.sessionToken), holds: 'session', ...own },
    {
      name: 'session of another tenant, by cookie',
      headers: { cookie: `trs=${other.sessionToken}`, 'sec-fetch-site': 'same-origin' },
      holds: 'session',
    },
    {
      name: 'administrator',
      headers: bearer(administrator.sessionToken),
      holds: 'session',
      isAdministrator: true,
    },
  ];
  const principals: Principal[] = [
    ...live,
    { name: 'stranger', headers: {}, holds: null },
    { name: 'garbage key', headers: apiKey(`trk_${'0'.repeat(38)}`), holds: null },
    { name: 'unknown key', headers: apiKey(createSecret('scopedKey').value), holds: null },
    { name: 'key of another tenant', headers: apiKey(keys.full), holds: 'apiKey', ...own },
    { name: 'narrow key', headers: apiKey(keys.narrow), holds: 'apiKey', ...own },
    {
      name: 'key bound to a user',
      headers: apiKey(keys['bound to a user']),
      holds: 'apiKey',
      clientId: boundWorld.clientId,
    },
    { name: 'key bound to another world', headers: apiKey(keys['bound elsewhere']), holds: 'apiKey' },
    { name: 'master key of another tenant', headers: apiKey(tenant.masterKey), holds: 'apiKey', ...own },
    { name: 'revoked key', headers: apiKey(keys.revoked), holds: null, ...own },
    { name: 'expired key', headers: apiKey(keys.expired), holds: null, ...own },
    { name: 'paused key', headers: apiKey(keys.paused), holds: null, ...own },
    { name: 'key of a disabled account', headers: apiKey(keys.disabled), holds: null },
    { name: 'master key of a disabled account', headers: apiKey(disabled.masterKey), holds: null },
    { name: 'key of an account that must rotate', headers: apiKey(keys['must rotate']), holds: null },
    { name: 'master key that must rotate', headers: apiKey(mustRotate.masterKey), holds: null },
    {
      name: 'access token of a sign-in as key',
      headers: apiKey(token),
      holds: 'apiKey',
      only: isMcp,
      ...own,
    },
    { name: 'access token of a sign-in', headers: bearer(token), holds: 'apiKey', only: isMcp, ...own },
    { name: 'access token as session', headers: { cookie: `trs=${token}` }, holds: null },
    { name: 'connection token as key', headers: apiKey(world.token), holds: null },
    { name: 'reset token as key', headers: apiKey(reset.value), holds: null },
    { name: 'session as key', headers: apiKey(other.sessionToken), holds: null },
    { name: 'key as session', headers: bearer(keys.full), holds: 'apiKey', only: isForAssistants },
    {
      name: 'master key as session',
      headers: bearer(tenant.masterKey),
      holds: 'apiKey',
      only: isForAssistants,
    },
    { name: 'connection token as session', headers: bearer(world.token), holds: null },
    { name: 'expired session', headers: bearer(sessions.expired), holds: null },
    { name: 'ended session', headers: bearer(sessions.ended), holds: null },
    {
      name: 'session of a disabled account',
      headers: bearer(sessions.disabled),
      holds: 'session',
      only: ({ openToDisabled }) => openToDisabled,
    },
    { name: 'session by Basic', headers: { authorization: `Basic ${tenant.sessionToken}` }, holds: null },
    {
      name: 'cookie from another site',
      headers: { cookie: `trs=${other.sessionToken}`, 'sec-fetch-site': 'cross-site' },
      holds: 'session',
      // A link on another site may lead to a page of ours; that site reads nothing and changes nothing.
      only: ({ method }) => method === 'GET' || method === 'HEAD',
    },
    {
      name: 'cookie and a Bearer that is wrong',
      headers: { cookie: `trs=${tenant.sessionToken}`, ...bearer('nonsense') },
      holds: null,
    },
  ];

  /** One at a time: of two codes for the same account the first would be forgotten. */
  let renewing: Promise<void> | undefined;
  const renew = () => (renewing ??= renewSessions().finally(() => (renewing = undefined)));

  async function renewSessions(): Promise<void> {
    for (const principal of live) {
      const { status } = await call(url, 'GET', '/auth/account', { headers: principal.headers });
      if (status === 200) continue;
      const isCookie = 'cookie' in principal.headers;
      const account = principal.isAdministrator ? administrator : isCookie ? other : tenant;
      const token = await signIn(url, account, principal.isAdministrator && totp);
      secrets[`session ${token.slice(4, 10)}`] = token;
      if (isCookie) principal.headers['cookie'] = `trs=${token}`;
      else principal.headers['authorization'] = `Bearer ${token}`;
    }
  }

  const secrets: Record<string, string> = {
    ...keys,
    'access token': token,
    'refresh token': String(signedIn.body['refresh_token']),
    'expired session': sessions.expired,
    'ended session': sessions.ended,
    'connection token': world.token,
    'reset token': reset.value,
    'secret of an authenticator app': totp.secret,
    ...Object.fromEntries(
      Object.entries(accounts).flatMap(([name, account]) => [
        [`session of ${name}`, account.sessionToken],
        [`master key of ${name}`, account.masterKey],
        [`password of ${name}`, account.password],
      ]),
    ),
  };
  return {
    principals,
    secrets,
    accountIds: Object.values(accounts).map(({ accountId }) => accountId),
    renew,
    unbound,
    close: async () => {
      await module.close();
      await boundModule.close();
    },
  };
}

async function signIn(url: string, account: TestAccount, totp?: TestTotp | false): Promise<string> {
  const { email, password } = account;
  const send = (part: object) => call(url, 'POST', '/auth/login', { body: { email, password, ...part } });
  const byTotp = async (app: TestTotp) => ({ method: 'totp', code: await app.newCode() });
  const { status, body } = totp ? await sendTwice(send, () => byTotp(totp)) : await send({});
  if (status !== 200) throw new Error(`login answered ${JSON.stringify(body)}`);
  return String(body['sessionToken']);
}

async function revokedKey(account: TestAccount): Promise<string> {
  const key = await account.createKey();
  const { body } = await account.as('GET', '/auth/api-keys?limit=1');
  const [newest] = body['items'] as { id: string }[];
  await account.as('DELETE', `/auth/api-keys/${newest?.id}`);
  return key;
}

async function expiredKey(account: TestAccount, db: Database): Promise<string> {
  const key = await account.createKey();
  const { body } = await account.as('GET', '/auth/api-keys?limit=1');
  const [newest] = body['items'] as { id: string }[];
  const past = new Date(Date.now() - 1000);
  await db
    .updateTable('apiKeys')
    .set({ expiresAt: past })
    .where('id', '=', newest?.id ?? '')
    .execute();
  return key;
}

async function boundKey(account: TestAccount, clientId: string): Promise<string> {
  const scopes = scopeNames.filter((scope) => !scopesBeyondUsers.includes(scope));
  const terms = { name: 'bound', scopes, actingUserIds: { [clientId]: 'cleo' } };
  const { body } = await account.as('POST', '/auth/api-keys', terms);
  return String(body['apiKey']);
}

async function pausedKey(account: TestAccount): Promise<string> {
  const key = await account.createKey();
  const { body } = await account.as('GET', '/auth/api-keys?limit=1');
  const [newest] = body['items'] as { id: string }[];
  await account.as('POST', `/auth/api-keys/${newest?.id ?? ''}/pause`);
  return key;
}

/** The id of the newest session but `skip`. */
async function newestSession(db: Database, accountId: string, skip: number): Promise<string> {
  const { id } = await db
    .selectFrom('sessions')
    .select('id')
    .where('accountId', '=', accountId)
    .orderBy('id', 'desc')
    .offset(skip)
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
}
