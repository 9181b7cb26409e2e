#!/bin/sh
# fetch-debian-program.sh <folder> <package> [<dpkg status file>]
#
# Unpacks a package of the distribution, with the libraries that this machine lacks, into a folder. Needs no
# root: apt gets folders of its own. Processes that ask at once take turns, and the folder appears whole.
set -eu
folder=$1 package=$2 status=${3:-/var/lib/dpkg/status}

mkdir -p "$(dirname "$folder")"
exec 9>"$folder.lock"
flock 9
[ ! -e "$folder" ] || exit 0

work=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$work/root"
cp "$status" "$work/state/status"

own_apt() {
  apt-get -qq -y -o Dir::State="$work/state" -o Dir::State::status="$work/state/status" \
    -o Dir::Cache="$work/cache" -o APT::Sandbox::User="$(id -un)" "$@" >&2
}
own_apt update
own_apt install --download-only --no-install-recommends "$package"

for archive in "$work"/cache/archives/*.deb; do
  dpkg -x "$archive" "$work/root"
done
mv "$work/root" "$folder"
