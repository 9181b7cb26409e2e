import type { Call, CallRecord, KeyCaller, InputOf, callEndpoints } from '@tabletop-relay/contract';
import type { Database, Tables } from '@tabletop-relay/database';
import type { PageRead } from '@tabletop-relay/kit';
import { sql } from 'kysely';
import type { ExpressionBuilder, Selectable } from 'kysely';

type Filter = InputOf<(typeof callEndpoints)['listCalls']>['query'];

export interface CallPage extends PageRead {
  accountId: string;
  filter: Filter;
}

const columns = [
  'id', 'at', 'keyId', 'keyName', 'clientId', 'operation', 'outcome', 'status', 'relayMs', 'worldMs', 'requestId',
  'standsFor', 'ipAddress', 'userAgent', 'oldValue', 'ignoredParameters', 'replayed', 'instanceId', 'via', 'assistant',
] as const; // prettier-ignore

export async function readCalls(
  db: Database,
  { accountId, filter, limit, cursor }: CallPage,
): Promise<CallRecord[]> {
  const rows = await db
    .selectFrom('callLog')
    .select(columns)
    .where('accountId', '=', accountId)
    .where((eb) => eb.and(conditions(eb, filter)))
    .$if(cursor !== undefined, (query) => query.where('id', '<', cursor ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(recordOf);
}

const namesIn = (listed: string): string[] =>
  listed === '' ? [] : listed.split(', ').map(decodeURIComponent);

/** A version that did not know them left some columns empty. */
const recordOf = (row: Pick<Selectable<Tables['callLog']>, (typeof columns)[number]>): CallRecord => ({
  ...row,
  at: row.at.toISOString(),
  ipAddress: row.ipAddress ?? '',
  userAgent: row.userAgent ?? '',
  oldValue: row.oldValue ?? false,
  ignoredParameters: namesIn(row.ignoredParameters ?? ''),
  via: row.via ?? 'http',
  assistant: row.assistant ?? '',
  replayed: row.replayed ?? false,
});

const maxCallers = 20;
/** Number of last entries whose callers are listed: a key may have millions. */
const searchedCalls = 2_000;

/** From where and with which programs a key was called lately, the last ones first. */
export async function readCallers(
  db: Database,
  { accountId, keyId }: { accountId: string; keyId: string },
): Promise<KeyCaller[]> {
  const last = db
    .selectFrom('callLog')
    .select(['at', 'standsFor'])
    .select([
      sql<string>`coalesce(ip_address, '')`.as('ipAddress'),
      sql<string>`coalesce(user_agent, '')`.as('userAgent'),
      sql<boolean>`coalesce(old_value, false)`.as('oldValue'),
    ])
    .where('accountId', '=', accountId)
    .where('keyId', '=', keyId)
    .orderBy('id', 'desc')
    .limit(searchedCalls);
  const rows = await db
    .selectFrom(last.as('last'))
    .select(['ipAddress', 'userAgent', 'oldValue'])
    .select((eb) => [eb.fn.sum<string>('standsFor').as('calls'), eb.fn.max('at').as('lastAt')])
    .groupBy(['ipAddress', 'userAgent', 'oldValue'])
    .orderBy('lastAt', 'desc')
    .limit(maxCallers)
    .execute();
  return rows.map(({ calls, lastAt, ...row }) => ({
    ...row,
    calls: Number(calls),
    lastAt: lastAt.toISOString(),
  }));
}

function conditions(eb: ExpressionBuilder<Tables, 'callLog'>, filter: Filter) {
  const { client, key, operation, outcome, requestId, since, until } = filter;
  return [
    ...(client === undefined ? [] : [eb('clientId', '=', client)]),
    ...(key === undefined ? [] : [eb('keyId', '=', key)]),
    ...(operation === undefined ? [] : [eb('operation', '=', operation)]),
    ...(requestId === undefined ? [] : [eb('requestId', '=', requestId)]),
    ...(outcome === undefined
      ? []
      : [outcome === 'failed' ? eb('outcome', '<>', 'ok') : eb('outcome', '=', outcome)]),
    // Every outcome but this one is in the index of failures.
    ...(outcome === undefined || outcome === 'ok' ? [] : [eb('outcome', '<>', 'ok')]),
    ...(since === undefined ? [] : [eb('at', '>=', new Date(since))]),
    ...(until === undefined ? [] : [eb('at', '<', new Date(until))]),
  ];
}

/** So long a request and an answer are shown; their partition is dropped within two hours more. */
const bodiesKeptMs = 24 * 3_600_000;

/** One call with its request and answer. Undefined where the account has none by this id. */
export async function readCall(
  db: Database,
  { accountId, id, now }: { accountId: string; id: string; now: number },
): Promise<Call | undefined> {
  const row = await db
    .selectFrom('callLog')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const body = await db
    .selectFrom('callBodies')
    // Those of an account that keeps none any more may still be being erased.
    .innerJoin('callLogSettings as chosen', 'chosen.accountId', 'callBodies.accountId')
    .select(['request', 'answer', 'requestLacks', 'answerLacks'])
    .where('chosen.keepsBodies', '=', true)
    .where('callBodies.accountId', '=', accountId)
    .where('id', '=', id)
    .where('at', '=', row.at)
    .where('at', '>', new Date(now - bodiesKeptMs))
    .executeTakeFirst();
  return {
    ...recordOf(row),
    request: body ? { text: body.request, lacks: body.requestLacks } : null,
    answer: body ? { text: body.answer, lacks: body.answerLacks } : null,
  };
}
