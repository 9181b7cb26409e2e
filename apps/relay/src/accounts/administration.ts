import { AdminAccount, PageQuery, pageOf } from '@tabletop-relay/contract';
import type { Database, Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Updateable } from 'kysely';
import { Type } from 'typebox';
import type { CredentialFeed } from '../auth/credential-feed.ts';
import { ProblemError } from '../http/problem.ts';
import type { AccountApp, AccountDeps } from './deps.ts';
import { paged } from './paging.ts';
import type { AuditRecord, Records } from './records.ts';
import { auditOf, senderOf } from './sender.ts';

/** What an administrator may do to an account. */
export const adminActions = {
  'force-rotation': { event: 'account.rotation_forced', change: 'blocked' },
  disable: { event: 'account.disabled', change: 'blocked' },
  enable: { event: 'account.enabled', change: 'unblocked' },
} as const;

export type AdminAction = keyof typeof adminActions;

function changesOf(action: AdminAction, now: number): Updateable<Tables['accounts']> {
  if (action === 'force-rotation') return { rotation_required: true };
  return { disabled_at: action === 'disable' ? new Date(now) : null };
}

/** Takes effect on every instance within a second; throws `not_found`. `record`: who did it. */
export async function administer(
  deps: { change: CredentialFeed['change']; records: Pick<Records, 'auditIn'> },
  input: { accountId: string; action: AdminAction; now: number; record: Partial<AuditRecord> },
): Promise<void> {
  await deps.change(async (trx, announce) => {
    const updated = await trx
      .updateTable('accounts')
      .set(changesOf(input.action, input.now))
      .where('id', '=', input.accountId)
      .executeTakeFirst();
    if (updated.numUpdatedRows === 0n) throw new ProblemError('not_found', 'No account by that id.');
    announce({
      account_id: input.accountId,
      subject: 'account',
      subject_id: input.accountId,
      change: adminActions[input.action].change,
    });
    await deps.records.auditIn(trx, {
      account_id: input.accountId,
      event: adminActions[input.action].event,
      subject_id: input.accountId,
      ...input.record,
    });
  });
}

export async function listAccounts(
  db: Database,
  input: { limit: number; cursor?: string | undefined; id?: string },
): Promise<AdminAccount[]> {
  const count = (table: 'known_clients' | 'api_keys') =>
    sql<number>`(select count(*)::int from ${sql.table(table)} as t where t.account_id = accounts.id)`;
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'email', 'created_at', 'is_administrator', 'rotation_required', 'disabled_at'])
    .select([count('known_clients').as('clients'), count('api_keys').as('keys')])
    .$if(input.cursor !== undefined, (query) => query.where('id', '<', input.cursor ?? ''))
    .$if(input.id !== undefined, (query) => query.where('id', '=', input.id ?? ''))
    .orderBy('id', 'desc')
    .limit(input.limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    createdAt: row.created_at.toISOString(),
    isAdministrator: row.is_administrator,
    rotationRequired: row.rotation_required,
    disabled: row.disabled_at !== null,
    clients: row.clients,
    apiKeys: row.keys,
  }));
}

export function administrationRoutes(app: AccountApp, deps: AccountDeps): void {
  app.addHook('preHandler', (request, _reply, done) => {
    done(request.session.isAdministrator ? undefined : new ProblemError('forbidden', 'Administrators only.'));
  });

  app.get(
    '/admin/accounts',
    {
      schema: { summary: 'List accounts', querystring: PageQuery, response: { 200: pageOf(AdminAccount) } },
      config: { problems: ['forbidden'] },
    },
    async (request) => await paged(request.query, (page) => listAccounts(deps.db, page)),
  );

  for (const action of Object.keys(adminActions) as AdminAction[]) {
    app.post(
      `/admin/accounts/:id/${action}`,
      {
        schema: {
          summary: `Administer an account: ${action}`,
          params: Type.Object({ id: Type.String() }),
          response: { 200: AdminAccount },
        },
        config: { problems: ['forbidden'] },
      },
      async (request) => {
        const { id } = request.params;
        await administer(
          { change: (work) => deps.feed.change(work), records: deps.records },
          {
            accountId: id,
            action,
            now: deps.now(),
            record: {
              actor: 'administrator',
              detail: { by: request.session.accountId },
              ...auditOf(senderOf(request)),
            },
          },
        );
        const [account] = await listAccounts(deps.db, { limit: 1, id });
        if (!account) throw new ProblemError('not_found', 'No account by that id.');
        return account;
      },
    );
  }
}
