#!/usr/bin/env bash
# Verifies receipts of erasures with examples/verify_receipt.py: a genuine one passes, and each of the hundred changed ones
# that the test of `parlance privacy verify` writes is refused. Installs the Python library cryptography into
# target/tools/venv if it is missing. Needs python3.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$PWD/target/tools/venv/bin/python
if ! "$python" -c 'import cryptography' 2>/dev/null; then
    python3 -m venv target/tools/venv
    "$python" -m pip install --quiet cryptography==48.0.0
fi
folder=$PWD/target/receipts
rm -rf "$folder"
PARLANCE_TEST_RECEIPTS=$folder cargo test --quiet --package parlance --test program -- \
    receipts::each_of_a_hundred_changed_receipts_is_refused >/dev/null
verify() { "$python" examples/verify_receipt.py --key "$(<"$folder/key")" --previous "$1/previous.json" "$1/receipt.json"; }

verify "$folder/genuine"
refused=0
for mutant in "$folder"/mutants/*; do
    # A defect of the script ends with a traceback and the exit code 1 too.
    if error=$(verify "$mutant" 2>&1) || [[ $error == *Traceback* ]]; then
        echo "not refused: $(<"$mutant/name"): $error" >&2
    else
        refused=$((refused + 1))
    fi
done
echo "refused by examples/verify_receipt.py: $refused of 100"
[ "$refused" -eq 100 ]
