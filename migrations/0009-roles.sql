-- What the role of the running processes may not do itself, it does through functions that run with their owner's
-- rights: make and drop the partitions of records. What it may do besides is granted after each migration
-- (packages/database/src/roles.ts).

-- Records go with their account and in no other way: the deletion of the account erases them, whoever asks for it.
create function erase_records_of_account() returns trigger language plpgsql as $$
begin
  delete from connection_logs where account_id = old.id;
  delete from remote_request_logs where account_id = old.id;
  delete from audit_log where account_id = old.id;
  return null;
end
$$;
create trigger erase_records after delete on accounts
  for each row execute function erase_records_of_account();

-- Refuses UPDATE and TRUNCATE always, and every DELETE but that of the trigger above. Who may not create triggers
-- cannot forge the depth.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and pg_trigger_depth() > 1 then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$$;

-- The release before this one calls it in the transaction that deletes the account; the trigger does the work.
create or replace function erase_account_records(account text) returns void language plpgsql as $$
begin
end
$$;

-- Drops the partitions of a record table whose every row is older than `keep`; answers how many. It refuses what
-- no setting asks for, because its caller may hold no other right to drop anything.
create or replace function drop_old_records(parent text, keep interval) returns integer language plpgsql as $$
declare
  partition_name text;
  dropped integer := 0;
begin
  if parent is null or parent not in ('connection_logs', 'remote_request_logs', 'audit_log') then
    raise exception '% holds no records', coalesce(parent, 'null') using errcode = 'insufficient_privilege';
  end if;
  if keep is null or keep < interval '1 day' then
    raise exception 'records are kept for a day at least' using errcode = 'insufficient_privilege';
  end if;
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

-- A fixed search_path: a caller's own could put objects of the caller's before ours.
do $$
declare
  callable text;
begin
  foreach callable in array array[
    'ensure_record_partitions()', 'drop_old_records(text, interval)', 'erase_records_of_account()'
  ] loop
    execute format('alter function %s security definer set search_path = %I, pg_temp', callable, current_schema());
    execute format('revoke all on function %s from public', callable);
  end loop;
end
$$;
