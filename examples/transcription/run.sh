#!/usr/bin/env bash
# Recognises spoken sentences with and without a delivered vocabulary, end to end: see README.md in this folder.
#   examples/transcription/run.sh [PARLANCE]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
parlance=${1:-$here/../../target/debug/parlance}
[ -x "$parlance" ] || { echo "there is no $parlance: build it with cargo build, or name another file" >&2; exit 1; }
command -v espeak-ng >/dev/null || { echo "espeak-ng is missing: apt-get install espeak-ng" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check pocketsphinx==5.1.1 soxr==1.1.0 numpy
"$work/venv/bin/python" "$here/example.py" "$(realpath "$parlance")" "$here/phrases.json" "$work"
