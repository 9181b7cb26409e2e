-- The calls of all accounts by the minute, for the operator's page of troubles: all of them, also where the log has a sample only.
create table call_minutes (
  minute timestamptz not null,
  -- Each instance adds to rows of its own, so that none waits for another's.
  instance_id text not null,
  outcome text not null,
  calls bigint not null,
  primary key (minute, instance_id, outcome)
);
