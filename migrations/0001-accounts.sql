-- Accounts and what signs a person in. Secrets are SHA-256 hashes; ids are ULIDs, so that ordering by id is
-- ordering by creation.
create table accounts (
  id text primary key,
  email text not null unique,
  password_hash text not null,
  master_key_hash bytea not null unique,
  master_key_hint text not null,
  master_key_last_used_at timestamptz,
  is_administrator boolean not null default false,
  rotation_required boolean not null default false,
  disabled_at timestamptz,
  -- Set when a mail to the address has been acted upon.
  email_proven_at timestamptz,
  created_at timestamptz not null default now(),
  check (email = lower(email))
);

create table sessions (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  hash bytea not null unique,
  user_agent text not null,
  ip_address text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_account on sessions (account_id, id);
create index sessions_expiry on sessions (expires_at);

create table password_resets (
  hash bytea primary key,
  account_id text not null references accounts on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index password_resets_account on password_resets (account_id);

-- Failed sign-ins per e-mail address (as HMAC: the address may belong to nobody). `next_at` is the first
-- moment at which the next try is heard.
create table login_failures (
  email_hmac bytea primary key,
  failures integer not null,
  since timestamptz not null,
  next_at timestamptz not null
);
create index login_failures_since on login_failures (since);
