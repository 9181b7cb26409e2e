import type { CommandCaller, OperationName } from '@tabletop-relay/module-sdk';

export interface Entry {
  /** Epoch milliseconds, of the last time where it is more than one. */
  at: number;
  /** What the program is called; empty where the relay did not say. */
  caller: string;
  /** The relay's pseudonym, by which two of one name differ. */
  callerId: string;
  operation: OperationName;
  target: string;
  outcome: 'done' | 'refused' | 'failed';
  /** The code of a refusal, or the text of a failure. */
  reason: string;
  /** Of the last time, in milliseconds. */
  ms: number;
  /** How often, one after the other. */
  count: number;
}

export const mostEntries = 200;
const longestText = 200;

type Area = Pick<Storage, 'getItem' | 'setItem'>;

/** What programs did and were refused here, newest last. It stays in this tab; the relay's own log has the rest. */
export function createActivity({ area, key, onChange }: { area: Area; key: string; onChange: () => void }) {
  let entries: Entry[] = read(area, key);
  return {
    get entries(): readonly Entry[] {
      return entries;
    },

    add(given: Omit<Entry, 'at' | 'caller' | 'callerId' | 'count'>, caller: CommandCaller | undefined): void {
      const entry: Entry = {
        ...given,
        target: given.target.slice(0, longestText),
        reason: given.reason.slice(0, longestText),
        at: Date.now(),
        caller: caller?.name ?? '',
        callerId: caller?.id ?? '',
        count: 1,
      };
      const last = entries.at(-1);
      if (last && isSame(last, entry)) entries[entries.length - 1] = { ...entry, count: last.count + 1 };
      else entries.push(entry);
      if (entries.length > mostEntries) entries = entries.slice(-mostEntries);
      onChange();
    },

    /** Written when the page goes, because writing at each call would cost each of them. */
    save(): void {
      try {
        area.setItem(key, JSON.stringify(entries));
      } catch {
        // A full storage keeps what it has.
      }
    },
  };
}

export type Activity = ReturnType<typeof createActivity>;

const same = ['callerId', 'caller', 'operation', 'target', 'outcome', 'reason'] as const;

const isSame = (one: Entry, other: Entry): boolean => same.every((field) => one[field] === other[field]);

function read(area: Area, key: string): Entry[] {
  try {
    const found = JSON.parse(area.getItem(key) ?? '[]') as unknown;
    return Array.isArray(found) ? (found as Entry[]).slice(-mostEntries) : [];
  } catch {
    return [];
  }
}
