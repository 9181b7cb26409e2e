-- The records: append-only, partitioned by week so that retention drops whole partitions. No foreign keys: a
-- record outlives what it tells of, until retention or the account's deletion.
create table connection_logs (
  id text not null,
  at timestamptz not null,
  account_id text,
  client_id text not null,
  token_id text,
  token_name text not null,
  ip_address text not null,
  user_agent text not null,
  world_id text not null,
  world_title text not null,
  system_id text not null,
  system_version text not null,
  tabletop_version text not null,
  -- Null where no token was known to compare with.
  metadata_match boolean,
  mismatch text[] not null,
  outcome text not null,
  close_code integer,
  instance_id text not null,
  primary key (id, at)
) partition by range (at);
create index connection_logs_account on connection_logs (account_id, id);

create table remote_request_logs (
  id text not null,
  at timestamptz not null,
  account_id text,
  source_client_id text not null,
  source_token_id text not null,
  target_client_id text not null,
  action text not null,
  outcome text not null,
  error text not null,
  ip_address text not null,
  duration_ms integer not null,
  instance_id text not null,
  primary key (id, at)
) partition by range (at);
create index remote_request_logs_account on remote_request_logs (account_id, id);

create table audit_log (
  id text not null,
  at timestamptz not null,
  account_id text,
  -- What happened, as `<thing>.<event>`.
  event text not null,
  outcome text not null,
  -- Who did it: 'session', 'key', 'token', 'administrator', 'operator', 'anyone'.
  actor text not null,
  client_id text,
  subject_id text,
  ip_address text not null,
  user_agent text not null,
  detail jsonb not null,
  instance_id text not null,
  primary key (id, at)
) partition by range (at);
create index audit_log_account on audit_log (account_id, id);

-- Refuses UPDATE always, and DELETE to everybody but erase_account_records: the call stack says who asks,
-- which no setting can forge.
create function refuse_change() returns trigger language plpgsql as $$
declare
  stack text;
begin
  if tg_op = 'DELETE' then
    get diagnostics stack = pg_context;
    if stack like '%function erase_account_records(text)%' then
      return old;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$$;

create trigger append_only before update or delete on connection_logs
  for each row execute function refuse_change();
create trigger append_only before update or delete on remote_request_logs
  for each row execute function refuse_change();
create trigger append_only before update or delete on audit_log
  for each row execute function refuse_change();
create trigger append_only_truncate before truncate on connection_logs
  for each statement execute function refuse_change();
create trigger append_only_truncate before truncate on remote_request_logs
  for each statement execute function refuse_change();
create trigger append_only_truncate before truncate on audit_log
  for each statement execute function refuse_change();

-- Deletes what is recorded of an account; part of deleting it.
create function erase_account_records(account text) returns void language plpgsql as $$
begin
  delete from connection_logs where account_id = account;
  delete from remote_request_logs where account_id = account;
  delete from audit_log where account_id = account;
end
$$;

-- Makes the partitions for this week and the next four. Safe to call at any time, from several processes.
create function ensure_record_partitions() returns void language plpgsql as $$
declare
  parent text;
  week timestamptz;
  partition_name text;
begin
  perform pg_advisory_xact_lock(hashtext('record_partitions'));
  foreach parent in array array['connection_logs', 'remote_request_logs', 'audit_log'] loop
    for i in -1..4 loop
      week := date_trunc('week', now() at time zone 'UTC') at time zone 'UTC' + i * interval '7 days';
      partition_name := parent || '_' || to_char(week at time zone 'UTC', 'YYYYMMDD');
      if to_regclass(partition_name) is null then
        execute format('create table %I partition of %I for values from (%L) to (%L)',
          partition_name, parent, week, week + interval '7 days');
        execute format('create trigger append_only_truncate before truncate on %I
          for each statement execute function refuse_change()', partition_name);
      end if;
    end loop;
  end loop;
end
$$;

-- Drops the partitions of a table whose every row is older than `keep`; answers how many.
create function drop_old_records(parent text, keep interval) returns integer language plpgsql as $$
declare
  partition_name text;
  dropped integer := 0;
begin
  for partition_name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = parent::regclass
  loop
    if to_timestamp(right(partition_name, 8) || ' +00', 'YYYYMMDD TZH') + interval '7 days' < now() - keep then
      execute format('drop table %I', partition_name);
      dropped := dropped + 1;
    end if;
  end loop;
  return dropped;
end
$$;

select ensure_record_partitions();
