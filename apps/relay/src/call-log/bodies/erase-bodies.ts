import type { Database } from '@tabletop-relay/database';
import { sql } from 'kysely';

const batchSize = 5_000;
const hourMs = 3_600_000;
/** So old they become where the worker runs; what is older is one span more. */
const oldestHours = 26;

/**
 * Erases the requests and answers of an account that keeps none, in slices: all of a busy account's would take longer than a
 * statement may. It ends where the account keeps them again, and leaves those that another erases at this moment.
 */
export async function eraseBodies(
  db: Database,
  { accountId, now }: { accountId: string; now: number },
): Promise<void> {
  const hours = Array.from({ length: oldestHours + 1 }, (_, index) => oldestHours - index);
  const edges = hours.map((ago) => new Date(now - ago * hourMs).toISOString());
  for (const [index, to] of [...edges, 'infinity'].entries()) {
    await eraseBetween(db, { accountId, from: edges[index - 1] ?? '-infinity', to });
  }
}

/** A span is about a partition: a slice of all of them would read over what the slices before it have deleted. */
async function eraseBetween(
  db: Database,
  { accountId, from, to }: { accountId: string; from: string; to: string },
): Promise<void> {
  const isWithin = sql`at >= ${from}::timestamptz and at < ${to}::timestamptz`;
  let count: number;
  do {
    const { numAffectedRows = 0n } = await sql`
      delete from call_bodies where ${isWithin} and id = any(array(
        select id from call_bodies
        where ${isWithin} and account_id = ${accountId} and not exists (
          select from call_log_settings s where s.account_id = ${accountId} and s.keeps_bodies)
        limit ${batchSize} for update skip locked))`.execute(db);
    count = Number(numAffectedRows);
  } while (count === batchSize);
}
