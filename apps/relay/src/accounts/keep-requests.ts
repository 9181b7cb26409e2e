import { columnName, toColumns } from '@tabletop-relay/database';
import type { Database, Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Insertable } from 'kysely';
import { setTimeout as delay } from 'node:timers/promises';
import { ProblemError } from '../problem.ts';
import type { OneByOne } from './one-by-one.ts';

export interface KeepRequestDeps {
  db: Database;
  oneByOne: OneByOne;
  now(): number;
}

type RequestTable = 'keyRequests' | 'pairRequests';

export interface RequestKind<Table extends RequestTable> {
  table: Table;
  /** How many may be open, over all instances. */
  maxOpen: number;
  /** Says to whom there is no room for that there is none. */
  full: string;
}

/** What one statement stores. */
interface Batch<Row> {
  rows: Row[];
  /** How many there was room for. */
  kept: Promise<number>;
  /** When the last of the rows has been told, and `tellingMs` have passed since. */
  told: Promise<unknown>;
}

/** So many rows at most go into one statement, which is some 100 KB then. */
const maxTogether = 200;
/**
 * From the beginning of one statement to that of the next, unless that is full: so long for each row of the first, up to
 * `maxSpacingMs`. Who sends one at a time hardly waits, and a flood makes five statements a second.
 */
const spacingMsPerRow = 10;
const maxSpacingMs = 200;
/** From telling one of what became of its request to telling the next. */
const tellingMs = 2;

/**
 * Stores requests that anybody may send, and that wait until a person decides. They belong to no account, so one bound
 * holds for all of them; above it this throws `overloaded`. What comes soon after a statement is stored together by the
 * next one: a flood would else make Postgres count the open requests once for each. They are told one after the other, so
 * that calls are served between their answers. A statement that fails fails for all of its rows, so a row must hold
 * nothing that Postgres refuses. All rows have the same fields.
 */
export function createKeepRequest<Table extends RequestTable>(
  { db, oneByOne, now }: KeepRequestDeps,
  { table, maxOpen, full }: RequestKind<Table>,
): (row: Insertable<Tables[Table]>) => Promise<void> {
  type Row = Insertable<Tables[Table]>;
  const name = columnName(table);
  let next: Batch<Row> | undefined;
  /** When the next statement may begin. */
  let nextAt = -Infinity;

  /** Stores as many as there is room for, the first ones first, and returns their number. */
  async function keepAll(rows: Row[]): Promise<number> {
    const records = rows.map(toRecord);
    const columns = sql.join(Object.keys(records[0] ?? {}).map((column) => sql.ref(column)));
    const { numAffectedRows } = await sql`
      insert into ${sql.table(name)} (${columns})
      select ${columns}
      from jsonb_populate_recordset(null::${sql.table(name)}, ${JSON.stringify(records)}::jsonb) with ordinality
      order by ordinality
      limit room_for_requests(${name}::regclass, ${maxOpen}, ${new Date(now())})`.execute(db);
    return Number(numAffectedRows);
  }

  function begin(): Batch<Row> {
    const rows: Row[] = [];
    const kept = oneByOne(`open requests in ${name}`, async () => {
      const waitMs = nextAt - performance.now();
      if (waitMs > 0 && rows.length < maxTogether) await delay(waitMs);
      nextAt = performance.now() + Math.min(maxSpacingMs, rows.length * spacingMsPerRow);
      if (next === batch) next = undefined;
      return await keepAll(rows);
    });
    const batch: Batch<Row> = { rows, kept, told: Promise.allSettled([kept]) };
    return batch;
  }

  return async (row) => {
    if (!next || next.rows.length === maxTogether) next = begin();
    const batch = next;
    const place = batch.rows.push(row);
    const before = batch.told;
    batch.told = before.then(() => delay(tellingMs));
    await before;
    if (place > (await batch.kept)) throw new ProblemError('overloaded', full, { retryAfterS: 60 });
  };
}

/** A row as JSON carries it: bytes as Postgres writes them, and no half of a character, which it refuses in JSON. */
function toRecord(row: object): Record<string, unknown> {
  const record = toColumns(row);
  for (const [column, value] of Object.entries(record)) {
    if (value instanceof Uint8Array) record[column] = `\\x${Buffer.from(value).toString('hex')}`;
    else if (typeof value === 'string') record[column] = value.toWellFormed();
  }
  return record;
}
