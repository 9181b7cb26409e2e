import { errors } from '@tabletop-relay/contract';
import type { ErrorCode, Overview } from '@tabletop-relay/contract';
import type { Database } from '@tabletop-relay/database';
import { readOnlineSpans } from '../../records/online-spans.ts';
import type { OnlineSpan } from '../../records/online-spans.ts';
import type { HourCount } from './hour-counts.ts';
import { noTimes, percentile } from './time-classes.ts';

const hourMs = 3_600_000;
const maxWorlds = 100;
const maxKeys = 200;
/** Beyond so many rows the oldest hours are left out: an account with many worlds and keys has a row for each pair. */
const maxRows = 50_000;

interface HourRow extends Omit<HourCount, 'accountId' | 'hour'> {
  /** The place of its hour in the answer. */
  index: number;
}

/** Figures of the last days for the page of an account or a key, from the counts of hours and the connection log. */
export async function readOverview(
  db: Database,
  {
    accountId,
    days,
    keyId,
    now,
  }: { accountId: string; days: number; keyId?: string | undefined; now: number },
): Promise<Overview> {
  const hours = hoursUntil(now, days * 24);
  const since = new Date(hours[0] as number);
  const rows = await readHours(db, { accountId, keyId, since });
  const spans =
    keyId === undefined ? await readOnlineSpans(db, { accountId, since }) : new Map<string, never>();
  return {
    hours: hours.map((hour) => new Date(hour).toISOString()),
    worlds: worldsOf(rows, spans, hours.length),
    keys: mostCalled(Map.groupBy(rows, ({ keyId }) => keyId), maxKeys).map(([keyId, ofKey]) => ({
      keyId,
      ...countByHour(ofKey, hours.length),
    })), // prettier-ignore
    errors: errorsOf(rows),
  };
}

function hoursUntil(now: number, count: number): number[] {
  const last = now - (now % hourMs);
  return Array.from({ length: count }, (_, index) => last - (count - 1 - index) * hourMs);
}

async function readHours(
  db: Database,
  { accountId, keyId, since }: { accountId: string; keyId: string | undefined; since: Date },
) {
  const rows = await db
    .selectFrom('callHours')
    .select(['hour', 'keyId', 'clientId', 'outcome', 'calls', 'relayTimes', 'worldTimes'])
    .where('accountId', '=', accountId)
    .where('hour', '>=', since)
    .$if(keyId !== undefined, (query) => query.where('keyId', '=', keyId ?? ''))
    .orderBy('hour', 'desc')
    .limit(maxRows)
    .execute();
  return rows.map(({ hour, calls, relayTimes, worldTimes, ...row }): HourRow => ({
    ...row,
    index: Math.floor((hour.getTime() - since.getTime()) / hourMs),
    calls: Number(calls),
    relayTimes: relayTimes.map(Number),
    worldTimes: worldTimes.map(Number),
  }));
}

function worldsOf(
  rows: readonly HourRow[],
  spans: ReadonlyMap<string, OnlineSpan[]>,
  hours: number,
): Overview['worlds'] {
  const byWorld = Map.groupBy(rows.filter(({ clientId }) => clientId !== ''), ({ clientId }) => clientId); // prettier-ignore
  for (const clientId of spans.keys()) if (!byWorld.has(clientId)) byWorld.set(clientId, []);
  return mostCalled(byWorld, maxWorlds).map(([clientId, ofWorld]) => {
    const relay = timesByHour(ofWorld, 'relayTimes', hours);
    const world = timesByHour(ofWorld, 'worldTimes', hours);
    return {
      clientId,
      ...countByHour(ofWorld, hours),
      relayP50: relay.map((counts) => percentile(counts, 0.5)),
      relayP95: relay.map((counts) => percentile(counts, 0.95)),
      worldP50: world.map((counts) => percentile(counts, 0.5)),
      worldP95: world.map((counts) => percentile(counts, 0.95)),
      online: spans.get(clientId) ?? [],
    };
  });
}

const callsIn = (rows: readonly HourRow[]): number => rows.reduce((sum, { calls }) => sum + calls, 0);

/** The groups with most calls, the most first. */
function mostCalled(groups: ReadonlyMap<string, HourRow[]>, count: number): [string, HourRow[]][] {
  return [...groups].toSorted(([, one], [, other]) => callsIn(other) - callsIn(one)).slice(0, count);
}

function countByHour(rows: readonly HourRow[], hours: number): Record<'ok' | 'refused' | 'failed', number[]> {
  const none = () => Array.from({ length: hours }, () => 0);
  const counts = { ok: none(), refused: none(), failed: none() };
  for (const { index, outcome, calls } of rows) {
    const ofClass = counts[classOfOutcome(outcome)];
    if (index < hours) (ofClass[index] as number) += calls;
  }
  return counts;
}

/** A status below 500: the relay or the world refused the request. */
function classOfOutcome(outcome: string): 'ok' | 'refused' | 'failed' {
  if (outcome === 'ok') return 'ok';
  const status = Object.hasOwn(errors, outcome) ? errors[outcome as ErrorCode].status : 500;
  return status < 500 ? 'refused' : 'failed';
}

function timesByHour(
  rows: readonly HourRow[],
  field: 'relayTimes' | 'worldTimes',
  hours: number,
): number[][] {
  const times = Array.from({ length: hours }, noTimes);
  for (const row of rows) {
    const ofHour = times[row.index];
    if (ofHour) for (const [index, count] of row[field].entries()) (ofHour[index] as number) += count;
  }
  return times;
}

function errorsOf(rows: readonly HourRow[]): Overview['errors'] {
  const failures = Map.groupBy(rows.filter(({ outcome }) => outcome !== 'ok'), ({ outcome }) => outcome); // prettier-ignore
  return mostCalled(failures, 50).map(([code, ofCode]) => ({ code, calls: callsIn(ofCode) }));
}
