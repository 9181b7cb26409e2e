import type { Database, Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { ProblemError } from '../problem.ts';
import type { InTurn } from './turns.ts';

export interface KeepRequestDeps {
  db: Database;
  inTurn: InTurn;
  now(): number;
}

export interface RequestKind<Row> {
  table: 'keyRequests' | 'pairRequests';
  /** Under this name all instances count and store by turns. */
  lock: string;
  /** How many may be open, over all instances. */
  maxOpen: number;
  /** Says to whom there is no room for that there is none. */
  full: string;
  insert(trx: Transaction<Tables>, rows: Row[]): Promise<unknown>;
}

/** What one transaction stores. */
interface Batch<Row> {
  rows: Row[];
  /** How many there was room for. */
  kept: Promise<number>;
  /** When the last of the rows has been told, and a turn of the event loop has passed since. */
  told: Promise<unknown>;
}

/** So many rows at most go into one statement: a row is a dozen parameters, and Postgres takes 65,535. */
const maxTogether = 200;
/** From the beginning of one transaction to that of the next. */
const spacingMs = 20;

/**
 * Stores requests that anybody may send, and that wait until a person decides. They belong to no account, so one bound
 * holds for all of them; above it this throws `overloaded`. What comes within `spacingMs` of a transaction is stored
 * together by the next one: a flood would else make Postgres count the open requests once for each. One of them is told
 * in each turn of the event loop, so that calls are served between their answers. A statement that fails fails for all of
 * its rows, so a row must hold nothing that Postgres refuses.
 */
export function createKeepRequest<Row>(
  { db, inTurn, now }: KeepRequestDeps,
  { table, lock, maxOpen, full, insert }: RequestKind<Row>,
): (row: Row) => Promise<void> {
  let next: Batch<Row> | undefined;
  let begunAt = -Infinity;

  /** Stores as many as there is room for, the first ones first, and returns their number. */
  const keepAll = (rows: Row[]) =>
    db.transaction().execute(async (trx) => {
      // Two transactions that count at once would both find the last place.
      await sql`select pg_advisory_xact_lock(hashtext(${lock}))`.execute(trx);
      const { open } = await trx
        .selectFrom(table)
        .select(sql<string>`count(*)`.as('open'))
        .where('status', '=', 'pending')
        .where('expiresAt', '>', new Date(now()))
        .executeTakeFirstOrThrow();
      const kept = rows.slice(0, Math.max(0, maxOpen - Number(open)));
      if (kept.length > 0) await insert(trx, kept);
      return kept.length;
    });

  function begin(): Batch<Row> {
    const rows: Row[] = [];
    const kept = inTurn(lock, async () => {
      const waitMs = begunAt + spacingMs - performance.now();
      if (waitMs > 0) await delay(waitMs);
      begunAt = performance.now();
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
    batch.told = before.then(() => nextTurn());
    await before;
    if (place > (await batch.kept)) throw new ProblemError('overloaded', full, { retryAfterS: 60 });
  };
}
