/** Tells a read whether its account changed while it ran. */
export interface AccountChanges {
  note(accountId: string): void;
  /** Watches all accounts from now until `end`, because the account of a credential is known only after the read. */
  watch(): { hasChanged(accountId: string): boolean; end(): void };
}

/** Keeps a change only as long as a watch runs that began before it. */
export function createAccountChanges(): AccountChanges {
  // Both are in order of age. Changes before the oldest watch are not needed any more.
  const lastChange = new Map<string, number>();
  const watches = new Set<{ since: number }>();
  let changes = 0;

  function prune(): void {
    const [oldest] = watches;
    for (const [accountId, change] of lastChange) {
      if (oldest && change > oldest.since) return;
      lastChange.delete(accountId);
    }
  }

  return {
    note(accountId) {
      changes++;
      lastChange.delete(accountId);
      lastChange.set(accountId, changes);
      prune();
    },
    watch() {
      const watch = { since: changes };
      watches.add(watch);
      return {
        hasChanged: (accountId) => (lastChange.get(accountId) ?? 0) > watch.since,
        end() {
          watches.delete(watch);
          prune();
        },
      };
    },
  };
}
