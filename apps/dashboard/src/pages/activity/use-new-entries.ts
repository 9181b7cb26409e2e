import { useSignal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { logNews } from '../../store.ts';
import type { Entry } from './entries.tsx';

/** The log is read so often at most. */
const restMs = 1_000;

/** As many as a page has: see `readNewest`. */
export const newestPage = 30;

export interface NewEntriesOptions {
  entries: Signal<Entry[] | undefined>;
  /** A page of the newest entries. */
  readNewest: () => Promise<Entry[]>;
  /** Shows the newest page alone. */
  startAgain: () => void;
}

export interface NewEntries {
  /** How many wait to be shown. */
  waiting: ReadonlySignal<number>;
  show: () => void;
}

/**
 * Adds what happens to the head of the list while it is looked at from the top with nothing opened. Else it waits until it is
 * asked for, so that nothing moves under a reader.
 */
export function useNewEntries({ entries, readNewest, startAgain }: NewEntriesOptions): NewEntries {
  const fresh = useSignal<Entry[]>([]);
  const waiting = useSignal(0);

  const show = () => {
    const shown = entries.peek() ?? [];
    if (isBroken(fresh.peek(), shown)) startAgain();
    else entries.value = merged(fresh.peek(), shown);
    fresh.value = [];
    waiting.value = 0;
  };

  useEffect(() => {
    let isReading = false;
    let isEnded = false;
    const read = async () => {
      const shown = entries.peek();
      if (isReading || !shown) return;
      isReading = true;
      const seen = logNews.peek();
      // The log is read again at the next news; one failure is not worth a word.
      const newest = await readNewest().catch((): Entry[] => []);
      if (isEnded) return;
      const known = new Set(shown.map(({ id }) => id));
      fresh.value = newest.filter(({ id }) => !known.has(id));
      waiting.value = fresh.value.length;
      if (waiting.value > 0 && isAtHead()) show();
      setTimeout(() => {
        isReading = false;
        if (!isEnded && seen !== logNews.peek()) void read();
      }, restMs);
    };
    const first = logNews.peek();
    const stop = logNews.subscribe((count) => count !== first && void read());
    return () => {
      isEnded = true;
      stop();
    };
  }, []);
  return { waiting, show };
}

/** Between a page that is all new and what is shown there may be more, which nobody has read. */
const isBroken = (fresh: readonly Entry[], shown: readonly Entry[]): boolean =>
  fresh.length === newestPage && shown.length > 0;

function merged(newest: readonly Entry[], shown: readonly Entry[]): Entry[] {
  return [...newest, ...shown].toSorted((one, other) => other.at.localeCompare(one.at));
}

const isAtHead = (): boolean => scrollY < 200 && !document.querySelector('.entry details[open]');
