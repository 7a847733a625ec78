#!/usr/bin/env bash
# Builds the last release, and runs its replicas beside those of this program over one PostgreSQL database, forwards and
# back. tests/upgrade-from names the commit and the version of the last release. Needs git with that commit, and
# PostgreSQL. The variable PARLANCE_TEST_LAST_RELEASE names a binary of the last release that is built already.
set -euo pipefail
cd "$(dirname "$0")/.."
read -r commit version <tests/upgrade-from

if [ -z "${PARLANCE_TEST_LAST_RELEASE:-}" ]; then
    sources=$PWD/target/last-release/$commit
    export PARLANCE_TEST_LAST_RELEASE=$sources/target/debug/parlance
    if [ ! -x "$PARLANCE_TEST_LAST_RELEASE" ]; then
        if ! git cat-file -e "$commit^{commit}" 2>/dev/null; then
            git fetch --quiet --unshallow 2>/dev/null || git fetch --quiet || true
        fi
        git cat-file -e "$commit^{commit}" || {
            echo "git has no commit $commit of the release $version: fetch it" >&2
            exit 1
        }
        mkdir -p "$sources"
        git archive "$commit" | tar -x -C "$sources"
        # What it has in common with this program is not compiled again, but copied: target/debug is built already, and
        # another project in the same folder would overwrite crates of the same names.
        mkdir -p "$sources/target/debug/deps"
        for part in build .fingerprint; do
            if [ -d "target/debug/$part" ]; then cp -a "target/debug/$part" "$sources/target/debug/"; fi
        done
        if [ -d target/debug/deps ]; then
            find target/debug/deps -name '*.*' ! -name '*.o' -exec cp -a -t "$sources/target/debug/deps" {} +
        fi
        find "$sources/target/debug" -mindepth 2 -maxdepth 2 \( -name '*parlance*' -o -name 'tests-*' \) -exec rm -rf {} +
        (cd "$sources" && CARGO_TARGET_DIR=target cargo build --quiet --package parlance)
    fi
fi
"$PARLANCE_TEST_LAST_RELEASE" --version
PARLANCE_TEST_REQUIRE="${PARLANCE_TEST_REQUIRE:+$PARLANCE_TEST_REQUIRE,}postgres,last-release" \
    cargo test --quiet --package parlance --test resilience -- upgrade
