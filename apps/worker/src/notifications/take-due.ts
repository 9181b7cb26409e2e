import type { Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';

/** One try that is due. */
export interface DueTry {
  id: string;
  try: number;
}

const batchSize = 100;
/** A target that does not answer has so many messages at most; what happens further is collected in the next one. */
const mostWaitingPerTarget = 20;

/**
 * Whose turn a notification takes; empty for the operator, as no id of an account is. Postgres cannot hash
 * `is not distinct from`: it would compare each one that is due with each one that is held.
 */
const turnOf = (table: string) => sql`coalesce(${sql.ref(`${table}.account_id`)}, '')`;

/**
 * Takes the notifications whose time has come, the longest due first, and holds them for `holdMs`: after that they are due
 * again, whatever became of the job. Each account has one at a time, so that slow receivers of one account take no room
 * from the others.
 */
export async function takeDue(trx: Transaction<Tables>, holdMs: number): Promise<DueTry[]> {
  const { rows } = await sql<DueTry>`
    update notifications set status = 'waiting', held_until = now() + ${holdMs} * interval '1 ms'
    where id in (
      select id from (
        select id, next_try_at, row_number() over (partition by account_id order by next_try_at, id) as place
        from notifications due
        where status in ('collecting', 'waiting') and next_try_at <= now()
          and (held_until is null or held_until <= now())
          and not exists (
            select from notifications held
            where held.held_until > now() and ${turnOf('held')} = ${turnOf('due')})
          and (status = 'waiting' or ${mostWaitingPerTarget} > (
            select count(*) from notifications before
            where before.target = due.target and before.status = 'waiting'))
      ) as next
      where place = 1 order by next_try_at limit ${batchSize})
    returning id, tries + 1 as try`.execute(trx);
  return rows;
}
