import type { ApiKey } from '@tabletop-relay/contract';

/** Orders of the list of keys. */
export const orders = {
  name: 'Name',
  used: 'Last used',
  month: 'Calls this month',
  expiry: 'Expiry',
  created: 'Newest',
} as const;

export type Order = keyof typeof orders;

/** Keys whose name, shown part, permissions or worlds have every word of a search, in an order. */
export function selectKeys(
  keys: readonly ApiKey[],
  { search, order, wordsOf }: { search: string; order: Order; wordsOf: (key: ApiKey) => string },
): ApiKey[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (key: ApiKey) => {
    const text = wordsOf(key).toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return keys.filter(fits).toSorted(comparisons[order]);
}

const latest = (one: string | null, other: string | null): number => (other ?? '').localeCompare(one ?? '');

/** Keys that never expire come last. */
const endOf = (time: string | null): number => (time === null ? Number.MAX_SAFE_INTEGER : Date.parse(time));

const comparisons: Record<Order, (one: ApiKey, other: ApiKey) => number> = {
  name: (one, other) => one.name.localeCompare(other.name),
  used: (one, other) => latest(one.lastUsedAt, other.lastUsedAt),
  month: (one, other) => other.usedThisMonth - one.usedThisMonth,
  expiry: (one, other) => endOf(one.expiresAt) - endOf(other.expiresAt),
  created: (one, other) => latest(one.createdAt, other.createdAt),
};
