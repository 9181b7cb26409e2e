-- Worlds that were paired, as they were last seen. `paired_*` is what the pairing browser said; the rest is
-- what the last connection said.
create table known_clients (
  client_id text primary key,
  account_id text not null references accounts on delete cascade,
  paired_world_id text not null,
  paired_system_id text not null default '',
  paired_origin text not null default '',
  server_fingerprint text not null default '',
  world_id text not null,
  world_title text not null default '',
  tabletop_version text not null default '',
  system_id text not null default '',
  system_title text not null default '',
  system_version text not null default '',
  -- Given in the dashboard; wins over the module's.
  custom_name text not null default '',
  module_custom_name text not null default '',
  last_instance_id text not null default '',
  ip_address text not null default '',
  token_name text not null default '',
  last_seen_at timestamptz,
  connected_since timestamptz,
  created_at timestamptz not null default now()
);
create index known_clients_account on known_clients (account_id, client_id);

-- Running processes. A hold keeps an owner's authority while Redis is away.
create table instances (
  boot text primary key,
  instance_id text not null default '',
  held_until timestamptz not null,
  seen_at timestamptz not null default now()
);
create index instances_seen on instances (seen_at);
