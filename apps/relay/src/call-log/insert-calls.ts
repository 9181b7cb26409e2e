import { toColumns } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { HourCount, MinuteCount } from './hours/hour-counts.ts';
import type { CallRow, KeptBody } from './call-row.ts';

/**
 * Inserts calls and their bodies. Those of an account that is gone are left out: its deletion must not be undone by a late
 * batch. The lock waits for a deletion that is under way. Bodies are inserted only for who wants them kept at this moment.
 */
export async function insertCalls(db: Database, rows: readonly CallRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`insert into call_log
    select record.* from ${recordset(
      'call_log',
      rows.map(({ body: _body, ...row }) => row),
    )}
    where ${isAccount} on conflict do nothing`.execute(db);
  const bodies = rows.filter((row) => row.body).map(bodyRow);
  if (bodies.length === 0) return;
  await sql`insert into call_bodies
    select record.* from ${recordset('call_bodies', bodies)}
    where ${isAccount} and exists (
      select from call_log_settings s where s.account_id = record.account_id and s.keeps_bodies for share)
    on conflict do nothing`.execute(db);
}

/**
 * Adds counts to those of their hours and minutes, all or none. All instances write those of hours in one order, so that they cannot
 * deadlock; those of minutes are an instance's own.
 */
export async function addCounts(
  db: Database,
  hours: readonly HourCount[],
  minutes: readonly (MinuteCount & { instanceId: string })[],
): Promise<void> {
  if (hours.length + minutes.length === 0) return;
  const rows = hours.map((count) => ({ ...count, hour: new Date(count.hour) }));
  const minuteRows = minutes.map((count) => ({ ...count, minute: new Date(count.minute) }));
  await sql`with by_minute as (
      insert into call_minutes as known
      select record.* from ${recordset('call_minutes', minuteRows)}
      on conflict (minute, instance_id, outcome) do update set calls = known.calls + excluded.calls)
    insert into call_hours as known
    select record.* from ${recordset('call_hours', rows)}
    where ${isAccount}
    order by record.account_id, record.hour, record.key_id, record.client_id, record.outcome
    on conflict (account_id, hour, key_id, client_id, outcome) do update set
      calls = known.calls + excluded.calls,
      relay_times = add_counts(known.relay_times, excluded.relay_times),
      world_times = add_counts(known.world_times, excluded.world_times)`.execute(db);
}

const isAccount = sql`exists (select 1 from accounts where accounts.id = record.account_id for key share)`;

function recordset(table: string, rows: readonly object[]): RawBuilder<unknown> {
  const json = JSON.stringify(rows.map(toColumns));
  return sql`json_populate_recordset(null::${sql.table(table)}, ${json}::json) as record`;
}

const bodyRow = ({ id, at, accountId, body }: CallRow) => ({ id, at, accountId, ...(body as KeptBody) });
