import type { Database, RelaySecrets } from '@tabletop-relay/database';
import type { JobsConnection } from '@tabletop-relay/jobs';
import type { ListAccountsDeps } from '../accounts/administration.ts';
import type { Records } from '../records/records.ts';
import type { StoreAway } from './ask-store.ts';

export interface AdminDeps extends ListAccountsDeps {
  db: Database;
  records: Pick<Records, 'auditIn'>;
  /** RELAY_SECRET. Undefined where it is not set. */
  secrets: RelaySecrets | undefined;
  /** The store of the job queues. */
  jobs: JobsConnection;
  /** Tells which of these worlds are online. Undefined without Redis, because only the relay itself knows then. */
  findOnline: ((clientIds: readonly string[]) => Promise<ReadonlySet<string>>) | undefined;
  /** Told of each store that did not answer, where a command prints what the others know. */
  onStoreAway(why: StoreAway): void;
}

/** Output of a command: `text` for people, or `json` for programs. */
export interface Answer {
  text: string;
  json: object;
}

/** A command of `pnpm admin`. */
export interface AdminCommand {
  /** Arguments: `<needed>` and `[optional]`; `[--boot <boot>]` is an option. */
  takes: string;
  summary: string;
  /** `boot`: of the option `--boot`, which only a command that `takes` it is given. */
  run(deps: AdminDeps, args: readonly string[], boot?: string): Promise<Answer>;
}

/** Lists print no more rows than this; `--json` neither. */
export const maxRows = 10_000;

/** Rows under their headings; `none` where there are no rows. */
export function printTable(rows: readonly Record<string, string | number>[], none: string): string {
  const [first] = rows;
  if (!first) return none;
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => String(row[name])))];
  const widths = names.map((_name, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  const print = (line: readonly string[]) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return lines.map(print).join('\n');
}

/** A time for people: to the second, in UTC. */
export const printTime = (time: Date | string | null): string =>
  time === null ? '-' : new Date(time).toISOString().slice(0, 19).replace('T', ' ');
