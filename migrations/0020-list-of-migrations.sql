-- From here on a release starts on a database that the next one has migrated. Releases that end at 0017 start only where
-- `migrations` holds exactly their names: it keeps these for them, and `applied_migrations` lists all.
create table if not exists migrations (name varchar(255) primary key, timestamp varchar(255) not null);
delete from migrations where left(name, 4) > '0017';
insert into migrations
  select name, timestamp from applied_migrations where left(name, 4) <= '0017'
  on conflict do nothing;
-- The migrations that a release must know to run here. One that takes away what an older release uses adds a row.
create table needed_migrations (name text primary key);
