#!/usr/bin/env bash
# Builds the documentation as a site in target/docs-site, and checks it: every page of docs/ is in docs/SUMMARY.md, in the
# order of docs/README.md, and every link within the site leads to a page and a heading. Installs mdBook into
# target/tools if it is missing. Needs python3.
set -euo pipefail
cd "$(dirname "$0")/.."
. tests/support/tools.sh
cargo_tool mdbook@0.5.4 --no-default-features --features search
target/tools/bin/mdbook build docs
python3 tests/docs_site.py docs target/docs-site
