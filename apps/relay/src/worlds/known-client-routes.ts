import { KnownClient, PageQuery, UpdateKnownClientBody, pageOf } from '@tabletop-relay/contract';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { tokenNames } from './known-clients.ts';
import { ProblemError } from '../problem.ts';
import type { AccountApp, AccountDeps } from '../accounts/deps.ts';
import type { Sender } from '../records/sender.ts';
import { paged } from '../records/paging.ts';
import { readPlainText } from '../records/plain-text.ts';
import { auditOf, senderOf } from '../records/sender.ts';

async function readClients(
  deps: AccountDeps,
  input: { accountId: string; limit: number; cursor?: string | undefined; clientId?: string },
): Promise<KnownClient[]> {
  const rows = await deps.db
    .selectFrom('knownClients as client')
    .selectAll('client')
    .select(tokenNames.as('tokenNames'))
    .where('accountId', '=', input.accountId)
    .$if(input.cursor !== undefined, (query) => query.where('clientId', '<', input.cursor ?? ''))
    .$if(input.clientId !== undefined, (query) => query.where('clientId', '=', input.clientId ?? ''))
    .orderBy('clientId', 'desc')
    .limit(input.limit)
    .execute();
  const online = await deps.whoIsOnline(rows.map((row) => row.clientId));
  return rows.map((row) => ({
    clientId: row.clientId,
    worldId: row.worldId,
    worldTitle: row.worldTitle,
    tabletopVersion: row.tabletopVersion,
    systemId: row.systemId,
    systemTitle: row.systemTitle,
    systemVersion: row.systemVersion,
    customName: row.customName || row.moduleCustomName,
    isOnline: online ? online.has(row.clientId) : null,
    instanceId: row.lastInstanceId,
    ipAddress: row.ipAddress,
    tokenName: row.tokenNames[online?.get(row.clientId)?.tokenId ?? ''] ?? row.tokenName,
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    connectedSince: row.connectedSince?.toISOString() ?? null,
    tokens: Object.keys(row.tokenNames).length,
    createdAt: row.createdAt.toISOString(),
  }));
}

/** Deletes a world with its tokens and codes. Keys lose it, and one that had no other reaches none. */
async function deleteClient(
  deps: Pick<AccountDeps, 'feed' | 'records'>,
  { accountId, clientId, sender }: { accountId: string; clientId: string; sender: Sender },
): Promise<boolean> {
  return await deps.feed.change(async (trx, announce) => {
    const deleted = await trx
      .deleteFrom('knownClients')
      .where('clientId', '=', clientId)
      .where('accountId', '=', accountId)
      .executeTakeFirst();
    if (deleted.numDeletedRows === 0n) return false;
    await trx
      .updateTable('apiKeys')
      .set({ clientIds: sql`array_remove(client_ids, ${clientId})` })
      .where('accountId', '=', accountId)
      .where(sql<boolean>`${clientId} = any(client_ids)`)
      .execute();
    await trx
      .updateTable('connectionTokens')
      .set({ allowedTargetClients: sql`array_remove(allowed_target_clients, ${clientId})` })
      .where('accountId', '=', accountId)
      .where(sql<boolean>`${clientId} = any(allowed_target_clients)`)
      .execute();
    announce({ accountId, subject: 'client', subjectId: clientId, change: 'revoked' });
    await deps.records.auditIn(trx, {
      accountId,
      event: 'client.deleted',
      actor: 'session',
      clientId,
      ...auditOf(sender),
    });
    return true;
  });
}

const params = Type.Object({ clientId: Type.String() });
const notFound = () => new ProblemError('not_found', 'You have no world by that id.');

export function knownClientRoutes(app: AccountApp, deps: AccountDeps): void {
  app.get(
    '/auth/known-clients',
    {
      schema: { summary: 'List your worlds', querystring: PageQuery, response: { 200: pageOf(KnownClient) } },
    },
    async (request) =>
      await paged(request.query, (page) =>
        readClients(deps, { accountId: request.session.accountId, ...page }),
      ),
  );

  app.patch(
    '/auth/known-clients/:clientId',
    {
      schema: {
        summary: 'Name a world',
        description: 'Wins over the name that the module gives; empty: the module’s again.',
        params,
        body: UpdateKnownClientBody,
        response: { 200: KnownClient },
      },
    },
    async (request) => {
      const { accountId } = request.session;
      const { clientId } = request.params;
      const customName = readPlainText(request.body.customName.trim(), 'customName');
      await deps.db.transaction().execute(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('knownClients')
          .set({ customName })
          .where('clientId', '=', clientId)
          .where('accountId', '=', accountId)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) throw notFound();
        await deps.records.auditIn(trx, {
          accountId,
          event: 'client.named',
          actor: 'session',
          clientId,
          detail: { customName },
          ...auditOf(senderOf(request)),
        });
      });
      const [client] = await readClients(deps, { accountId, limit: 1, clientId });
      if (!client) throw notFound();
      return client;
    },
  );

  app.delete(
    '/auth/known-clients/:clientId',
    {
      schema: {
        summary: 'Delete a world',
        description: 'Unpairs its browsers. Keys bound to it alone reach nothing afterwards.',
        params,
        response: { 200: Type.Object({}) },
      },
    },
    async (request) => {
      const { accountId } = request.session;
      const { clientId } = request.params;
      const sender = senderOf(request);
      if (!(await deleteClient(deps, { accountId, clientId, sender }))) throw notFound();
      return {};
    },
  );
}
