#!/usr/bin/env bash
# Tests streams of events behind a real HAProxy with the timeouts of Debian, in front of two replicas: a stream without
# events stays open, each event arrives at once although HAProxy compresses, a stream resumes, and an address opens once. It
# takes 70 seconds, nearly all of them idle. The argument is the path of the program. Needs root for a network of its own.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$(realpath "$1")
if [ "${2:-}" != inside ]; then
    exec unshare --net --mount --pid --fork --kill-child --mount-proc "$0" "$program" inside
fi
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
fail() { printf 'HAProxy: %s\n' "$1" >&2; tail -n 5 ./*.log >&2; exit 1; }
ip link set lo up

export PARLANCE_TRUSTED_PROXIES=1 PARLANCE_LOG_FORMAT=json
"$program" migrate
for number in 1 2; do
    "$program" serve --no-migrate --listen "127.0.1.$number:8080" --health-listen "127.0.1.$number:8081" \
        2>"parlance-$number.log" &
done
for number in 1 2; do "$program" health --wait 30 --health-listen "127.0.1.$number:8081" >/dev/null; done
{
    # The mode and the timeouts of the package. It logs to a socket that need not exist here.
    sed -n '/^defaults/,$ { /^\tlog\t/d; p }' /etc/haproxy/haproxy.cfg
    # The lines that docs/events.md gives. Compression would hold events back.
    sed -n '/^```haproxy$/,/^```$/ { /^```/d; p }' "$root/docs/events.md" |
        sed '/option forwardfor/a\    compression algo gzip\n    compression type text/event-stream'
} >haproxy.cfg
grep -q 'timeout server *50000' haproxy.cfg || fail 'the package has other timeouts: change docs/events.md'
haproxy -db -f haproxy.cfg >haproxy.log 2>&1 &
"$program" health --wait 30 --listen 127.0.0.1:8000 >/dev/null || fail 'the proxy does not answer'

"$program" credential create --tenant acme --name proxy --json >credential.json
python3 "$root/tests/packaging/streams.py" || fail 'a stream failed'
for number in 1 2; do
    # The replicas write their log within ten milliseconds after a request.
    ! grep -q 198.51.100.1 "parlance-$number.log" || fail "parlance-$number logs an address that the caller made up"
done
