-- The last batch of key usage that each process wrote: one that is sent again, because its answer was lost, adds
-- nothing. Rows are kept for a day.
create table usage_batches (
  boot text primary key,
  number bigint not null,
  at timestamptz not null default now()
);
