/** One of several lists that are read page after page, newest first. */
export interface Source<T> {
  /** The next page; `cursor` is undefined for the first. */
  read(cursor: string | undefined): Promise<{ items: T[]; nextCursor: string | null }>;
}

export interface Feed<T> {
  /** Up to `count` more, newest first over all sources. */
  next(count: number): Promise<T[]>;
  /** Whether there is more to come, as far as is known. */
  hasMore(): boolean;
}

interface Strand<T> {
  source: Source<T>;
  waiting: T[];
  /** Null after the last page. */
  cursor: string | undefined | null;
}

/** Several lists as one, in the order of time; no source is read further than it is needed. */
export function mergeFeeds<T extends { at: string }>(sources: readonly Source<T>[]): Feed<T> {
  const strands: Strand<T>[] = sources.map((source) => ({ source, waiting: [], cursor: undefined }));

  const fill = async (strand: Strand<T>): Promise<void> => {
    if (strand.waiting.length > 0 || strand.cursor === null) return;
    const { items, nextCursor } = await strand.source.read(strand.cursor);
    strand.waiting.push(...items);
    strand.cursor = nextCursor;
  };

  return {
    async next(count) {
      const merged: T[] = [];
      while (merged.length < count) {
        // Each source must show its next item, because that may be newer than another's.
        const filled = await Promise.allSettled(strands.map(fill));
        const failed = filled.find((one) => one.status === 'rejected');
        // Items that are merged already are shown. The next call meets the failure again.
        if (failed && merged.length > 0) break;
        if (failed) throw failed.reason;
        const newest = strands
          .filter(({ waiting }) => waiting.length > 0)
          .toSorted((one, other) => (other.waiting[0] as T).at.localeCompare((one.waiting[0] as T).at))[0];
        const item = newest?.waiting.shift();
        if (!item) break;
        merged.push(item);
      }
      return merged;
    },
    hasMore: () => strands.some(({ waiting, cursor }) => waiting.length > 0 || cursor !== null),
  };
}
