#!/usr/bin/env bash
# Starts the server on an empty database and tests it against its OpenAPI document with schemathesis.
# The argument is the path of the program, by default target/debug/parlance. `st` of schemathesis must be in PATH.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:-$here/../target/debug/parlance}")
folder=$(mktemp -d)
cd "$folder"
trap 'kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT

"$program" migrate
permissions=(conversation:read conversation:write configuration:read configuration:write feed:read webhook:read webhook:write privacy:operate)
credential=$("$program" credential create --tenant acme --name schemathesis --json "${permissions[@]/#/--permission=}")
member() { printf '%s' "$credential" | python3 -c "import json, sys; print(json.load(sys.stdin)['$1'])"; }
"$program" serve --listen 127.0.0.1:0 --rate-limit-per-second 1000000 --rate-limit-burst 1000000 \
    --failed-auth-per-minute 0 --log-format json 2>log.jsonl &
server=$!
for _ in $(seq 100); do
    address=$(sed -n 's/.*"message":"listening","address":"\([^"]*\)".*/\1/p' log.jsonl)
    if [ -n "$address" ]; then break; fi
    sleep 0.1
done
[ -n "$address" ] || { echo "the server did not start:"; cat log.jsonl; exit 1; }

# Both paths of a vocabulary share its entries, so one path may delete an entry that the other path created. A created
# resource that is not found is therefore no failure.
# A stream has no end, and the tests of the interface read streams.
st --config-file "$here/schemathesis.toml" run "http://$address/openapi.json" \
    -H "svc-api-id: $(member apiId)" -H "svc-api-secret: $(member apiSecret)" \
    --exclude-operation-id streamEvents --exclude-operation-id streamMessages --exclude-operation-id openStream \
    --checks all --exclude-checks ensure_resource_availability --max-examples "${EXAMPLES:-60}"
