import type { ApiKey, AuditRecordOf, InputOf, apiKeyEndpoints } from '@tabletop-relay/contract';
import type { Database, Tables } from '@tabletop-relay/database';
import type { Insertable, Transaction } from 'kysely';
import { withAccountLocked } from '../accounts/account-lock.ts';
import type { Announce } from '../credentials/changes/credential-feed.ts';
import { newId } from '../credentials/id.ts';
import { createSecret } from '../credentials/secret.ts';
import type { HandlersOf, Sender, SessionPrincipal } from '../endpoint-handler.ts';
import { liftPause, readSetPauses, setPause } from '../pauses/set-pause.ts';
import { ProblemError, invalidFields } from '../problem.ts';
import { paged } from '../records/paging.ts';
import { readPlainText } from '../records/plain-text.ts';
import { auditOf } from '../records/sender.ts';
import { checkOwnClients } from '../worlds/find-clients.ts';
import { checkInFuture, checkRoomForKey } from './bounds.ts';
import type { KeyBounds } from './bounds.ts';
import { endOldValueNow, rollApiKey } from './roll-key.ts';
import type { RollDeps } from './roll-key.ts';
import { monthOf } from './month.ts';

export interface ApiKeyDeps extends RollDeps {
  db: Database;
  bounds: Pick<KeyBounds, 'maxKeysPerAccount'>;
}

type BodyOf<N extends 'createApiKey' | 'updateApiKey'> = InputOf<(typeof apiKeyEndpoints)[N]>['body'];

type KeyTerms = Pick<
  Insertable<Tables['apiKeys']>,
  'name' | 'scopes' | 'clientIds' | 'monthlyLimit' | 'expiresAt' | 'reachesPaused'
>;

/** Inserts a scoped key and returns its value, which is shown once. The caller must hold the account's lock. */
export async function insertApiKey(
  trx: Transaction<Tables>,
  input: { accountId: string; now: number; terms: KeyTerms; announce: Announce },
): Promise<{ id: string; apiKey: string }> {
  const secret = createSecret('scopedKey');
  const id = newId(input.now);
  // A new key is announced too, because modules keep rolls only while a key may ask for them.
  input.announce({ accountId: input.accountId, subject: 'key', subjectId: id, change: 'changed' });
  await trx
    .insertInto('apiKeys')
    .values({ id, accountId: input.accountId, hash: secret.hash, hint: secret.hint, ...input.terms })
    .execute();
  return { id, apiKey: secret.value };
}

