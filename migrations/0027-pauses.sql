-- Who has stopped a key or a world for a while. The last pause of each stays when it is lifted, because what happened
-- meanwhile is kept from streams that resume from before it.
create table pauses (
  account_id text not null references accounts on delete cascade,
  -- One of the two.
  key_id text references api_keys on delete cascade,
  client_id text references known_clients on delete cascade,
  -- Where it was set, and where alone it is lifted. A world may be paused in both.
  set_in text not null check (set_in in ('relay', 'tabletop')),
  since timestamptz not null default clock_timestamp(),
  actor text not null check (actor in ('session', 'administrator', 'operator', 'token')),
  -- The tabletop's user who set it, as the module names them.
  user_name text not null default '',
  -- Null: it stands.
  lifted_at timestamptz,
  check (num_nonnulls(key_id, client_id) = 1),
  check (set_in = 'relay' or client_id is not null),
  unique (key_id, set_in),
  unique (client_id, set_in)
);
create index pauses_account on pauses (account_id);

-- The key's calls go through to a paused world. For a person's own tries: such a key lives for minutes and is made while signed in.
alter table api_keys add column reaches_paused boolean not null default false;
