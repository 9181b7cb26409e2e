-- What an account was told of that goes on until somebody mends it, so that it is told once: a key at its limit, an expired
-- key that is still called, a webhook that fails.
create table told_troubles (
  -- Of the audit log.
  event text not null,
  -- The key or the webhook.
  subject_id text not null,
  at timestamptz not null default now(),
  primary key (event, subject_id)
);
create index told_troubles_at on told_troubles (at);
