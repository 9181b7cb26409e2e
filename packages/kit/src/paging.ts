/** What the caller of a list asks for, as its query was checked. */
export interface PageRequest {
  /** 50 unless given. */
  limit?: number;
  /** The `nextCursor` of the page before; absent for the first page. */
  cursor?: string;
}

/** What a list reads: at most so many items, and only those whose ids are below the cursor. */
export interface PageRead {
  limit: number;
  cursor?: string | undefined;
}

/** As it is answered. `nextCursor` is null on the last page. */
export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

/**
 * One page of a list ordered by id, newest first. `read` is asked for one item more than the page has: whether there is a next page
 * needs no count. What it rejects with is passed on.
 */
export async function paged<T extends { id: string } | { clientId: string }>(
  { limit = 50, cursor }: PageRequest,
  read: (page: PageRead) => Promise<T[]>,
): Promise<Page<T>> {
  const items = await read({ limit: limit + 1, cursor });
  const hasMore = items.length > limit;
  if (hasMore) items.pop();
  const last = items.at(-1);
  const lastId = last && ('id' in last ? last.id : last.clientId);
  return { items, nextCursor: hasMore && lastId !== undefined ? lastId : null };
}
