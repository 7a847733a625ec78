#!/usr/bin/env bash
# Checks that every statement that PostgreSQL is sent names the tenant of the rows that it reads and writes
# (docs/data-model.md). Runs suites against a PostgreSQL cluster of its own, which logs the plan of every statement.
# Then tests/tenant_plans/check.py reads the log and the schema. The argument is the path of the program, by default
# target/debug/parlance. Needs PostgreSQL 15 or later with auto_explain and psql, and python3.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
program=$(realpath "${1:-$root/target/debug/parlance}")

python3 -B -m unittest discover --quiet --start-directory "$here/tenant_plans"

folder=$(mktemp -d)
cluster=''
finish() {
    exec 3>&- || true
    [ -z "$cluster" ] || wait "$cluster" || true
    rm -rf "$folder"
}
trap finish EXIT
# The server may run as another user.
chmod 755 "$folder"
mkdir -m 777 "$folder/log"
cat >"$folder/plans.conf" <<END
session_preload_libraries = 'auto_explain'
auto_explain.log_min_duration = 0
auto_explain.log_nested_statements = on
auto_explain.log_format = json
auto_explain.log_verbose = on
log_statement = all
log_parameter_max_length = 0
log_parameter_max_length_on_error = 0
log_destination = jsonlog
logging_collector = on
log_directory = '$folder/log'
log_filename = 'postgres.log'
log_rotation_age = 0
log_rotation_size = 0
END
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
mkfifo "$folder/commands"
sh "$here/support/cluster.sh" "$port" "$folder/plans.conf" <"$folder/commands" >"$folder/status" &
cluster=$!
exec 3>"$folder/commands"
for _ in $(seq 600); do
    if [ -s "$folder/status" ]; then break; fi
    sleep 0.1
done
[ "$(head -n 1 "$folder/status")" = ready ] || { echo "no cluster with auto_explain: $(cat "$folder/status")"; exit 1; }

cd "$root"
# --workspace, because cargo compiles a package that is tested alone again, with fewer features of what it depends on.
PARLANCE_TEST_STATEMENT_LIST=$folder/statements cargo test --quiet --workspace --lib -- \
    data_plane::statement_list
server=postgres://postgres@127.0.0.1:$port
export PARLANCE_TEST_POSTGRES_URL=$server/postgres PARLANCE_TEST_REQUIRE=postgres
stores=()
for suite in message_store message_store_pages message_store_masking message_store_redactions \
    message_store_number_runs message_preconditions conversation_store conversation_store_pages conversation_store_page_order \
    feed_source idempotency_store read_batching tenant_store credential_store vocabulary_store redaction_store \
    audit_store delivery_store change_log stream_address_store webhook_store webhook_store_deliveries import_store \
    erasure_store privacy_request_store subject_store ledger_store hold_store retention_store compaction \
    tenant_erasure_store tenant_erasure_removal tenant_erasure_runs tenant_erasure_rows; do
    stores+=("$suite::postgres")
done
cargo test --quiet --workspace --test contracts -- "${stores[@]}" group_commit compaction_postgres:: feed_production::
PARLANCE_TEST_SERVICE_DATABASE=postgres cargo test --quiet --workspace --test api -- \
    conversations:: finding:: messages:: message_batches:: transcripts:: feeds:: retries::

psql --quiet "$server/postgres" --command 'CREATE DATABASE parlance'
PARLANCE_DATABASE_URL=$server/parlance "$program" migrate
PARLANCE_DATABASE_URL=$server/parlance "$program" doctor --deep
psql --no-psqlrc --tuples-only --no-align "$server/parlance" \
    --command "$(cd "$here/tenant_plans" && python3 -B -c 'import schema; print(schema.QUERY)')" >"$folder/catalogue"
PARLANCE_DATABASE_URL=sqlite://$folder/parlance.db "$program" migrate
exec 3>&-
wait "$cluster" || true
cluster=''
python3 -B "$here/tenant_plans/check.py" "$folder/log/postgres.json" "$folder/catalogue" "$folder/parlance.db" \
    "$folder/statements"
