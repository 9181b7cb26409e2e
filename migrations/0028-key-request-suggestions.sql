-- What a program suggests to who approves its request: the worlds, and when the key ends. Null: nothing.
alter table key_requests add column suggested_client_ids text[];
alter table key_requests add column suggested_expires_at timestamptz;
-- The scopes in the words that the program used, where they are not ours: its answer names them too.
alter table key_requests add column asked_scopes text[] not null default '{}';
