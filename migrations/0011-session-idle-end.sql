-- A session ends when it was not used for a while. The relay writes this time at each use, and the worker deletes by it. The
-- default is for instances of the release before, which do not write it.
alter table sessions add column idle_expires_at timestamptz not null default now() + interval '7 days';
update sessions set idle_expires_at = last_used_at + interval '7 days';
create index sessions_idle_expiry on sessions (idle_expires_at);
