-- Until when the hold of an instance stands for each Redis shard, by its place in REDIS_URL. An instance of the release before
-- this one writes `held_until` alone, which stands for all shards: then `holds` is null.
alter table instances add column holds jsonb;
