#!/usr/bin/env bash
# Tests deploy/compose/create-secrets.sh: every file is readable by one user only, the files agree, and a second
# run changes nothing. Needs root, as in the container.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { printf 'deploy/compose/create-secrets.sh: %s\n' "$1" >&2; exit 1; }
sh deploy/compose/create-secrets.sh "$folder"
listed=$(cd "$folder" && stat -c '%n %u %a' -- * | LC_ALL=C sort)
expected='complete 65532 400
database_url 65532 400
feed_signing_key 65532 400
grafana_password 472 400
master.key 65532 400
postgres_password 999 400
redis.conf 998 400
redis_url 65532 400'
[ "$listed" = "$expected" ] || fail "other files: $listed"
[ "$(stat -c %s "$folder/master.key")" = 32 ] || fail 'the master key has another size'
[ "$(cat "$folder/database_url")" = "postgres://parlance:$(cat "$folder/postgres_password")@postgres:5432/parlance" ] ||
    fail 'the address of the database has another password'
grep -qx "requirepass $(sed 's#redis://:\(.*\)@redis:6379#\1#' "$folder/redis_url")" "$folder/redis.conf" ||
    fail 'the address of Redis has another password'
before=$(sha256sum "$folder"/*)
sh deploy/compose/create-secrets.sh "$folder"
[ "$before" = "$(sha256sum "$folder"/*)" ] || fail 'a second run changes the secrets'
echo 'secrets: 8 files'
