import { newId } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { sql } from 'kysely';
import { insertRows } from '../insert.ts';

/** An open connection of an instance that has been silent. */
export interface SilentConnection {
  conn: string;
  clientId: string;
  accountId: string;
  /** When the instance was heard of last, so far as it is known; behind the beginning, so that the log has them in order. */
  heardAt: Date;
  /** When the same world connected again. */
  nextAt: Date | null;
}

/** Connections whose instance has reported nothing for `silentMs`, the oldest first. */
export async function readSilentConnections(
  db: Database,
  { silentMs, limit }: { silentMs: number; limit: number },
): Promise<SilentConnection[]> {
  const { rows } = await sql<SilentConnection>`
    select o.conn, o.client_id as "clientId", o.account_id as "accountId",
      greatest(i.seen_at, o.opened_at + interval '1 ms') as "heardAt",
      (select min(n.opened_at) from open_connections n
        where n.client_id = o.client_id and n.opened_at > o.opened_at) as "nextAt"
    from open_connections o left join instances i on i.boot = o.boot
    where o.ended_at is null and o.boot in (
      select boot from (select distinct boot from open_connections where ended_at is null) as owners
      left join instances known using (boot)
      where coalesce(known.seen_at < now() - ${silentMs} * interval '1 ms', true))
    order by o.opened_at limit ${limit}`.execute(db);
  return rows;
}

/**
 * Records the ends of connections in place of their instances, and tells them. Returns those that nobody else had recorded.
 * The time is that at which the instance was heard of last, or just before the world connected again.
 */
export async function recordLost(
  db: Database,
  lost: readonly SilentConnection[],
): Promise<SilentConnection[]> {
  return await db.transaction().execute(async (trx) => {
    // Instances that look at the same time take turns: they lock the same rows.
    await sql`select pg_advisory_xact_lock(hashtext('lost connections'))`.execute(trx);
    const ended = await trx
      .updateTable('openConnections')
      .set({ endedAt: sql<Date>`now()` })
      .where(
        'conn',
        'in',
        lost.map(({ conn }) => conn),
      )
      .where('endedAt', 'is', null)
      .returning(['conn', 'record'])
      .execute();
    const records = new Map(ended.map(({ conn, record }) => [conn, record]));
    const recorded = lost.filter(({ conn }) => records.has(conn));
    const rows = recorded.map((one) => rowOfEnd(one, records.get(one.conn)));
    if (rows.length > 0) await insertRows(trx, 'connectionLogs', rows);
    return recorded;
  });
}

function rowOfEnd({ heardAt, nextAt }: SilentConnection, begun: Record<string, unknown> | undefined) {
  const at = nextAt ? new Date(Math.min(heardAt.getTime(), nextAt.getTime() - 1)) : heardAt;
  const unknown = { userAgent: '', metadataMatch: null, mismatch: [], closeCode: null };
  return { ...begun, ...unknown, id: newId(at.getTime()), at, outcome: 'disconnected' };
}
