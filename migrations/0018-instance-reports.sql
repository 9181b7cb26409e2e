-- Each running instance says every few seconds that it runs, and what of it an operator wants to know. An instance of the
-- release before this one writes its holds only: `reported_at` stays null.
alter table instances
  add column reported_at timestamptz,
  add column version text not null default '',
  add column worlds integer not null default 0,
  add column database_connections integer not null default 0,
  -- The ids of the keys that its RELAY_SECRET has, the newest first.
  add column key_ids text[] not null default '{}',
  -- State, memory and the like, as the administrators' page shows them.
  add column load jsonb not null default '{}',
  add column drain_asked_at timestamptz;
