-- The value that a key had before it was rolled. It still opens the key until it ends, and there is one for each key at most.
create table old_key_values (
  key_id text primary key references api_keys on delete cascade,
  hash bytea not null unique,
  hint text not null,
  -- Since when it is the old one: what was called with it before, was called with the key's value.
  rolled_at timestamptz not null,
  ends_at timestamptz not null,
  last_used_at timestamptz
);
create index old_key_values_end on old_key_values (ends_at);

-- From where and with which program a call came. All three are null in the rows of a version that does not know them.
alter table call_log add column ip_address text;
alter table call_log add column user_agent text;
-- Whether it was called with the old value of a key that was rolled.
alter table call_log add column old_value boolean;

-- Calls of the month that the relay refused, so that they do not count.
alter table key_usage add column refused bigint not null default 0;
