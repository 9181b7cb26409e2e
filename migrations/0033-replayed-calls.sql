-- Whether a call was answered as an earlier one under its idempotency key. Null in the rows of a version that does not know it.
alter table call_log add column replayed boolean;
