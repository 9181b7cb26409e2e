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

export function createIncomingBytes(
  bounds: Pick<BulkBounds, 'incomingBytes' | 'incomingBytesPerAccount'>,
): IncomingBytes {
  const byAccount = new Map<string, number>();
  const listeners: (() => void)[] = [];
  let total = 0;

  const add = (accountId: string, bytes: number): void => {
    total += bytes;
    const own = (byAccount.get(accountId) ?? 0) + bytes;
    if (own === 0) byAccount.delete(accountId);
    else byAccount.set(accountId, own);
  };

  return {
    held: () => total,
    take: (accountId, bytes) => {
      const own = byAccount.get(accountId) ?? 0;
      if (own > 0 && own + bytes > bounds.incomingBytesPerAccount) return undefined;
      if (total > 0 && total + bytes > bounds.incomingBytes) return undefined;
      add(accountId, bytes);
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        add(accountId, -bytes);
        for (const listener of listeners) listener();
      };
    },
    onRoom: (listener) => listeners.push(listener),
  };
}
