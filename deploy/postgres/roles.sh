#!/bin/sh
# Run by the image of Postgres when its data folder is new.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --file /run/secrets/roles.sql
