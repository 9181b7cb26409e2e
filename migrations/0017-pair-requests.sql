-- A world asks, in the browser that it is open in, to be paired (or, with `client_id`, that a paired browser may do more).
-- What it says of itself is only shown: the request proves nothing.
create table pair_requests (
  id text primary key,
  code_hash bytea not null unique,
  world_id text not null,
  world_title text not null default '',
  tabletop_version text not null default '',
  system_id text not null default '',
  system_title text not null default '',
  system_version text not null default '',
  origin text not null default '',
  -- Set: an upgrade, which changes one token of this client and makes no code.
  client_id text,
  requested_from text not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'denied', 'exchanged')),
  account_id text references accounts on delete cascade,
  allowed_target_clients text[] not null default '{}',
  remote_scopes text[] not null default '{}',
  ip_allowlist text not null default '',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index pair_requests_account on pair_requests (account_id);
create index pair_requests_expiry on pair_requests (expires_at);
create index pair_requests_open on pair_requests (expires_at) where status = 'pending';

-- A code that came of a request pairs the world that the person was shown, and no other.
alter table pairing_codes add column world_id text;

-- A browser that unpaired itself: its socket ends as it wished, with 1000, and not as one whose token was revoked.
alter table credential_events drop constraint credential_events_change_check;
alter table credential_events add constraint credential_events_change_check
  check (change in ('revoked', 'given_back', 'changed', 'blocked', 'unblocked', 'sessions_ended'));
