-- The way that a call came, `http` or `mcp`, and what an assistant's program calls itself there. Null in the rows of a version that
-- does not know it.
alter table call_log
  add column via text,
  add column assistant text;
-- A signed-in person chose the key's scopes: no program asked for them. Assistants use some scopes with such a key alone.
alter table api_keys add column scopes_by_hand boolean not null default false;
