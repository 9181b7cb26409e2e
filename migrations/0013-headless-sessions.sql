-- Browsers of the relay that are logged in to a tabletop. A row is the one truth of a session: relays write what is
-- wanted, the browser host that runs it writes what is. It is kept for a day after its end.
create table headless_sessions (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  -- The key that started it, the account's id for its master key. Null: the dashboard. No reference, for it outlives the key.
  key_id text,
  -- Scheme, host and path of the tabletop, in one spelling.
  tabletop_url text not null,
  username text not null,
  -- The world's id or title as the caller gave it; empty: the one that runs.
  world_name text not null,
  console_level text check (console_level in ('error', 'warn', 'debug')),
  -- 'ending' is the wish that it ends; its host then makes it 'ended'.
  state text not null default 'starting' check (state in ('starting', 'active', 'ending', 'ended', 'failed')),
  stage text not null default 'queued',
  stage_number integer not null default 0,
  stages integer not null default 0,
  -- Why it ends, ended or failed, in words for the account.
  detail text not null default '',
  -- 'browser_unavailable': no browser was to be had. Otherwise the tabletop or the world failed.
  failure text check (failure in ('session_failed', 'browser_unavailable')),
  -- Seals what only this session's browser host may read: the password on its way, the tabletop's cookies, the
  -- connection token. It is gone with the session.
  seal_key bytea,
  -- The host that runs it, and how often one has taken it: an earlier run may not write any more.
  host text not null default '',
  run integer not null default 0,
  seen_at timestamptz,
  -- What the page says of its world, once the browser is in it. The relay answers it with client and token.
  world jsonb,
  client_id text references known_clients on delete set null,
  token_id text,
  sealed_token text,
  created_at timestamptz not null default now(),
  last_activity_at timestamptz not null default now(),
  ended_at timestamptz
);
create index headless_sessions_account on headless_sessions (account_id, id);
create index headless_sessions_end on headless_sessions (ended_at) where ended_at is not null;
-- A tabletop runs one world at a time, so an account has one session on it.
create unique index headless_sessions_one on headless_sessions (account_id, tabletop_url)
  where state in ('starting', 'active', 'ending');

-- What a session's page shows. Apart from the row above, which is written every few seconds.
create table headless_views (
  session_id text primary key references headless_sessions on delete cascade,
  picture_wanted_at timestamptz,
  picture bytea,
  picture_at timestamptz,
  console jsonb not null default '[]'
);
