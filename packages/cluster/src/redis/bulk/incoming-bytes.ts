import { Budget } from '@tabletop-relay/kit';
import type { BulkBounds } from './bulk-bounds.ts';

/** The bytes of large replies that have come, or are coming, and that their callers have not read yet. */
export interface IncomingBytes {
  /**
   * Takes room for a reply. Undefined while there is none. A reply always finds room where its account, and the
   * instance, has no other. The function gives the room back.
   */
  take(accountId: string, bytes: number): (() => void) | undefined;
  held(): number;
  /** Called each time that room was given back. */
  onRoom(listener: () => void): void;
}

export function createIncomingBytes({
  incomingBytes,
  incomingBytesPerAccount,
}: Pick<BulkBounds, 'incomingBytes' | 'incomingBytesPerAccount'>): IncomingBytes {
  const budget = new Budget(incomingBytes);
  return {
    held: () => budget.total,
    take: (accountId, bytes) => budget.take([{ of: accountId, most: incomingBytesPerAccount }], bytes),
    onRoom: (listener) => budget.onRoom(listener),
  };
}
