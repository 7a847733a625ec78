#!/usr/bin/env bash
# Runs one of the tests of this folder with the Python packages that it needs: tests/scale/run.sh privacy|events [option]…
# Installs the packages into target/tools/scale if they are missing. Needs python3 of at least 3.11, a program that was built
# in release mode, and PostgreSQL.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=$PWD/target/tools/scale/bin/python
if ! "$python" -c 'import boto3, cryptography, moto, pyarrow, zstandard' 2>/dev/null; then
    python3 -m venv target/tools/scale
    "$python" -m pip install --quiet 'moto[server]==5.2.5' pyarrow==26.0.1 zstandard==0.25.0 cryptography==48.0.0
fi
exec "$python" "tests/scale/$1.py" "${@:2}"
