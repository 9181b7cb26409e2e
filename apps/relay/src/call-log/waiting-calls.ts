import { createBacklog } from '../records/write-loop.ts';
import type { Waiting as WaitingRow } from '../records/write-loop.ts';
import type { CallLogSettings } from './call-log-settings.ts';
import type { CallRow } from './call-row.ts';
import { createHourCounts, createMinuteCounts } from './hours/hour-counts.ts';
import type { HourCount, MinuteCount } from './hours/hour-counts.ts';

/** Beyond so many the hours of calls are not counted: more is only reached while Postgres is away for long. */
const maxHourCounts = 50_000;
/** A day of minutes with a handful of outcomes each. */
const maxMinuteCounts = 10_000;

export type Entry = WaitingRow<CallRow> | HourCount | MinuteCount;

export const isRow = (entry: Entry): entry is WaitingRow<CallRow> => 'owner' in entry;
export const isHour = (entry: Entry): entry is HourCount => 'hour' in entry;
export const isMinute = (entry: Entry): entry is MinuteCount => 'minute' in entry;

/** Rows and counts as one queue. */
export function createWaitingCalls(
  settings: CallLogSettings,
  onDrop: (accountId: string, row: CallRow) => void,
) {
  const hours = createHourCounts(maxHourCounts);
  const minutes = createMinuteCounts(maxMinuteCounts);
  const rows = createBacklog<CallRow>({
    maxRows: settings.callRowsWaiting,
    maxRowsPerOwner: settings.callRowsWaitingPerAccount,
    onDrop,
  });
  return {
    rows,
    hours,
    minutes,
    get size() {
      return rows.size + hours.size + minutes.size;
    },
    take: (count: number): Entry[] => [...rows.take(count), ...hours.take(), ...minutes.take()],
    putBack(entries: readonly Entry[]) {
      rows.putBack(entries.filter(isRow));
      hours.putBack(entries.filter(isHour));
      minutes.putBack(entries.filter(isMinute));
    },
  };
}
