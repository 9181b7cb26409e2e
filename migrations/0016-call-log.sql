-- The call log: what programs asked of worlds, and what became of it. Rows are append-only records like the others, but
-- partitioned by day, because there are many of them and they are kept for days instead of months.
create table call_log (
  id text not null,
  at timestamptz not null,
  account_id text not null,
  key_id text not null,
  -- As it was called then, because the key may be gone when the log is read.
  key_name text not null,
  -- Null where the call named none and ended before one was chosen.
  client_id text,
  operation text not null,
  -- `ok` or the code of the error.
  outcome text not null,
  status smallint not null,
  -- Milliseconds. The world's time is null where the call did not reach it.
  relay_ms real not null,
  world_ms real,
  request_id text not null,
  -- Above 1 while the instance kept a sample only.
  stands_for integer not null,
  instance_id text not null,
  primary key (id, at)
) partition by range (at);
create index call_log_account on call_log (account_id, id);
-- Failures are rare and searched for most.
create index call_log_failures on call_log (account_id, id) where outcome <> 'ok';

create trigger append_only before update or delete on call_log
  for each row execute function refuse_change();
create trigger append_only_truncate before truncate on call_log
  for each statement execute function refuse_change();

-- Request and answer of a call, for accounts that want them. Partitioned by hour, so that they are gone soon after a day.
-- Their account may delete them at any time, so they are no records.
create table call_bodies (
  -- Of the call.
  id text not null,
  at timestamptz not null,
  account_id text not null,
  request text not null,
  answer text not null,
  -- What of each is missing, in words for its reader; empty where nothing is.
  request_lacks text not null,
  answer_lacks text not null,
  primary key (id, at)
) partition by range (at);
create index call_bodies_account on call_bodies (account_id);

-- The calls of an hour, all of them, also where the log has a sample only: what the overview draws.
create table call_hours (
  account_id text not null references accounts on delete cascade,
  hour timestamptz not null,
  key_id text not null,
  -- Empty where no world was reached.
  client_id text not null,
  outcome text not null,
  calls bigint not null,
  -- Calls by their time, one count for each class of times (apps/relay/src/call-log/hours/time-classes.ts).
  relay_times bigint[] not null,
  world_times bigint[] not null,
  primary key (account_id, hour, key_id, client_id, outcome)
);
create index call_hours_hour on call_hours (hour);

-- What an account chose. Without a row no bodies are kept.
create table call_log_settings (
  account_id text primary key references accounts on delete cascade,
  keeps_bodies boolean not null
);
create index call_log_settings_keeping on call_log_settings (account_id) where keeps_bodies;

-- Adds the counts of two lists of the same length.
create function add_counts(one bigint[], other bigint[]) returns bigint[] language sql immutable as $$
  select array_agg(a + b order by place) from unnest(one, other) with ordinality as pair(a, b, place)
$$;

-- Makes the partitions of the call log: for yesterday, today and the next four days, and by hour for a day and a half.
-- Safe to call at any time, from several processes.
create function ensure_call_partitions() returns void language plpgsql as $$
declare
  start timestamptz;
  partition_name text;
begin
  perform pg_advisory_xact_lock(hashtext('call_partitions'));
  for i in -1..4 loop
    start := date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' + i * interval '24 hours';
    partition_name := 'call_log_' || to_char(start at time zone 'UTC', 'YYYYMMDD');
    if to_regclass(partition_name) is null then
      execute format('create table %I partition of call_log for values from (%L) to (%L)',
        partition_name, start, start + interval '24 hours');
      execute format('create trigger append_only_truncate before truncate on %I
        for each statement execute function refuse_change()', partition_name);
    end if;
  end loop;
  for i in -1..36 loop
    start := date_trunc('hour', now()) + i * interval '1 hour';
    partition_name := 'call_bodies_' || to_char(start at time zone 'UTC', 'YYYYMMDDHH24');
    if to_regclass(partition_name) is null then
      execute format('create table %I partition of call_bodies for values from (%L) to (%L)',
        partition_name, start, start + interval '1 hour');
    end if;
  end loop;
end
$$;

-- Drops the partitions of the call log and of its bodies whose every row is older than that; answers how many.
create function drop_old_calls(keep_log interval, keep_bodies interval) returns integer language plpgsql as $$
declare
  old record;
  dropped integer := 0;
begin
  if keep_log is null or keep_log < interval '1 day' or keep_bodies is null or keep_bodies < interval '1 hour' then
    raise exception 'calls are kept for a day and their bodies for an hour at least' using errcode = 'insufficient_privilege';
  end if;
  for old in
    -- Materialized, because the planner may otherwise read the time from the name of any table.
    with partitions as materialized (
      select c.relname, i.inhparent = 'call_log'::regclass as is_log
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent in ('call_log'::regclass, 'call_bodies'::regclass)
    )
    select relname from partitions where case
      when is_log
        then to_timestamp(right(relname, 8) || ' +00', 'YYYYMMDD TZH') + interval '24 hours' < now() - keep_log
      else to_timestamp(right(relname, 10) || ' +00', 'YYYYMMDDHH24 TZH') + interval '1 hour' < now() - keep_bodies
    end
  loop
    execute format('drop table %I', old.relname);
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$$;

-- The calls of an account go with it: the counts and the choice by their references, the rest here.
create function erase_calls_of_account() returns trigger language plpgsql as $$
begin
  delete from call_log where account_id = old.id;
  delete from call_bodies where account_id = old.id;
  return null;
end
$$;
create trigger erase_calls after delete on accounts
  for each row execute function erase_calls_of_account();

-- As in 0009: what the role of the running processes may not do itself, with a fixed search_path.
do $$
declare
  callable text;
begin
  foreach callable in array array[
    'ensure_call_partitions()', 'drop_old_calls(interval, interval)', 'erase_calls_of_account()'
  ] loop
    execute format('alter function %s security definer set search_path = %I, pg_temp', callable, current_schema());
    execute format('revoke all on function %s from public', callable);
  end loop;
end
$$;

select ensure_call_partitions();
