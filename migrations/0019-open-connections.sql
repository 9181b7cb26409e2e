-- Connections of modules whose end is not recorded yet, so that somebody can record it when their instance was killed.
create table open_connections (
  conn text primary key,
  -- The process that holds the socket.
  boot text not null,
  client_id text not null,
  account_id text not null references accounts on delete cascade,
  -- The row of the connection log that tells of its beginning.
  record jsonb not null,
  opened_at timestamptz not null,
  -- Set when another instance recorded the end. An owner that was silent and lives then records none of its own.
  ended_at timestamptz
);
create index open_connections_boot on open_connections (boot) where ended_at is null;
create index open_connections_client on open_connections (client_id, opened_at);
create index open_connections_account on open_connections (account_id);
