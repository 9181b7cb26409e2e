import { addressBlock } from '@tabletop-relay/kit';
import { createBacklog } from './write-loop.ts';
import type { Backlog } from './write-loop.ts';

export type RecordTable = 'connectionLogs' | 'remoteRequestLogs' | 'auditLog';

export interface Entry {
  table: RecordTable;
  row: Record<string, unknown>;
}

/** What waits to be written: the rows of accounts, and in less room those that no account owns. */
export interface WaitingRows {
  readonly size: number;
  add(entry: Entry): void;
  /** At most `count`; accounts and strangers get half of it each while both have rows. */
  take(count: number): Entry[];
  putBack(entries: readonly Entry[]): void;
  /** Whether rows of this account wait; null: of any stranger. */
  hasRowsOf(accountId: string | null): boolean;
}

export interface WaitingRowsOptions {
  maxRows: number;
  /** Also for all strangers together, because a stranger with many addresses must not push out an account's rows. */
  maxRowsPerAccount: number;
  /** `accountId` is null for a stranger's row. */
  onDrop(accountId: string | null): void;
}

export function createWaitingRows({ maxRows, maxRowsPerAccount, onDrop }: WaitingRowsOptions): WaitingRows {
  const accounts = createBacklog<Entry>({ maxRows, maxRowsPerOwner: maxRowsPerAccount, onDrop });
  const strangers = createBacklog<Entry>({
    maxRows: maxRowsPerAccount,
    maxRowsPerOwner: maxRowsPerAccount,
    onDrop: () => onDrop(null),
  });
  const homeOf = ({ row }: Entry): [Backlog<Entry>, owner: string] => {
    const accountId = row['accountId'];
    if (typeof accountId === 'string') return [accounts, accountId];
    return [strangers, addressBlock(withoutPort(String(row['ipAddress'])))];
  };

  return {
    get size() {
      return accounts.size + strangers.size;
    },
    add(entry) {
      const [home, owner] = homeOf(entry);
      home.add(owner, entry);
    },
    take(count) {
      const ofAccounts = accounts.take(count - Math.min(strangers.size, Math.floor(count / 2)));
      const ofStrangers = strangers.take(count - ofAccounts.length);
      return [...ofAccounts, ...ofStrangers].map(({ row }) => row);
    },
    putBack(entries) {
      const homes = entries.map((entry) => ({ entry, home: homeOf(entry) }));
      for (const backlog of [accounts, strangers]) {
        const own = homes.filter(({ home }) => home[0] === backlog);
        backlog.putBack(own.map(({ entry, home }) => ({ owner: home[1], row: entry })));
      }
    },
    hasRowsOf: (accountId) => (accountId === null ? strangers.size > 0 : accounts.has(accountId)),
  };
}

/** `192.0.2.1:80` and `[2001:db8::1]:80` without their port. */
function withoutPort(address: string): string {
  return /^\[(.*)\]:\d+$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
}
