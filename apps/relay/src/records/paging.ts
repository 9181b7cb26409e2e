interface PageRequest {
  limit?: number;
  cursor?: string;
}

/**
 * One page of a list ordered by id, newest first. `read` answers at most `limit` items with ids below the
 * cursor.
 */
export async function paged<T extends { id: string } | { clientId: string }>(
  { limit = 50, cursor }: PageRequest,
  read: (page: { limit: number; cursor: string | undefined }) => Promise<T[]>,
): Promise<{ items: T[]; nextCursor: string | null }> {
  const items = await read({ limit: limit + 1, cursor });
  const hasMore = items.length > limit;
  if (hasMore) items.pop();
  const last = items.at(-1);
  const lastId = last && ('id' in last ? last.id : last.clientId);
  return { items, nextCursor: hasMore && lastId !== undefined ? lastId : null };
}
