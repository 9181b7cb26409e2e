-- How many requests of a world to another one a row stands for: those above the rate are counted per minute. Null means one.
-- The name of the token, because the token may be gone when the log is read. The version before this one writes null.
alter table remote_request_logs add column attempts integer, add column source_token_name text;
