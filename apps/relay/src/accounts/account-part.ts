import type { Database, Tables } from '@tabletop-relay/database';
import type { RawBuilder, Transaction } from 'kysely';
import type { LogTable } from '../records/read-log.ts';

/** The part of an account that another room keeps, because that room alone queries its tables. */
export interface AccountPart {
  /** What the account's export tells of the room's tables, by name, without the hashes of secrets. */
  readForExport(db: Database, accountId: string): Promise<Record<string, unknown>>;
  /** Logs of the room, which may be long: the export has each whole. */
  logs?: readonly LogTable[];
  /** Ends the account's credentials in this room. The transaction holds the account's row. */
  endCredentials(trx: Transaction<Tables>, accountId: string): Promise<void>;
}

/** The number of an account's things, as a column of a query. `accountId` is the column that names the account. */
export type CountOfAccount = (accountId: string) => RawBuilder<number>;
