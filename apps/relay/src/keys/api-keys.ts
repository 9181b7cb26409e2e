import {
  ApiKey,
  CreateApiKeyBody,
  NewApiKey,
  PageQuery,
  UpdateApiKeyBody,
  pageOf,
} from '@tabletop-relay/contract';
import type { Database, Tables } from '@tabletop-relay/database';
import type { Insertable, Transaction } from 'kysely';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { newId } from '../credentials/id.ts';
import { createSecret } from '../credentials/secret.ts';
import { ProblemError, invalidFields } from '../problem.ts';
import { checkOwnClients, withAccountLocked } from '../accounts/account-lock.ts';
import { checkRoomForKey } from '../accounts/bounds.ts';
import type { AccountApp, AccountDeps } from '../accounts/deps.ts';
import { paged } from '../records/paging.ts';
import { readPlainText } from '../records/plain-text.ts';
import type { AuditRecord } from '../records/records.ts';
import { auditOf, senderOf } from '../records/sender.ts';

type KeyTerms = Pick<
  Insertable<Tables['apiKeys']>,
  'name' | 'scopes' | 'clientIds' | 'monthlyLimit' | 'expiresAt'
>;

/** Makes a scoped key; the caller holds the account's lock. The value is shown once. */
export async function insertApiKey(
  trx: Transaction<Tables>,
  input: { accountId: string; now: number; terms: KeyTerms },
): Promise<{ id: string; apiKey: string }> {
  const secret = createSecret('scopedKey');
  const id = newId(input.now);
  await trx
    .insertInto('apiKeys')
    .values({ id, accountId: input.accountId, hash: secret.hash, hint: secret.hint, ...input.terms })
    .execute();
  return { id, apiKey: secret.value };
}

type Body = Static<typeof UpdateApiKeyBody>;

/** What a body says of a key's terms; fields that it does not name stay out. */
export function readKeyTerms(body: Body, now: number): Partial<KeyTerms> {
  const { name, scopes, clientIds, monthlyLimit, expiresAt } = body;
  if (expiresAt && Date.parse(expiresAt) <= now) {
    throw invalidFields([{ field: 'expiresAt', message: 'must be in the future' }]);
  }
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
  const month = `${new Date(input.now).toISOString().slice(0, 7)}-01`;
  const rows = await db
    .selectFrom('apiKeys')
    .leftJoin('keyUsage', (join) => join.onRef('keyId', '=', 'apiKeys.id').on('keyUsage.month', '=', month))
    .select(['id', 'name', 'hint', 'scopes', 'clientIds', 'monthlyLimit', 'expiresAt'])
    .select(['lastUsedAt', 'createdAt', 'calls'])
    .where('accountId', '=', input.accountId)
    .$if(input.cursor !== undefined, (query) => query.where('id', '<', input.cursor ?? ''))
    .$if(input.id !== undefined, (query) => query.where('id', '=', input.id ?? ''))
    .orderBy('id', 'desc')
    .limit(input.limit)
    .execute();
  return rows.map(({ calls, ...row }) => ({
    ...row,
    usedThisMonth: Number(calls ?? 0),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }));
}

const params = Type.Object({ id: Type.String() });
const notFound = () => new ProblemError('not_found', 'You have no key by that id.');

export function apiKeyRoutes(app: AccountApp, deps: AccountDeps): void {
  const { db, records } = deps;

  async function readOne(accountId: string, id: string): Promise<ApiKey> {
    const [key] = await readApiKeys(db, { accountId, now: deps.now(), limit: 1, id });
    if (!key) throw notFound();
    return key;
  }

  app.get(
    '/auth/api-keys',
    { schema: { summary: 'List your API keys', querystring: PageQuery, response: { 200: pageOf(ApiKey) } } },
    async (request) =>
      await paged(request.query, (page) =>
        readApiKeys(db, { accountId: request.session.accountId, now: deps.now(), ...page }),
      ),
  );

  app.post(
    '/auth/api-keys',
    {
      schema: { summary: 'Create an API key', body: CreateApiKeyBody, response: { 200: NewApiKey } },
      config: { problems: ['client_not_found', 'conflict', 'rotation_required'] },
    },
    async (request) => {
      const { accountId } = request.session;
      const now = deps.now();
      const { name, scopes } = request.body;
      const terms: KeyTerms = {
        name,
        scopes,
        clientIds: null,
        monthlyLimit: null,
        expiresAt: null,
        ...readKeyTerms(request.body, now),
      };
      const made = await withAccountLocked(deps, request.session, async (trx) => {
        await checkRoomForKey(trx, deps.bounds, { accountId, now });
        await checkOwnClients(trx, accountId, terms.clientIds ?? []);
        const key = await insertApiKey(trx, { accountId, now, terms });
        await records.auditIn(trx, {
          accountId,
          event: 'api_key.created',
          actor: 'session',
          subjectId: key.id,
          detail: { name: terms.name, scopes: terms.scopes },
          ...auditOf(senderOf(request)),
        });
        return key;
      });
      return { ...(await readOne(accountId, made.id)), apiKey: made.apiKey };
    },
  );

  app.patch(
    '/auth/api-keys/:id',
    {
      schema: { summary: 'Change an API key', params, body: UpdateApiKeyBody, response: { 200: ApiKey } },
      config: { problems: ['client_not_found', 'rotation_required'] },
    },
    async (request) => {
      const { accountId } = request.session;
      const { id } = request.params;
      const terms = readKeyTerms(request.body, deps.now());
      await withAccountLocked(deps, request.session, async (trx, announce) => {
        const updated = await trx
          .updateTable('apiKeys')
          .set(terms)
          .where('id', '=', id)
          .where('accountId', '=', accountId)
          .executeTakeFirst();
        if (updated.numUpdatedRows === 0n) throw notFound();
        await checkOwnClients(trx, accountId, terms.clientIds ?? []);
        announce({ accountId, subject: 'key', subjectId: id, change: 'changed' });
        await records.auditIn(trx, {
          accountId,
          event: 'api_key.changed',
          actor: 'session',
          subjectId: id,
          detail: { ...request.body },
          ...auditOf(senderOf(request)),
        });
      });
      return await readOne(accountId, id);
    },
  );

  app.delete(
    '/auth/api-keys/:id',
    { schema: { summary: 'Revoke an API key', params, response: { 200: Type.Object({}) } } },
    async (request) => {
      const { accountId } = request.session;
      const { id } = request.params;
      const record = { actor: 'session', ...auditOf(senderOf(request)) };
      if (!(await revokeApiKey(deps, { accountId, id, record }))) throw notFound();
      return {};
    },
  );
}

/** Ends a key on every instance; false where the account has none by that id. `record`: who did it, and why. */
export async function revokeApiKey(
  deps: Pick<AccountDeps, 'feed' | 'records'>,
  { accountId, id, record }: { accountId: string; id: string; record: Partial<AuditRecord> },
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
