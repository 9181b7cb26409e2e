import { KnownClient, PageQuery, UpdateKnownClientBody, pageOf } from '@tabletop-relay/contract';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { tokenNames } from '../clients/known-clients.ts';
import { ProblemError } from '../http/problem.ts';
import type { AccountApp, AccountDeps, Sender } from './deps.ts';
import { paged } from './paging.ts';
import { readPlainText } from './plain-text.ts';
import { auditOf, senderOf } from './sender.ts';

async function readClients(
  deps: AccountDeps,
  input: { accountId: string; limit: number; cursor?: string | undefined; clientId?: string },
): Promise<KnownClient[]> {
  const rows = await deps.db
    .selectFrom('known_clients as client')
    .selectAll('client')
    .select(tokenNames.as('token_names'))
    .where('account_id', '=', input.accountId)
    .$if(input.cursor !== undefined, (query) => query.where('client_id', '<', input.cursor ?? ''))
    .$if(input.clientId !== undefined, (query) => query.where('client_id', '=', input.clientId ?? ''))
    .orderBy('client_id', 'desc')
    .limit(input.limit)
    .execute();
  const online = await deps.whoIsOnline(rows.map((row) => row.client_id));
  return rows.map((row) => ({
    clientId: row.client_id,
    worldId: row.world_id,
    worldTitle: row.world_title,
    tabletopVersion: row.tabletop_version,
    systemId: row.system_id,
    systemTitle: row.system_title,
    systemVersion: row.system_version,
    customName: row.custom_name || row.module_custom_name,
    isOnline: online ? online.has(row.client_id) : null,
    instanceId: row.last_instance_id,
    ipAddress: row.ip_address,
    tokenName: row.token_names[online?.get(row.client_id)?.tokenId ?? ''] ?? row.token_name,
    lastSeenAt: row.last_seen_at?.toISOString() ?? null,
    connectedSince: row.connected_since?.toISOString() ?? null,
    tokens: Object.keys(row.token_names).length,
    createdAt: row.created_at.toISOString(),
  }));
}

/** Deletes a world with its tokens and codes. Keys lose it, and one that had no other reaches none. */
async function deleteClient(
  deps: Pick<AccountDeps, 'feed' | 'records'>,
  { accountId, clientId, sender }: { accountId: string; clientId: string; sender: Sender },
): Promise<boolean> {
  return await deps.feed.change(async (trx, announce) => {
    const deleted = await trx
      .deleteFrom('known_clients')
      .where('client_id', '=', clientId)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    if (deleted.numDeletedRows === 0n) return false;
    await trx
      .updateTable('api_keys')
      .set({ client_ids: sql`array_remove(client_ids, ${clientId})` })
      .where('account_id', '=', accountId)
      .where(sql<boolean>`${clientId} = any(client_ids)`)
      .execute();
    await trx
      .updateTable('connection_tokens')
      .set({ allowed_target_clients: sql`array_remove(allowed_target_clients, ${clientId})` })
      .where('account_id', '=', accountId)
      .where(sql<boolean>`${clientId} = any(allowed_target_clients)`)
      .execute();
    announce({ account_id: accountId, subject: 'client', subject_id: clientId, change: 'revoked' });
    await deps.records.auditIn(trx, {
      account_id: accountId,
      event: 'client.deleted',
      actor: 'session',
      client_id: clientId,
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
          .updateTable('known_clients')
          .set({ custom_name: customName })
          .where('client_id', '=', clientId)
          .where('account_id', '=', accountId)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) throw notFound();
        await deps.records.auditIn(trx, {
          account_id: accountId,
          event: 'client.named',
          actor: 'session',
          client_id: clientId,
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
