#!/usr/bin/env bash
# Tests deploy/release/build.sh: the archives are complete, reproducible and usable, the software bill of materials is
# valid, and a release without its section in CHANGELOG.md or with uncommitted changes is refused. The argument is the
# path of the program, by default target/release/parlance. Needs groff. Installs the validator with pip into
# target/tools.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
program=$(realpath "${1:-target/release/parlance}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "tests/release.sh: $1" >&2; exit 1; }

build() { "$1/deploy/release/build.sh" --binary "$program" "${@:2}"; }

build "$root" --allow-dirty
cp -r target/release-archives "$folder/first"
build "$root" --allow-dirty >/dev/null
cmp "$folder/first/SHA256SUMS" target/release-archives/SHA256SUMS || fail 'two builds of one commit differ'

cd "$folder/first"
sha256sum --check --quiet SHA256SUMS
version=$("$program" -V | cut -d ' ' -f 2)
archive=$(ls "parlance-$version"-*-linux-gnu.tar.gz)
name=${archive%.tar.gz}
tar --extract --gzip --file "$archive"
[ "$("$name/parlance" --version)" = "$("$program" --version)" ] || fail 'the program of the archive has another version'
"$name/parlance" --version
for link in $(grep -oE '\]\([^)#:]+' "$name/README.md" | sed 's/^](//' | sort -u); do
    [ -e "$name/$link" ] || fail "README.md of the archive links to $link, which the archive lacks"
done
for file in README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT completions/{parlance.bash,_parlance,parlance.fish} \
    completions/{parlance.elv,_parlance.ps1} man/man1/{parlance,parlance-serve,parlance-feed-export}.1; do
    [ -s "$name/$file" ] || fail "$archive has no $file"
done
warnings=$(for page in "$name"/man/man1/*.1; do groff -man -ww -Tutf8 "$page" 2>&1 >/dev/null; done)
[ -z "$warnings" ] || fail "groff warns of the manual pages: $warnings"
[ "$(tar --list --verbose --numeric-owner --gzip --file "$archive" | awk '{ print $2, $4, $5 }' | sort -u | wc -l)" = 1 ] ||
    fail "the files of $archive have several owners or times"
tar --extract --gzip --file "parlance-$version-source.tar.gz"
git -C "$root" ls-tree -r --name-only HEAD | sort >"$folder/committed"
(cd "parlance-$version-source" && find . -type f -o -type l | cut -c 3- | sort) >"$folder/packed"
cmp "$folder/committed" "$folder/packed" || fail 'the source archive and the commit have different files'

validator=$root/target/tools/cyclonedx-venv
if [ ! -x "$validator/bin/python" ] || ! "$validator/bin/python" -c 'import cyclonedx, jsonschema' 2>/dev/null; then
    python3 -m venv "$validator"
    "$validator/bin/pip" install --quiet 'cyclonedx-python-lib[json-validation]==11.12.0'
fi
"$validator/bin/python" - "parlance-$version.cdx.json" "$folder" <<'END'
import json, pathlib, sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

text = pathlib.Path(sys.argv[1]).read_text()
if error := JsonStrictValidator(SchemaVersion.V1_5).validate_str(text):
    sys.exit(f"{sys.argv[1]} is not a valid CycloneDX document: {error}")
names = {component["name"] for component in json.loads(text)["components"]}
if missing := {"parlance-domain", "actix-web", "sea-orm", "rustls"} - names:
    sys.exit(f"{sys.argv[1]} lacks {sorted(missing)}")
if "/tmp/" in text:
    sys.exit(f"{sys.argv[1]} contains the path of a temporary folder")
print(f"{sys.argv[1]} is valid and has {len(names)} components")
END

git clone --quiet "$root" "$folder/clone"
refused() {
    local message
    if message=$(build "$folder/clone" "${@:2}" 2>&1); then fail "a release was built, although: $1"; fi
    [[ $message == *"$1"* ]] || fail "the refusal is '$message', and not '$1'"
}
echo >>"$folder/clone/README.md"
refused 'the work tree has uncommitted changes'
sed -i "/^## \[$version\]/d" "$folder/clone/CHANGELOG.md"
refused "CHANGELOG.md has no section for $version" --allow-dirty
echo 'the archives are complete, reproducible and usable'
