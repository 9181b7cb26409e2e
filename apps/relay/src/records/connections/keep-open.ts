import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

const endings = ['disconnected', 'handed_over'];

/**
 * Parts of the statement that writes rows of the connection log: which connections are open follows from the same rows.
 * `opened` keeps those that begin and do not end in the same batch, `closed` takes away those that end.
 */
export function keepOpenConnections(json: string): RawBuilder<unknown> {
  return sql`
    given as (
      select told, r.* from jsonb_array_elements(${json}::jsonb) as told
      cross join lateral jsonb_to_record(told) as r(
        conn text, boot text, client_id text, account_id text, outcome text, at timestamptz)
      where conn is not null
    ), opened as (
      insert into open_connections (conn, boot, client_id, account_id, record, opened_at)
      select conn, boot, client_id, account_id, told - 'conn' - 'boot', at
      from given begun where outcome = 'connected'
        and not exists (select from given done where done.conn = begun.conn and done.outcome = any(${endings}))
        and exists (select from accounts where accounts.id = begun.account_id for key share)
      on conflict do nothing
    ), closed as (
      delete from open_connections o using given
      where o.conn = given.conn and given.outcome = any(${endings})
      returning o.conn, o.ended_at
    )`;
}

/** Another instance thought the owner gone and recorded this end already. */
export const isEndKnown = sql<boolean>`
  exists (select from given join closed using (conn)
    where given.told->>'id' = record.id and closed.ended_at is not null)`;
