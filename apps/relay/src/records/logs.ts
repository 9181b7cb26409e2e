import { logEndpoints } from '@tabletop-relay/contract';
import type { InputOf } from '@tabletop-relay/contract';
import type { Database } from '@tabletop-relay/database';
import { sql } from 'kysely';
import { serve } from '../endpoint-handler.ts';
import type { HandlersOf, ServedEndpoint } from '../endpoint-handler.ts';
import { paged } from '@tabletop-relay/kit';
import type { PageRead } from '@tabletop-relay/kit';

type Filter = InputOf<(typeof logEndpoints)['listAuditLog']>['query'];

interface LogPage extends PageRead {
  accountId: string;
  filter: Filter;
}

/** The endpoints of this room. */
export function serveRecords({ db }: { db: Database }): ServedEndpoint[] {
  const handlers: HandlersOf<typeof logEndpoints> = {
    listConnectionLogs: ({ query: filter }, { session: { accountId } }) =>
      paged(filter, (page) => readConnectionLogs(db, { accountId, filter, ...page })),
    listRemoteRequestLogs: ({ query: filter }, { session: { accountId } }) =>
      paged(filter, (page) => readRemoteRequestLogs(db, { accountId, filter, ...page })),
    listAuditLog: ({ query: filter }, { session: { accountId } }) =>
      paged(filter, (page) => readAuditLog(db, { accountId, filter, ...page })),
  };
  return serve(logEndpoints, handlers);
}

async function readConnectionLogs(db: Database, page: LogPage) {
  const rows = await db
    .selectFrom('connectionLogs')
    .select(['id', 'at', 'clientId', 'tokenId', 'tokenName', 'ipAddress', 'userAgent', 'worldId'])
    .select(['worldTitle', 'systemId', 'systemVersion', 'tabletopVersion', 'metadataMatch', 'mismatch'])
    .select(['outcome', 'closeCode', 'attempts', 'instanceId'])
    .select(pairedName.as('pairedName'))
    .where((eb) => eb.and(conditions(page).map((condition) => eb(...condition))))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute();
  return rows.map((row) => ({ ...row, at: row.at.toISOString(), attempts: row.attempts ?? 1 }));
}

const pairedName = sql<string>`coalesce((
  select coalesce(nullif(k.custom_name, ''), k.world_title) from known_clients k
  where k.client_id = connection_logs.client_id and k.account_id = connection_logs.account_id), '')`;

/** A request concerns two worlds, and is found by either. */
async function readRemoteRequestLogs(db: Database, page: LogPage) {
  const { client } = page.filter;
  const rows = await db
    .selectFrom('remoteRequestLogs')
    .select(['id', 'at', 'sourceClientId', 'sourceTokenId', 'sourceTokenName', 'targetClientId', 'action'])
    .select(['outcome', 'error', 'ipAddress', 'durationMs', 'attempts', 'instanceId'])
    .where((eb) => eb.and(commonConditions(page).map((condition) => eb(...condition))))
    .$if(client !== undefined, (query) =>
      query.where((eb) => eb(eb.val(client), 'in', [eb.ref('sourceClientId'), eb.ref('targetClientId')])),
    )
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute();
  return rows.map(({ sourceTokenName, attempts, ...row }) => ({
    ...row,
    at: row.at.toISOString(),
    sourceTokenName: sourceTokenName ?? '',
    attempts: attempts ?? 1,
  }));
}

async function readAuditLog(db: Database, page: LogPage) {
  const rows = await db
    .selectFrom('auditLog')
    .select(['id', 'at', 'event', 'outcome', 'actor', 'clientId', 'subjectId', 'ipAddress'])
    .select(['userAgent', 'detail', 'instanceId'])
    .where((eb) => eb.and(conditions(page).map((condition) => eb(...condition))))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute();
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

type Condition<Column> = [column: Column, operator: '=' | '<' | '>=', value: string | Date];

/** The filters that all logs share, as the names of columns and what to compare them with. */
function commonConditions({ accountId, filter, cursor }: LogPage) {
  return [
    ['accountId', '=', accountId],
    ...(cursor === undefined ? [] : [['id', '<', cursor]]),
    ...(filter.outcome === undefined ? [] : [['outcome', '=', filter.outcome]]),
    ...(filter.since === undefined ? [] : [['at', '>=', new Date(filter.since)]]),
    ...(filter.until === undefined ? [] : [['at', '<', new Date(filter.until)]]),
  ] as Condition<'accountId' | 'id' | 'outcome' | 'at'>[];
}

/** The conditions that all logs share, and that on the client, for logs that tell of one. */
function conditions(page: LogPage): Condition<'accountId' | 'id' | 'outcome' | 'at' | 'clientId'>[] {
  const { client } = page.filter;
  return [
    ...commonConditions(page),
    ...(client === undefined ? [] : [['clientId', '=', client] satisfies Condition<'clientId'>]),
  ];
}
