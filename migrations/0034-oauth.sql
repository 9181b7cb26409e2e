-- Programs that ask to be signed in (OAuth), from their first request until its code was exchanged. They belong to no account until
-- somebody decides.
create table oauth_requests (
  id text primary key,
  -- Of the page on which it is decided.
  code_hash bytea not null unique,
  -- Of the cookie of the browser that opened it: no other browser decides it.
  browser_hash bytea not null,
  client_id_hash bytea not null,
  client_name text not null,
  -- What the client has to show when it exchanges the code; null: nothing.
  client_secret_hash bytea,
  client_auth text not null check (client_auth in ('none', 'client_secret_post', 'client_secret_basic')),
  redirect_uri text not null,
  state text,
  challenge text not null,
  scopes text[] not null,
  requested_from text not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'denied', 'exchanged')),
  account_id text references accounts (id) on delete cascade,
  granted_scopes text[],
  granted_client_ids text[],
  granted_acting_user_ids jsonb,
  granted_monthly_limit integer,
  granted_expires_at timestamptz,
  exchange_code_hash bytea unique,
  key_id text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index oauth_requests_account on oauth_requests (account_id);
create index oauth_requests_expiry on oauth_requests (expires_at);
create index oauth_requests_open on oauth_requests (expires_at) where status = 'pending';

-- What a program was signed in for: a key that nobody has the value of, with what its refresh tokens need. It ends as the key does.
create table oauth_grants (
  key_id text primary key references api_keys (id) on delete cascade,
  client_id_hash bytea not null,
  client_secret_hash bytea,
  client_auth text not null check (client_auth in ('none', 'client_secret_post', 'client_secret_basic')),
  -- Where the program's sign-in led back to, as people read it.
  host text not null,
  -- Of the part that all of its tokens have in common: by it one that has ended is known.
  family_hash bytea not null unique,
  refresh_hash bytea not null,
  refresh_ends_at timestamptz not null,
  -- The refresh token before, which may be exchanged again for a while.
  before_hash bytea,
  rotated_at timestamptz not null
);
create index oauth_grants_client on oauth_grants (client_id_hash);

create table oauth_tokens (
  hash bytea primary key,
  key_id text not null references oauth_grants (key_id) on delete cascade,
  ends_at timestamptz not null
);
create index oauth_tokens_key on oauth_tokens (key_id);
