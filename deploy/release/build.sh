#!/usr/bin/env bash
# Builds the archives of a release into target/release-archives: the program with its documents, the source, the software
# bill of materials and the checksums. The same commit and the same program give the same archives.
#
#   --allow-dirty   accepts uncommitted changes; the source archive does not contain them
#   --binary PATH   packs this program instead of compiling one; the archive is named after the host of rustc
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
cyclonedx=0.5.9

fail() { echo "release: $1" >&2; exit 1; }

allow_dirty='' binary=''
while [ $# -gt 0 ]; do
    case $1 in
        --allow-dirty) allow_dirty=yes ;;
        --binary) [ $# -ge 2 ] || fail '--binary needs the path of a program'; binary=$(realpath "$2"); shift ;;
        *) fail "unknown argument $1: use --allow-dirty or --binary PATH" ;;
    esac
    shift
done

version=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' Cargo.toml)
grep -qF "## [$version] - " CHANGELOG.md || fail "CHANGELOG.md has no section for $version: add '## [$version] - DATE'"
if [ -z "$allow_dirty" ] && [ -n "$(git status --porcelain)" ]; then
    fail 'the work tree has uncommitted changes: commit them, or add --allow-dirty for a trial'
fi

# All times in the archives are the time of the commit, for reproducible archives.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C
host=$(rustc -vV | sed -n 's/^host: //p')
if [ -z "$binary" ]; then
    cargo build --release --locked --package parlance
    binary=${CARGO_TARGET_DIR:-$root/target}/release/parlance
fi
[ "$("$binary" -V)" = "parlance $version" ] || fail "$binary is not parlance $version: build it from this commit"

. tests/support/tools.sh
cargo_tool "cargo-cyclonedx@$cyclonedx"
tools=$root/target/tools

output=$root/target/release-archives
rm -rf "$output"
mkdir -p "$output"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Packs a folder: sorted names, no owner, the modes of a usual umask, the time of the commit.
pack() {
    tar --create --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
        --mtime="@$SOURCE_DATE_EPOCH" --directory "$folder" "$1" | gzip --no-name --best >"$output/$1.tar.gz"
}

source=parlance-$version-source
git archive --format=tar --prefix="$source/" HEAD | tar --extract --directory "$folder"

# The tool writes beside each manifest, so it works on the unpacked source.
(cd "$folder/$source" && "$tools/bin/cargo-cyclonedx" cyclonedx --quiet --manifest-path crates/app/Cargo.toml \
    --format json --spec-version 1.5 --describe binaries --no-build-deps --target "$host")
# The identifiers of the workspace's own crates contain the path of the folder.
sed "s#file://$folder/$source/#file:///$source/#g" "$folder/$source/crates/app/parlance_bin.cdx.json" \
    >"$output/parlance-$version.cdx.json"
find "$folder/$source" -name '*.cdx.json' -delete
pack "$source"

program=parlance-$version-$host
mkdir -p "$folder/$program/completions" "$folder/$program/systemd"
install -m 755 "$binary" "$folder/$program/parlance"
cp README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$folder/$program/"
# README links to the documents and to parts of the source. Only tracked files are packed.
links=$(grep -oE '\]\([^)#:]+' README.md | sed 's/^](//' | sort -u)
(cd "$folder/$source" && cp -r --parents docs $links "$folder/$program/")
cp deploy/systemd/* "$folder/$program/systemd/"
"$binary" man --directory "$folder/$program/man/man1"
"$binary" completions bash >"$folder/$program/completions/parlance.bash"
"$binary" completions zsh >"$folder/$program/completions/_parlance"
"$binary" completions fish >"$folder/$program/completions/parlance.fish"
"$binary" completions elvish >"$folder/$program/completions/parlance.elv"
"$binary" completions powershell >"$folder/$program/completions/_parlance.ps1"
pack "$program"

(cd "$output" && sha256sum -- *.tar.gz *.cdx.json >SHA256SUMS)
echo "The archives of parlance $version are in target/release-archives:"
cat "$output/SHA256SUMS"
