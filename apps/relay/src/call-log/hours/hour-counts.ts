import { errors } from '@tabletop-relay/contract';
import type { ErrorCode } from '@tabletop-relay/contract';
import type { CallOutcome } from '../call-row.ts';

/** The calls of an hour of one key in one world with one outcome. */
export interface HourCount {
  accountId: string;
  /** Epoch milliseconds at which the hour begins. */
  hour: number;
  keyId: string;
  clientId: string;
  outcome: string;
  calls: number;
  relayTimes: number[];
  worldTimes: number[];
}

/** Counts all calls, those without a row included, until the counts are written. */
export interface HourCounts {
  readonly size: number;
  /**
   * Counts a call that began at the epoch milliseconds `at`. False where there are too many counts for one more; the call is
   * then not counted.
   */
  add(call: CountedCall, at: number, relayMs: number): boolean;
  take(): HourCount[];
  /** Counts that were taken and could not be written. */
  putBack(counts: readonly HourCount[]): void;
}

export type CountedCall = Pick<CallOutcome, 'accountId' | 'keyId' | 'clientId' | 'outcome' | 'worldMs'>;

const hourMs = 3_600_000;
const minuteMs = 60_000;

export function createHourCounts(maxCounts: number): HourCounts {
  /** By key and world, because each call looks its count up: one joined name would have to be made and hashed each time. */
  let byKey = new Map<string, Map<string, HourCount[]>>();
  let size = 0;

  function countsOf(keyId: string, clientId: string): HourCount[] {
    let worlds = byKey.get(keyId);
    if (!worlds) byKey.set(keyId, (worlds = new Map()));
    let counts = worlds.get(clientId);
    if (!counts) worlds.set(clientId, (counts = []));
    return counts;
  }

  function find({ accountId, keyId, clientId, outcome, hour }: CountName): HourCount | undefined {
    const counts = byKey.get(keyId)?.get(clientId);
    return counts?.find(
      (count) => count.hour === hour && count.outcome === outcome && count.accountId === accountId,
    );
  }

  function keep(count: HourCount): HourCount {
    countsOf(count.keyId, count.clientId).push(count);
    size++;
    return count;
  }

  function countOf(call: CountedCall, hour: number, clientId: string): HourCount | undefined {
    const { accountId, keyId, outcome } = call;
    const known = find({ accountId, keyId, clientId, outcome, hour });
    if (known || size >= maxCounts) return known;
    return keep({
      accountId, hour, keyId, clientId, outcome, calls: 0, relayTimes: noTimes(), worldTimes: noTimes(),
    }); // prettier-ignore
  }

  return {
    get size() {
      return size;
    },
    add(call, at, relayMs) {
      const clientId = (isWorldKnown(call.outcome) && call.clientId) || '';
      const count = countOf(call, at - (at % hourMs), clientId);
      if (!count) return false;
      addCalls(count, { calls: 1, relayMs, worldMs: call.worldMs });
      return true;
    },
    take() {
      const taken = [...byKey.values()].flatMap((worlds) => [...worlds.values()].flat());
      byKey = new Map();
      size = 0;
      return taken;
    },
    putBack(taken) {
      for (const old of taken) {
        const since = find(old);
        if (since) addTo(since, old);
        else keep(old);
      }
    },
  };
}

/** Adds calls of one kind, with their times in milliseconds. */
export function addCalls(
  count: Pick<HourCount, 'calls' | 'relayTimes' | 'worldTimes'>,
  { calls, relayMs, worldMs }: { calls: number; relayMs: number; worldMs: number | null },
): void {
  count.calls += calls;
  (count.relayTimes[classOf(relayMs)] as number) += calls;
  if (worldMs !== null) (count.worldTimes[classOf(worldMs)] as number) += calls;
}

/** A call that is refused before its world is looked up may name any: ids that callers make up would be counts without end. */
export function isWorldKnown(outcome: string): boolean {
  if (outcome === 'ok' || outcome === 'client_offline' || outcome === 'operation_failed') return true;
  return errors[outcome as ErrorCode].status >= 500;
}

type CountName = Pick<HourCount, 'accountId' | 'keyId' | 'clientId' | 'outcome' | 'hour'>;

function addTo(count: HourCount, other: HourCount): void {
  count.calls += other.calls;
  for (const [index, calls] of other.relayTimes.entries()) (count.relayTimes[index] as number) += calls;
  for (const [index, calls] of other.worldTimes.entries()) (count.worldTimes[index] as number) += calls;
}

/** The upper ends of the classes in which times are counted, in milliseconds. One more class has all that took longer. */
export const timeClasses = [
  1, 1.5, 2, 3, 4, 5, 7, 10, 15, 20, 30, 40, 50, 70, 100, 150, 200, 300, 400, 500, 700, 1_000, 1_500, 2_000,
  3_000, 5_000, 7_000, 10_000, 20_000,
] as const;

/** One zero for each class. */
export const noTimes = (): number[] => Array.from({ length: timeClasses.length + 1 }, () => 0);

/** The class of a time. */
export function classOf(ms: number): number {
  let low = 0;
  let high: number = timeClasses.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ms <= (timeClasses[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The time that `share` of all took at most, interpolated within its class; null where nothing was counted. */
export function percentile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let before = 0;
  for (const [index, count] of counts.entries()) {
    if (count > 0 && before + count >= total * share) {
      const from = index === 0 ? 0 : (timeClasses[index - 1] as number);
      const to = timeClasses[index] ?? from;
      return Math.round((from + (to - from) * ((total * share - before) / count)) * 100) / 100;
    }
    before += count;
  }
  return timeClasses.at(-1) as number;
}

/** The calls of a minute of all accounts with one outcome. */
export interface MinuteCount {
  /** Epoch milliseconds at which the minute begins. */
  minute: number;
  outcome: string;
  calls: number;
}

/** Counts all calls by minute and outcome until the counts are written. */
export interface MinuteCounts {
  readonly size: number;
  /** Counts calls that began at the epoch milliseconds `at`; they are left out where there are too many counts for one more. */
  add(outcome: string, at: number, calls?: number): void;
  take(): MinuteCount[];
  /** Counts that were taken and could not be written. */
  putBack(counts: readonly MinuteCount[]): void;
}

export function createMinuteCounts(maxCounts: number): MinuteCounts {
  let counts = new Map<string, MinuteCount>();

  function add(outcome: string, at: number, calls = 1): void {
    const minute = at - (at % minuteMs);
    const name = `${minute} ${outcome}`;
    const known = counts.get(name);
    if (known) known.calls += calls;
    else if (counts.size < maxCounts) counts.set(name, { minute, outcome, calls });
  }

  return {
    get size() {
      return counts.size;
    },
    add,
    take() {
      const taken = [...counts.values()];
      counts = new Map();
      return taken;
    },
    putBack(taken) {
      for (const { outcome, minute, calls } of taken) add(outcome, minute, calls);
    },
  };
}
