#!/bin/sh
# deploy/image/secrets.sh <folder>: makes the secrets of compose.yaml. What is there stays as it is. The folder is for its owner
# alone; the files in it can be read by the users that the containers run under.
set -eu
folder=$1
[ ! -e "$folder/relay-secret" ] || exit 0
umask 022
mkdir -p "$folder"
chmod 700 "$folder"

random() { head -c 32 /dev/urandom | base64 | tr -d '+/=\n' | cut -c1-40; }
app=$(random) owner=$(random) redis=$(random)
printf '%s' "postgres://relay_app:$app@postgres/relay" > "$folder/database-url"
printf '%s' "postgres://relay_owner:$owner@postgres/relay" > "$folder/migrate-database-url"
printf '%s' "$(random)" > "$folder/postgres-password"
cat > "$folder/roles.sql" << END
create role relay_owner login password '$owner';
create role relay_app login password '$app';
create database relay owner relay_owner encoding 'UTF8' template template0;
revoke all on database relay from public;
grant connect, temporary on database relay to relay_app;
END
printf '%s' "redis://relay:$redis@redis:6379" > "$folder/redis-url"
cat > "$folder/redis-users" << END
user default off
user relay on >$redis resetkeys resetchannels ~r:* &r:* +@all -@admin -@dangerous +info
END
# Last: its presence says that all are there.
printf '%s' "$(random)" > "$folder/relay-secret"
