import { waitFor } from '@tabletop-relay/testing';
import { bearer, connectModule } from '@tabletop-relay/testing/scenes';
import { sql } from 'kysely';
import {
  ask,
  count,
  crowd,
  expectAtMost,
  expectCount,
  expectStatuses,
  newAccount,
  together,
  withKey,
} from './arena.ts';
import type { Arena, Race } from './arena.ts';

const newKey = { name: 'racer', scopes: ['clients:read'] };

/** Half of the crowd makes keys before the account is deleted, half while it is. */
async function createDuringDeletion(arena: Arena): Promise<void> {
  const account = await newAccount(arena);
  const headers = bearer(account.sessionToken);
  const create = (url: string) => ask(arena, url, '/auth/api-keys', { body: newKey, headers });
  const early = together(arena, create, crowd / 2);
  const deletion = ask(arena, arena.urls[1], '/auth/account', {
    method: 'DELETE',
    body: { password: account.password },
    headers,
  });
  const late = together(arena, create, crowd / 2);
  const { status } = await deletion;
  const answers = [...(await early), ...(await late)];
  if (status !== 200) arena.tally.found('lock-out', `deleting an account among new keys: ${status}`);
  expectStatuses(arena, 'keys of an account that goes', answers, [200, 401, 404]);
  const keys = answers.filter((answer) => answer.status === 200).map(({ body }) => body['apiKey']);
  const checked = await Promise.all(
    keys.map((key) => ask(arena, arena.urls[0], '/clients', { headers: withKey(key) })),
  );
  const of = 'keys of a deleted account that work';
  expectCount(arena, { promise: 'given twice', of, actual: count(checked, 200), expected: 0 });
  const rows = await arena.db
    .selectFrom('auditLog')
    .select('id')
    .where('accountId', '=', account.accountId)
    .execute();
  expectAtMost(arena, { promise: 'leak', of: 'records of a deleted account', actual: rows.length, bound: 0 });
}

/** Each key is in use while it and all others of its account are revoked. */
async function revokeAllKeys(arena: Arena): Promise<void> {
  const account = await newAccount(arena);
  const keys = await Promise.all(Array.from({ length: crowd }, () => account.createKey()));
  const use = () =>
    Promise.all(
      keys.flatMap((key) => arena.urls.map((url) => ask(arena, url, '/clients', { headers: withKey(key) }))),
    );
  expectStatuses(arena, 'new keys', await use(), [200]);
  const list = await account.as('GET', `/auth/api-keys?limit=${crowd}`);
  const ids = (list.body['items'] as { id: string }[]).map(({ id }) => id);
  const headers = bearer(account.sessionToken);
  const using = use();
  const revoked = await together(arena, (url, index) =>
    ask(arena, url, `/auth/api-keys/${ids[index]}`, { method: 'DELETE', headers }),
  );
  expectStatuses(arena, 'revoking a key', revoked, [200]);
  await using;
  const isOver = async () => count(await use(), 401) === 2 * crowd;
  await waitFor(isOver, { timeoutMs: 3_000, intervalMs: 200 }).catch(() =>
    arena.tally.found('given twice', 'a revoked key works for more than three seconds'),
  );
}

/** Records are written soon after what they tell of: here while the deletion is not committed yet. */
async function recordDuringDeletion(arena: Arena): Promise<void> {
  const { accountId, email } = await newAccount(arena);
  const readRecords = () =>
    arena.db
      .selectFrom('auditLog')
      .select('id')
      .where('accountId', '=', accountId)
      .where('event', 'not like', 'account.%')
      .execute();
  const isLocked = async () => {
    const { rows } = await sql`select 1 from pg_locks where not granted`.execute(arena.db);
    return rows.length > 0;
  };
  await arena.db.transaction().execute(async (trx) => {
    await trx.deleteFrom('accounts').where('id', '=', accountId).execute();
    await ask(arena, arena.urls[0], '/auth/login', { body: { email, password: 'not the password' } });
    await waitFor(async () => (await readRecords()).length > 0 || (await isLocked()));
  });
  const isClear = async () => (await readRecords()).length === 0 && !(await isLocked());
  await waitFor(isClear, { timeoutMs: 2_000 }).catch(() =>
    arena.tally.found('leak', 'a record of a deleted account that was written during the deletion'),
  );
}

/** What the arena's instances have as their bounds. */
export const arenaBounds = { maxKeysPerAccount: 60, maxWorldsPerAccount: 25, maxSessionsPerAccount: 100 };

async function boundOfKeys(arena: Arena): Promise<void> {
  const account = await newAccount(arena);
  const headers = bearer(account.sessionToken);
  const answers = await together(
    arena,
    (url) => ask(arena, url, '/auth/api-keys', { body: newKey, headers }),
    crowd + 20,
  );
  const of = 'keys of an account';
  const expected = arenaBounds.maxKeysPerAccount;
  expectCount(arena, { promise: 'unbounded', of, actual: count(answers, 200), expected });
  expectStatuses(arena, of, answers, [200, 409]);
}

async function limitPerAddress(arena: Arena): Promise<void> {
  const answers = await together(
    arena,
    (url) => ask(arena, url, '/api/self-unpair', { body: { token: 'nobody’s' } }),
    2 * crowd,
  );
  const of = 'calls past a limit per address over two instances';
  expectAtMost(arena, { of, actual: count(answers, 200), bound: arenaLimit });
  expectStatuses(arena, of, answers, [200, 429]);
}

/** What the arena's instances have as LIMIT_SELF_UNPAIR; the races run once within its window. */
export const arenaLimit = 30;

async function monthlyLimit(arena: Arena): Promise<void> {
  const account = await newAccount(arena);
  const pairing = await account.pair();
  const module = await connectModule(arena.urls[0], pairing, () => ({ users: [] }));
  const key = await account.createKey({ monthlyLimit: 20 });
  const answers = await together(arena, (url) =>
    ask(arena, url, `/players?clientId=${pairing.clientId}`, { headers: withKey(key) }),
  );
  const of = 'calls past a monthly limit';
  expectAtMost(arena, { of, actual: count(answers, 200), bound: 20 });
  expectStatuses(arena, of, answers, [200, 429]);
  expectAtMost(arena, { of: 'frames past a monthly limit', actual: module.count('players'), bound: 20 });
  await module.close();
}

export const accountRaces: readonly Race[] = [
  { title: 'an account has no more keys than it may', run: boundOfKeys },
  { title: 'a deleted account leaves no key and no record', run: createDuringDeletion },
  {
    title: 'a record that is written during the deletion of its account goes with it',
    run: recordDuringDeletion,
  },
  { title: 'of many keys that are revoked at once none goes on', run: revokeAllKeys },
  { title: 'a limit per address is never passed over two instances', run: limitPerAddress, once: true },
  { title: 'a monthly limit is never passed over two instances', run: monthlyLimit },
];
