import { AuditEntry, ConnectionLog, LogQuery, pageOf } from '@tabletop-relay/contract';
import type { Static } from 'typebox';
import type { AccountApp, AccountDeps } from './deps.ts';
import { paged } from './paging.ts';

type Filter = Static<typeof LogQuery>;

/** The filters that all logs share, as the names of columns and what to compare them with. */
function conditions(accountId: string, filter: Filter, cursor: string | undefined) {
  return [
    ['account_id', '=', accountId],
    ...(cursor === undefined ? [] : [['id', '<', cursor]]),
    ...(filter.client === undefined ? [] : [['client_id', '=', filter.client]]),
    ...(filter.outcome === undefined ? [] : [['outcome', '=', filter.outcome]]),
    ...(filter.since === undefined ? [] : [['at', '>=', new Date(filter.since)]]),
    ...(filter.until === undefined ? [] : [['at', '<', new Date(filter.until)]]),
  ] as ['account_id' | 'id' | 'client_id' | 'outcome' | 'at', '=' | '<' | '>=', string | Date][];
}

export function logRoutes(app: AccountApp, { db }: AccountDeps): void {
  app.get(
    '/auth/connection-logs',
    {
      schema: {
        summary: 'List the attempts to connect, accepted or not',
        querystring: LogQuery,
        response: { 200: pageOf(ConnectionLog) },
      },
    },
    async (request) =>
      await paged(request.query, async ({ limit, cursor }) => {
        const where = conditions(request.session.accountId, request.query, cursor);
        const rows = await db
          .selectFrom('connection_logs')
          .selectAll()
          .where((eb) => eb.and(where.map((condition) => eb(...condition))))
          .orderBy('id', 'desc')
          .limit(limit)
          .execute();
        return rows.map((row) => ({
          id: row.id,
          at: row.at.toISOString(),
          clientId: row.client_id,
          tokenId: row.token_id,
          tokenName: row.token_name,
          ipAddress: row.ip_address,
          userAgent: row.user_agent,
          worldId: row.world_id,
          worldTitle: row.world_title,
          systemId: row.system_id,
          systemVersion: row.system_version,
          tabletopVersion: row.tabletop_version,
          metadataMatch: row.metadata_match,
          mismatch: row.mismatch,
          outcome: row.outcome,
          closeCode: row.close_code,
          attempts: row.attempts ?? 1,
          instanceId: row.instance_id,
        }));
      }),
  );

  app.get(
    '/auth/audit-log',
    {
      schema: {
        summary: 'List what happened to your account and its credentials',
        querystring: LogQuery,
        response: { 200: pageOf(AuditEntry) },
      },
    },
    async (request) =>
      await paged(request.query, async ({ limit, cursor }) => {
        const where = conditions(request.session.accountId, request.query, cursor);
        const rows = await db
          .selectFrom('audit_log')
          .selectAll()
          .where((eb) => eb.and(where.map((condition) => eb(...condition))))
          .orderBy('id', 'desc')
          .limit(limit)
          .execute();
        return rows.map((row) => ({
          id: row.id,
          at: row.at.toISOString(),
          event: row.event,
          outcome: row.outcome,
          actor: row.actor,
          clientId: row.client_id,
          subjectId: row.subject_id,
          ipAddress: row.ip_address,
          userAgent: row.user_agent,
          detail: row.detail,
          instanceId: row.instance_id,
        }));
      }),
  );
}
