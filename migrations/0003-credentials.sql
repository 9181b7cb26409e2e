create table api_keys (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  hash bytea not null unique,
  hint text not null,
  name text not null,
  scopes text[] not null check (cardinality(scopes) > 0),
  -- Null: every client of the account. Empty: none is left of those it was bound to.
  client_ids text[],
  monthly_limit integer check (monthly_limit > 0),
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);
create index api_keys_account on api_keys (account_id, id);

-- Calls per key and calendar month (UTC).
create table key_usage (
  key_id text not null references api_keys on delete cascade,
  month date not null,
  calls bigint not null,
  primary key (key_id, month)
);

create table connection_tokens (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  client_id text not null references known_clients on delete cascade,
  hash bytea not null unique,
  hint text not null,
  name text not null,
  allowed_target_clients text[] not null default '{}',
  remote_scopes text[] not null default '{}',
  -- Comma-separated addresses and CIDR ranges; empty: from anywhere.
  ip_allowlist text not null default '',
  -- The fingerprint: what the browser said when it paired.
  world_id text not null,
  system_id text not null default '',
  origin text not null default '',
  last_used_at timestamptz,
  last_ip_address text not null default '',
  created_at timestamptz not null default now()
);
create index connection_tokens_account on connection_tokens (account_id, id);
create index connection_tokens_client on connection_tokens (client_id);

-- Used and expired codes stay for a day, so that a late one is told what became of it.
create table pairing_codes (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  code_hmac bytea not null unique,
  -- Set: an Add Browser code of this client.
  client_id text references known_clients on delete cascade,
  allowed_target_clients text[] not null default '{}',
  remote_scopes text[] not null default '{}',
  ip_allowlist text not null default '',
  created_from text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index pairing_codes_account on pairing_codes (account_id, id);
create index pairing_codes_expiry on pairing_codes (expires_at);

-- Wrong pairing codes over all addresses, by minute.
create table pairing_failures (
  minute timestamptz primary key,
  failures integer not null
);

create table key_requests (
  id text primary key,
  code_hash bytea not null unique,
  app_name text not null,
  app_description text not null default '',
  app_url text not null default '',
  scopes text[] not null,
  suggested_monthly_limit integer,
  callback_url text,
  -- Base64url of the SHA-256 of the verifier that the collector must bring.
  poll_challenge text,
  requested_from text not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'denied', 'exchanged')),
  account_id text references accounts on delete cascade,
  granted_scopes text[],
  granted_client_ids text[],
  granted_monthly_limit integer,
  granted_expires_at timestamptz,
  exchange_code_hash bytea unique,
  -- The key that it became; without a reference, for the key may be revoked.
  key_id text,
  created_at timestamptz not null default now(),
  -- Moves on approval: to the end of the time in which the key may be collected.
  expires_at timestamptz not null
);
create index key_requests_account on key_requests (account_id);
create index key_requests_expiry on key_requests (expires_at);

-- Every change that takes rights away (or gives them back), written in the change's own transaction. All
-- instances poll it; rows are kept for a day. Ids commit out of order: readers look back 10 s.
create table credential_events (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  account_id text not null,
  subject text not null check (subject in ('account', 'key', 'token', 'client', 'session')),
  -- The credential, client or session; the account itself for 'account'.
  subject_id text not null,
  change text not null check (change in ('revoked', 'changed', 'blocked', 'unblocked'))
);
create index credential_events_at on credential_events (at);
