#!/bin/sh
# contain.sh <root> <secrets> <user:group> <tmp|none> <command>...: runs the command as process 1 on the file system of an image,
# as deploy/compose.yaml and k8s/ have it run: nothing is writable but a /tmp where one is given, no capability, no new rights.
# Expects namespaces of its own (unshare --mount --pid --fork). The network is this machine's.
set -eu
root=$1 secrets=$2 user=$3 tmp=$4
shift 4

mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom; do
  : > "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mkdir "$root/run/secrets"
mount --bind "$secrets" "$root/run/secrets"
mount -o remount,bind,ro "$root/run/secrets"
for folder in dev run; do mount -o remount,ro "$root/$folder"; done
[ "$tmp" = none ] || mount -t tmpfs -o mode=1777,size=1g tmpfs "$root/tmp"
mount -o remount,bind,ro "$root"

# Not chroot, in which Chromium could not make its sandbox.
cd "$root"
pivot_root . .
umount -l .
exec setpriv --reuid "${user%:*}" --regid "${user#*:}" --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"
