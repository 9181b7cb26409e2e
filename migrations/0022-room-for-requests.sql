-- How many more requests of strangers there is room for, in a table that holds `most` open ones. It counts after it has
-- its turn among all instances, and keeps the turn until the caller's transaction ends: two statements that count at once
-- would both find the last place. Called within the statement that inserts, it saves four ways to Postgres and back.
-- The release before this one waits for its turn under the same name.
create function room_for_requests(requests regclass, most integer, at timestamptz)
returns integer language plpgsql as $$
declare
  open_requests integer;
begin
  perform pg_advisory_xact_lock(hashtext('open_' || requests));
  execute format('select count(*) from %s where status = ''pending'' and expires_at > $1', requests)
    into open_requests using at;
  return greatest(0, most - open_requests);
end
$$;
