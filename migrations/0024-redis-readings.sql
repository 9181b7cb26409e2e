-- What an instance finds on each Redis shard, by its place in REDIS_URL: the id that it serves with, the id that it found last, host
-- and port, and how long before `seen_at` it found that. Null for an instance of the release before this one, of whose Redis
-- nothing is known; {} for one without Redis.
alter table instances add column redis jsonb;
