import { AuditEntry, ConnectionLog, LogQuery, pageOf } from '@tabletop-relay/contract';
import type { Static } from 'typebox';
import type { AccountApp, AccountDeps } from '../accounts/deps.ts';
import { paged } from './paging.ts';

type Filter = Static<typeof LogQuery>;

/** The filters that all logs share, as the names of columns and what to compare them with. */
function conditions(accountId: string, filter: Filter, cursor: string | undefined) {
  return [
    ['accountId', '=', accountId],
    ...(cursor === undefined ? [] : [['id', '<', cursor]]),
    ...(filter.client === undefined ? [] : [['clientId', '=', filter.client]]),
    ...(filter.outcome === undefined ? [] : [['outcome', '=', filter.outcome]]),
    ...(filter.since === undefined ? [] : [['at', '>=', new Date(filter.since)]]),
    ...(filter.until === undefined ? [] : [['at', '<', new Date(filter.until)]]),
  ] as ['accountId' | 'id' | 'clientId' | 'outcome' | 'at', '=' | '<' | '>=', string | Date][];
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
          .selectFrom('connectionLogs')
          .select(['id', 'at', 'clientId', 'tokenId', 'tokenName', 'ipAddress', 'userAgent', 'worldId'])
          .select(['worldTitle', 'systemId', 'systemVersion', 'tabletopVersion', 'metadataMatch', 'mismatch'])
          .select(['outcome', 'closeCode', 'attempts', 'instanceId'])
          .where((eb) => eb.and(where.map((condition) => eb(...condition))))
          .orderBy('id', 'desc')
          .limit(limit)
          .execute();
        return rows.map((row) => ({ ...row, at: row.at.toISOString(), attempts: row.attempts ?? 1 }));
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
          .selectFrom('auditLog')
          .select(['id', 'at', 'event', 'outcome', 'actor', 'clientId', 'subjectId', 'ipAddress'])
          .select(['userAgent', 'detail', 'instanceId'])
          .where((eb) => eb.and(where.map((condition) => eb(...condition))))
          .orderBy('id', 'desc')
          .limit(limit)
          .execute();
        return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
      }),
  );
}
