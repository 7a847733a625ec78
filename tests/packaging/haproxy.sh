#!/usr/bin/env bash
# Tests streams of events behind a real HAProxy with the timeouts of Debian, in front of two replicas: a stream without
# events stays open, each event arrives at once although HAProxy compresses, a stream resumes, and an address opens once. It
# takes 70 seconds, nearly all of them idle. The argument is the path of the program. Needs root for a network of its own.
set -euo pipefail
cd "$(dirname "$0")/../.."
proxy=HAProxy
. tests/packaging/proxy_test.sh
start_replicas
{
    # The mode and the timeouts of the package. It logs to a socket that need not exist here.
    sed -n '/^defaults/,$ { /^\tlog\t/d; p }' /etc/haproxy/haproxy.cfg
    # The lines that docs/events.md gives. Compression would hold events back.
    sed -n '/^```haproxy$/,/^```$/ { /^```/d; p }' "$root/docs/events.md" |
        sed '/option forwardfor/a\    compression algo gzip\n    compression type text/event-stream'
} >haproxy.cfg
grep -q 'timeout server *50000' haproxy.cfg || fail 'the package has other timeouts: change docs/events.md'
haproxy -db -f haproxy.cfg >haproxy.log 2>&1 &
start_client
python3 "$root/tests/packaging/streams.py" || fail 'a stream failed'
for number in 1 2; do check_log "$number"; done
