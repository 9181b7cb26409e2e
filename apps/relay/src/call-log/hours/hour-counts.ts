import { errors } from '@tabletop-relay/contract';
import type { ErrorCode } from '@tabletop-relay/contract';
import type { CallOutcome } from '../call-row.ts';
import { classOf, noTimes } from './time-classes.ts';

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

export function createHourCounts(maxCounts: number): HourCounts {
  let counts = new Map<string, HourCount>();

  function countOf(call: CountedCall, hour: number, clientId: string): HourCount | undefined {
    const { accountId, keyId, outcome } = call;
    const name = nameOf({ accountId, keyId, clientId, outcome, hour });
    const known = counts.get(name);
    if (known || counts.size >= maxCounts) return known;
    const fresh = {
      accountId, hour, keyId, clientId, outcome, calls: 0, relayTimes: noTimes(), worldTimes: noTimes(),
    }; // prettier-ignore
    counts.set(name, fresh);
    return fresh;
  }

  return {
    get size() {
      return counts.size;
    },
    add(call, at, relayMs) {
      const clientId = (isWorldKnown(call.outcome) && call.clientId) || '';
      const count = countOf(call, at - (at % hourMs), clientId);
      if (!count) return false;
      count.calls++;
      (count.relayTimes[classOf(relayMs)] as number)++;
      if (call.worldMs !== null) (count.worldTimes[classOf(call.worldMs)] as number)++;
      return true;
    },
    take() {
      const taken = [...counts.values()];
      counts = new Map();
      return taken;
    },
    putBack(taken) {
      for (const old of taken) {
        const name = nameOf(old);
        const since = counts.get(name);
        counts.set(name, since ? sum(old, since) : old);
      }
    },
  };
}

/** A call that is refused before its world is looked up may name any: ids that callers make up would be counts without end. */
function isWorldKnown(outcome: string): boolean {
  if (outcome === 'ok' || outcome === 'client_offline' || outcome === 'operation_failed') return true;
  return errors[outcome as ErrorCode].status >= 500;
}

type CountName = Pick<HourCount, 'accountId' | 'keyId' | 'clientId' | 'outcome' | 'hour'>;

const nameOf = ({ accountId, keyId, clientId, outcome, hour }: CountName): string =>
  `${accountId} ${keyId} ${clientId} ${outcome} ${hour}`;

const sum = (one: HourCount, other: HourCount): HourCount => ({
  ...one,
  calls: one.calls + other.calls,
  relayTimes: one.relayTimes.map((count, index) => count + (other.relayTimes[index] ?? 0)),
  worldTimes: one.worldTimes.map((count, index) => count + (other.worldTimes[index] ?? 0)),
});
