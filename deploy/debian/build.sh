#!/usr/bin/env bash
# Builds the Debian package into target/debian, with the manual pages and the completions that the program prints.
# Needs cargo-deb.
#
#   --binary PATH   packs this program instead of compiling one
#   --output PATH   writes the package to this file
set -euo pipefail
cd "$(dirname "$0")/../.."

fail() { echo "deploy/debian/build.sh: $1" >&2; exit 1; }

binary='' output=target/debian/
while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || fail "$1 needs a path"
    case $1 in
        --binary) binary=$(realpath "$2") ;;
        --output) output=$(realpath -m "$2") ;;
        *) fail "unknown argument $1: use --binary PATH or --output PATH" ;;
    esac
    shift 2
done
if [ -z "$binary" ]; then
    cargo build --release --locked --package parlance
    binary=${CARGO_TARGET_DIR:-$PWD/target}/release/parlance
fi

# cargo-deb takes the program from the release folder of a target folder, and the rest from target/debian-files.
files=$PWD/target/debian-files
rm -rf "$files"
mkdir -p "$files/release" "$files/man" "$files/completions" "$(dirname "$output")"
cp "$binary" "$files/release/parlance"
"$binary" man --directory "$files/man"
gzip --best --no-name "$files"/man/*.1
"$binary" completions bash >"$files/completions/parlance"
"$binary" completions zsh >"$files/completions/_parlance"
"$binary" completions fish >"$files/completions/parlance.fish"
CARGO_TARGET_DIR=$files cargo deb --quiet --fast --no-build --package parlance --output "$output" >/dev/null
