import { errors } from '@tabletop-relay/contract';
import type { ErrorCode, Overview } from '@tabletop-relay/contract';
import type { Database } from '@tabletop-relay/database';
import { readOnlineSpans } from '../../records/online-spans.ts';
import type { OnlineSpan } from '../../records/online-spans.ts';
import { firstCallIdAt } from '../call-log.ts';
import { addCalls, isWorldKnown } from './hour-counts.ts';
import type { HourCount } from './hour-counts.ts';
import { noTimes, percentile } from './hour-counts.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;
const maxWorlds = 100;
const maxKeys = 200;
const maxCallers = 200;
/** Newest entries of the call log that minutes are counted from: an account may make more in an hour than a page can wait for. */
const maxEntries = 10_000;
/** Beyond so many rows the oldest hours are left out: an account with many worlds and keys has a row for each pair. */
const maxRows = 50_000;

interface HourRow extends Omit<HourCount, 'accountId' | 'hour'> {
  /** The place of its hour, or minute, in the answer. */
  index: number;
}

interface OverviewQuestion {
  accountId: string;
  by: 'hour' | 'minute';
  days: number;
  keyId?: string | undefined;
  now: number;
}

/** What was counted, and when each hour or minute begins, in epoch milliseconds. */
interface Counted {
  starts: number[];
  rows: HourRow[];
}

/**
 * Figures of the last days for the page of an account or a key, from the counts of hours, or of the last hour by the minute from
 * the call log; and from the connection log.
 */
export async function readOverview(db: Database, question: OverviewQuestion): Promise<Overview> {
  const { accountId, keyId } = question;
  const { starts, rows } = await (question.by === 'minute' ? readMinutes : readHours)(db, question);
  const since = new Date(starts[0] as number);
  const spans =
    keyId === undefined ? await readOnlineSpans(db, { accountId, since }) : new Map<string, never>();
  return {
    hours: starts.map((start) => new Date(start).toISOString()),
    times: { relay: timesIn(rows, 'relayTimes'), world: timesIn(rows, 'worldTimes') },
    worlds: worldsOf(rows, spans, starts.length),
    keys: mostCalled(Map.groupBy(rows, ({ keyId }) => keyId), maxKeys).map(([keyId, ofKey]) => ({
      keyId,
      ...countByHour(ofKey, starts.length),
    })), // prettier-ignore
    callers: callersOf(rows),
    errors: errorsOf(rows),
  };
}

/** The begins of the last `count` spans of `length` milliseconds; `now` is in the last one. */
function startsUntil(now: number, count: number, length: number): number[] {
  const last = now - (now % length);
  return Array.from({ length: count }, (_, index) => last - (count - 1 - index) * length);
}

async function readHours(db: Database, { accountId, keyId, days, now }: OverviewQuestion): Promise<Counted> {
  const starts = startsUntil(now, days * 24, hourMs);
  const since = starts[0] as number;
  const rows = await db
    .selectFrom('callHours')
    .select(['hour', 'keyId', 'clientId', 'outcome', 'calls', 'relayTimes', 'worldTimes'])
    .where('accountId', '=', accountId)
    .where('hour', '>=', new Date(since))
    .$if(keyId !== undefined, (query) => query.where('keyId', '=', keyId ?? ''))
    .orderBy('hour', 'desc')
    .limit(maxRows)
    .execute();
  return {
    starts,
    rows: rows.map(({ hour, calls, relayTimes, worldTimes, ...row }) => ({
      ...row,
      index: Math.floor((hour.getTime() - since) / hourMs),
      calls: Number(calls),
      relayTimes: relayTimes.map(Number),
      worldTimes: worldTimes.map(Number),
    })),
  };
}

async function readMinutes(db: Database, { accountId, keyId, now }: OverviewQuestion): Promise<Counted> {
  const all = startsUntil(now, 60, minuteMs);
  const entries = await db
    .selectFrom('callLog')
    .select(['at', 'keyId', 'clientId', 'outcome', 'standsFor', 'relayMs', 'worldMs'])
    .where('accountId', '=', accountId)
    .where('at', '>=', new Date(all[0] as number))
    .where('id', '>=', firstCallIdAt(all[0] as number))
    .$if(keyId !== undefined, (query) => query.where('keyId', '=', keyId ?? ''))
    .orderBy('id', 'desc')
    .limit(maxEntries)
    .execute();
  // A minute that may have more entries than were read is left out.
  const oldest = entries.length === maxEntries ? (entries.at(-1)?.at.getTime() ?? 0) : 0;
  const starts = all.filter((start, index) => start > oldest || index === all.length - 1);
  const since = starts[0] as number;
  const counts = new Map<string, HourRow>();
  for (const { at, keyId: key, clientId, outcome, standsFor, relayMs, worldMs } of entries) {
    const index = Math.floor((at.getTime() - since) / minuteMs);
    if (index < 0) continue;
    const world = isWorldKnown(outcome) ? (clientId ?? '') : '';
    const name = JSON.stringify([index, key, world, outcome]);
    let count = counts.get(name);
    if (!count) {
      count = {
        index,
        keyId: key,
        clientId: world,
        outcome,
        calls: 0,
        relayTimes: noTimes(),
        worldTimes: noTimes(),
      };
      counts.set(name, count);
    }
    addCalls(count, { calls: standsFor, relayMs, worldMs });
  }
  return { starts, rows: [...counts.values()] };
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
export function classOfOutcome(outcome: string): 'ok' | 'refused' | 'failed' {
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

function timesIn(rows: readonly HourRow[], field: 'relayTimes' | 'worldTimes') {
  const times = noTimes();
  for (const row of rows)
    for (const [index, count] of row[field].entries()) (times[index] as number) += count;
  return { typical: percentile(times, 0.5), slow: percentile(times, 0.95) };
}

function callersOf(rows: readonly HourRow[]): Overview['callers'] {
  const pairs = Map.groupBy(rows.filter(({ clientId }) => clientId !== ''), ({ clientId, keyId }) => `${clientId} ${keyId}`); // prettier-ignore
  return mostCalled(pairs, maxCallers).map(([pair, ofPair]) => {
    const [clientId = '', keyId = ''] = pair.split(' ');
    return { clientId, keyId, calls: callsIn(ofPair) };
  });
}

function errorsOf(rows: readonly HourRow[]): Overview['errors'] {
  const failures = Map.groupBy(rows.filter(({ outcome }) => outcome !== 'ok'), ({ outcome }) => outcome); // prettier-ignore
  return mostCalled(failures, 50).map(([code, ofCode]) => ({ code, calls: callsIn(ofCode) }));
}