/** The terms of a key in a request body, as columns. Throws `invalid_request` for an expiry in the past. */
export function readKeyTerms(body: BodyOf<'updateApiKey'>, now: number): Partial<KeyTerms> {
  const { name, scopes, clientIds, monthlyLimit, expiresAt } = body;
  if (expiresAt) checkInFuture('expiresAt', expiresAt, now);
  return {
    ...(name !== undefined && { name: readPlainText(name, 'name') }),
    ...(scopes !== undefined && { scopes: [...new Set(scopes)] }),
    ...(clientIds !== undefined && { clientIds: clientIds && [...new Set(clientIds)] }),
    ...(monthlyLimit !== undefined && { monthlyLimit }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
  };
}

async function readApiKeys(
  db: Database,
  input: { accountId: string; now: number; limit: number; cursor?: string | undefined; id?: string },
): Promise<ApiKey[]> {
  const month = monthOf(input.now).start;
  const rows = await db
    .selectFrom('apiKeys')
    .leftJoin('keyUsage', (join) => join.onRef('keyId', '=', 'apiKeys.id').on('keyUsage.month', '=', month))
    .leftJoin('oldKeyValues as old', (join) =>
      join.onRef('old.keyId', '=', 'apiKeys.id').on('old.endsAt', '>', new Date(input.now)),
    )
    .select(['id', 'name', 'apiKeys.hint', 'scopes', 'clientIds', 'monthlyLimit', 'expiresAt'])
    .select(['apiKeys.lastUsedAt', 'createdAt', 'calls', 'refused', 'reachesPaused'])
    .select(['old.hint as oldHint', 'old.endsAt as oldEndsAt', 'old.lastUsedAt as oldUsedAt'])
    .where('accountId', '=', input.accountId)
    .$if(input.cursor !== undefined, (query) => query.where('id', '<', input.cursor ?? ''))
    .$if(input.id !== undefined, (query) => query.where('id', '=', input.id ?? ''))
    .orderBy('id', 'desc')
    .limit(input.limit)
    .execute();
  const pauses = await readSetPauses(db, input.accountId);
  return rows.map(({ calls, refused, oldHint, oldEndsAt, oldUsedAt, ...row }) => ({
    ...row,
    usedThisMonth: Number(calls ?? 0),
    refusedThisMonth: Number(refused ?? 0),
    pause: pauses.find(({ keyId }) => keyId === row.id)?.pause ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    oldValue: oldEndsAt && {
      hint: oldHint ?? '',
      endsAt: oldEndsAt.toISOString(),
      lastUsedAt: oldUsedAt?.toISOString() ?? null,
    },
    createdAt: row.createdAt.toISOString(),
  }));
}

/** The actor who revokes a key, the sender of the request, and the reason. */
type KeyRevocation = Pick<AuditRecordOf<'api_key.revoked'>, 'actor' | 'detail'> & Partial<Sender>;

/** Revokes a key on every instance; false if the account has no key by that id. `record` has the actor and the reason. */
export async function revokeApiKey(
  deps: Pick<ApiKeyDeps, 'feed' | 'records'>,
  { accountId, id, record }: { accountId: string; id: string; record: KeyRevocation },
): Promise<boolean> {
  return await deps.feed.change(async (trx, announce) => {
    const deleted = await trx
      .deleteFrom('apiKeys')
      .where('id', '=', id)
      .where('accountId', '=', accountId)
      .executeTakeFirst();
    if (deleted.numDeletedRows === 0n) return false;
    announce({ accountId, subject: 'key', subjectId: id, change: 'revoked' });
    await deps.records.auditIn(trx, {
      accountId,
      event: 'api_key.revoked',
      subjectId: id,
      ...record,
    });
    return true;
  });
}

const notFound = () => new ProblemError('not_found', 'You have no key by that id.');

export function apiKeyHandlers(deps: ApiKeyDeps): HandlersOf<typeof apiKeyEndpoints> {
  const { db, now } = deps;

  async function readOne(accountId: string, id: string): Promise<ApiKey> {
    const [key] = await readApiKeys(db, { accountId, now: now(), limit: 1, id });
    if (!key) throw notFound();
    return key;
  }

  const pausing =
    (change: typeof setPause): HandlersOf<typeof apiKeyEndpoints>['pauseApiKey'] =>
    async ({ params: { id } }, { session: { accountId }, sender }) => {
      const who = { actor: 'session', ...auditOf(sender) } as const;
      await change(deps, { accountId, subject: { keyId: id }, who });
      return await readOne(accountId, id);
    };

  return {
    listApiKeys: ({ query }, { session: { accountId } }) =>
      paged(query, (page) => readApiKeys(db, { accountId, now: now(), ...page })),

    async createApiKey({ body }, { session, sender }) {
      const { id, apiKey } = await createApiKey(deps, { session, body, sender });
      return { ...(await readOne(session.accountId, id)), apiKey, key: apiKey };
    },

    async updateApiKey({ params: { id }, body }, { session, sender }) {
      await updateApiKey(deps, { session, id, body, sender });
      return await readOne(session.accountId, id);
    },

    async rollApiKey({ params: { id }, body: { keepOldSeconds = 0 } }, { session, sender }) {
      const apiKey = await rollApiKey(deps, { session, id, keepOldSeconds, sender });
      if (apiKey === undefined) throw notFound();
      return { ...(await readOne(session.accountId, id)), apiKey, key: apiKey };
    },

    pauseApiKey: pausing(setPause),
    resumeApiKey: pausing(liftPause),

    async endOldApiKeyValue({ params: { id } }, { session: { accountId }, sender }) {
      await readOne(accountId, id);
      await endOldValueNow(deps, { accountId, id, sender });
      return {};
    },

    async revokeApiKey({ params: { id } }, { session: { accountId }, sender }) {
      const record = { actor: 'session' as const, ...auditOf(sender) } as const;
      if (!(await revokeApiKey(deps, { accountId, id, record }))) throw notFound();
      return {};
    },
  };
}

async function createApiKey(
  deps: ApiKeyDeps,
  input: { session: SessionPrincipal; body: BodyOf<'createApiKey'>; sender: Sender },
): Promise<{ id: string; apiKey: string }> {
  const { session, body, sender } = input;
  const { accountId } = session;
  const now = deps.now();
  const unlimited = { clientIds: null, monthlyLimit: null, expiresAt: null };
  const terms: KeyTerms = {
    ...unlimited,
    name: body.name,
    scopes: body.scopes,
    reachesPaused: body.reachesPaused ?? false,
    ...readKeyTerms(body, now),
  };
  checkReachesPaused(terms, now);
  return await withAccountLocked(deps, session, async (trx, announce) => {
    await checkRoomForKey(trx, deps.bounds, { accountId, now });
    await checkOwnClients(trx, accountId, terms.clientIds ?? []);
    const key = await insertApiKey(trx, { accountId, now, terms, announce });
    await deps.records.auditIn(trx, {
      accountId,
      event: 'api_key.created',
      actor: 'session',
      subjectId: key.id,
      detail: { name: terms.name, scopes: terms.scopes },
      ...auditOf(sender),
    });
    return key;
  });
}

/** A pause stops programs. What goes through it is a person's own try: once, in one world, and soon over. */
function checkReachesPaused({ reachesPaused, clientIds, expiresAt }: Partial<KeyTerms>, now: number): void {
  if (!reachesPaused) return;
  if (expiresAt && new Date(expiresAt).getTime() <= now + 300_000 && clientIds?.length === 1) return;
  throw invalidFields([
    { field: 'reachesPaused', message: 'is for a key of one world that expires within five minutes' },
  ]);
}

async function updateApiKey(
  deps: ApiKeyDeps,
  input: { session: SessionPrincipal; id: string; body: BodyOf<'updateApiKey'>; sender: Sender },
): Promise<void> {
  const { session, id, body, sender } = input;
  const { accountId } = session;
  const terms = readKeyTerms(body, deps.now());
  await withAccountLocked(deps, session, async (trx, announce) => {
    const updated = await trx
      .updateTable('apiKeys')
      .set(terms)
      .where('id', '=', id)
      .where('accountId', '=', accountId)
      .returning(['reachesPaused', 'clientIds', 'expiresAt'])
      .executeTakeFirst();
    if (!updated) throw notFound();
    checkReachesPaused(updated, deps.now());
    await checkOwnClients(trx, accountId, terms.clientIds ?? []);
    announce({ accountId, subject: 'key', subjectId: id, change: 'changed' });
    await deps.records.auditIn(trx, {
      accountId,
      event: 'api_key.changed',
      actor: 'session',
      subjectId: id,
      detail: { ...body },
      ...auditOf(sender),
    });
  });
}
