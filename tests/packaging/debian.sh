#!/usr/bin/env bash
# Tests the Debian package on a new Debian 12: it is built from a program, installed, started by the command of its
# unit as the user of its unit, and a first message is sent with the commands that the installation prints, word for
# word. The argument is the path of the program, by default target/release/parlance. Needs root and Debian.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$(realpath "${1:-target/release/parlance}")
tools=$PWD/target/tools
base=$tools/debian-bookworm.tar
fail() { printf 'tests/packaging/debian.sh: %s\n' "$1" >&2; exit 1; }

[ -x "$program" ] || fail "there is no program at $program: run cargo build --release"
[ "$(id -u)" = 0 ] || fail 'run this as root, which chroot needs'
. tests/support/tools.sh
need debootstrap debootstrap
need dpkg-shlibdeps dpkg-dev
need ip iproute2
need unshare util-linux
cargo_tool cargo-deb@3.8.0

folder=$PWD/target/debootstrap
rm -rf "$folder"
mkdir -p "$folder/root" "$tools"
if [ ! -e "$base" ]; then
    debootstrap --variant=minbase --include=adduser,curl bookworm "$folder/new" >"$folder/debootstrap.log" ||
        fail "debootstrap failed: $(tail -n 3 "$folder/debootstrap.log")"
    tar -C "$folder/new" -cf "$base.new" .
    mv "$base.new" "$base"
    rm -rf "$folder/new"
fi
tar -C "$folder/root" -xpf "$base"

PATH=$tools/bin:$PATH deploy/debian/build.sh --binary "$program" --output "$folder/root/parlance.deb"

cp tests/packaging/in_debian.sh "$folder/root/in_debian.sh"
# The namespaces give the service its own loopback address, and end every process with the test.
unshare --net --mount --pid --fork --kill-child bash -euc '
    ip link set lo up
    mount -t proc proc "$1/proc"
    exec chroot "$1" /bin/sh /in_debian.sh' bash "$folder/root" </dev/null
