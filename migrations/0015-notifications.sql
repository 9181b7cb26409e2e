-- What accounts are told of. A notice is written by the statement that writes the record it tells of; the worker moves it,
-- within about a second, into the notification of each target that wants it, and sends these.
create table notices (
  id bigint generated always as identity primary key,
  account_id text not null references accounts on delete cascade,
  -- The table of the record.
  source text not null,
  record jsonb not null,
  at timestamptz not null default now()
);
create index notices_account on notices (account_id);

-- What an account chose. Without a row the defaults hold.
create table notification_settings (
  account_id text primary key references accounts on delete cascade,
  -- The names of the events that are wanted.
  events text[] not null,
  email_enabled boolean not null,
  quiet_from text,
  quiet_to text,
  time_zone text,
  batch_seconds integer not null,
  check ((quiet_from is null) = (quiet_to is null) and (quiet_from is null) = (time_zone is null))
);

create table webhooks (
  id text primary key,
  account_id text not null references accounts on delete cascade,
  kind text not null,
  -- The part of the address that is no secret.
  label text not null,
  -- An address of a chat is a secret itself: who knows it can post there. Sealed under RELAY_SECRET.
  sealed_url text not null,
  -- Signs; of the kind `standard` only.
  sealed_secret text,
  enabled boolean not null default true,
  -- Since when every try fails; null after one that did not.
  failing_since timestamptz,
  -- Set when the worker switched it off.
  switched_off_at timestamptz,
  created_at timestamptz not null default now()
);
create index webhooks_account on webhooks (account_id, id);

-- One message to one target. It collects events while it is open, then it is tried until it is sent or given up.
create table notifications (
  -- Goes with the message as webhook-id and in the Message-ID, so that a receiver knows it again.
  id text primary key,
  -- Null: the operator's.
  account_id text references accounts on delete cascade,
  -- The id of a webhook, or a name that no webhook has: `email:<account>`, `operator:webhook`, `operator:email`.
  target text not null,
  kind text not null,
  -- As of the webhook, or the address of the mail.
  label text not null,
  status text not null,
  events jsonb not null,
  -- Above the length of `events` where these do not list all.
  event_count integer not null,
  created_at timestamptz not null default now(),
  next_try_at timestamptz not null,
  -- Until then a worker has it.
  held_until timestamptz,
  tries integer not null default 0,
  -- Since when it is tried; anew with each time that its owner sends it again.
  tried_since timestamptz,
  sent_at timestamptz,
  -- What the receiver answered last.
  answered_at timestamptz,
  answer_status integer,
  answer text,
  check (status in ('collecting', 'waiting', 'sent', 'failed'))
);
create unique index notifications_collecting on notifications (target) where status = 'collecting';
create index notifications_due on notifications (next_try_at) where status in ('collecting', 'waiting');
create index notifications_held on notifications (account_id) where held_until is not null;
create index notifications_account on notifications (account_id, id);
create index notifications_target on notifications (target, created_at);
create index notifications_age on notifications (created_at);

-- Links by which the owner of an address confirms it.
create table email_confirmations (
  hash bytea primary key,
  account_id text not null references accounts on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index email_confirmations_account on email_confirmations (account_id);
create index email_confirmations_expiry on email_confirmations (expires_at);
