-- Accounts that were deleted while they had more records than one statement may take the time for. What is left of their
-- records is erased in slices; the account can be used no more.
create table erasures (
  id text primary key,
  slices integer not null default 0
);

-- Erases so many records of an account at most; answers whether none is left. Like every DELETE of records it works below a trigger only.
-- By partition, because a place in a table (ctid) is one of a partition.
create function erase_some(account text, most integer) returns boolean language plpgsql as $$
declare
  part regclass;
  erased integer;
  rest integer := most;
begin
  for part in
    select inhrelid::regclass from pg_inherits where inhparent in (
      'connection_logs'::regclass, 'remote_request_logs'::regclass, 'audit_log'::regclass,
      'call_log'::regclass, 'call_bodies'::regclass)
  loop
    execute format(
      'delete from %s where ctid = any(array(select ctid from %s where account_id = $1 limit $2))', part, part)
      using account, rest;
    get diagnostics erased = row_count;
    rest := rest - erased;
    if rest = 0 then
      return false;
    end if;
  end loop;
  return true;
end
$$;

-- The deletion of an account erases what one statement can, and leaves the rest to the slices.
create or replace function erase_records_of_account() returns trigger language plpgsql as $$
begin
  if not erase_some(old.id, 5000) then
    insert into erasures (id) values (old.id) on conflict do nothing;
  end if;
  return null;
end
$$;
-- The function above erases calls too.
create or replace function erase_calls_of_account() returns trigger language plpgsql as $$
begin
  return null;
end
$$;

create function erase_slice() returns trigger language plpgsql as $$
begin
  -- Nothing of an account that exists is erased, whoever may write here.
  if exists (select from accounts where id = new.id) or erase_some(new.id, 5000) then
    delete from erasures where id = new.id;
  end if;
  return null;
end
$$;
create trigger erase_slice after update on erasures
  for each row execute function erase_slice();

-- Erases one slice of what deleted accounts left; answers whether there was one to erase. Safe to call at any time, from several processes.
create function erase_slice_of_deleted() returns boolean language plpgsql as $$
declare
  deleted text;
begin
  select id into deleted from erasures limit 1 for update skip locked;
  if deleted is null then
    return false;
  end if;
  update erasures set slices = slices + 1 where id = deleted;
  return true;
end
$$;

-- As in 0009: what the role of the running processes may not do itself, with a fixed search_path.
do $$
declare
  callable text;
begin
  foreach callable in array array[
    'erase_records_of_account()', 'erase_calls_of_account()', 'erase_slice()', 'erase_slice_of_deleted()'
  ] loop
    execute format('alter function %s security definer set search_path = %I, pg_temp', callable, current_schema());
    execute format('revoke all on function %s from public', callable);
  end loop;
  execute 'revoke all on function erase_some(text, integer) from public';
end
$$;
