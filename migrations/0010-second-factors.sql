-- What is asked for beside the password. A secret is sealed under RELAY_SECRET and names its key; of a passkey only
-- public things are kept.
create table second_factors (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  kind text not null check (kind in ('totp', 'passkey')),
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  sealed_secret text,
  -- The 30-second step of the last code that was taken: neither it nor an earlier one is taken again.
  last_step integer,
  credential_id text unique,
  public_key bytea,
  sign_count bigint,
  transports text[],
  -- The host that the passkey belongs to.
  rp_id text,
  check (kind <> 'totp' or (sealed_secret is not null and last_step is not null)),
  check (kind <> 'passkey' or (credential_id is not null and public_key is not null and sign_count is not null
    and transports is not null and rp_id is not null))
);
create index second_factors_account on second_factors (account_id, id);
create unique index second_factors_one_totp on second_factors (account_id) where kind = 'totp';

-- SHA-256 hashes; a row goes when its code is used.
create table recovery_codes (
  hash bytea primary key,
  account_id text not null references accounts on delete cascade,
  created_at timestamptz not null default now()
);
create index recovery_codes_account on recovery_codes (account_id);

-- Challenges and set-ups are sealed and kept nowhere; those that were used are marked until they would expire.
create table used_tokens (
  hash bytea primary key,
  account_id text not null references accounts on delete cascade,
  expires_at timestamptz not null
);
create index used_tokens_account on used_tokens (account_id);
create index used_tokens_expiry on used_tokens (expires_at);
