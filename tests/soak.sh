#!/usr/bin/env bash
# Runs the long form of every test that has one in docs/guarantees.md, and prints one line for each part at the end.
#
#   tests/soak.sh [scale] [part]…
#
# The parts are simulation, kills, imports, compactions, model, faults, failovers, disk, cuts, hostile, sockets, requests,
# fuzz, parsers, privacy and events. Without a part, all of them run in this order. A scale of 2 doubles the lengths and the
# time limit. A part fails if it does not end within LIMIT seconds, by default 7200 times the scale. If a part fails, the
# others still run, and the exit code is 1.
#
# The parts privacy and events are Python programs in tests/scale, which drive a release build. tests/scale/run.sh runs each
# by itself, and with --short in about a minute.
set -uo pipefail
cd "$(dirname "$0")/.."

scale=${1:-1}
[ $# -gt 0 ] && shift
parts=("$@")
[ ${#parts[@]} -gt 0 ] || parts=(simulation kills imports compactions model faults failovers disk cuts hostile sockets requests fuzz
    parsers privacy events)
export LIMIT=${LIMIT:-$((7200 * scale))}
export PARLANCE_TEST_REQUIRE=postgres,redis
export PARLANCE_TEST_KILLS=$((300 * scale)) PARLANCE_TEST_STEPS=$((10000 * scale))
export PARLANCE_TEST_FLOOD_SECONDS=$((30 * scale)) PARLANCE_TEST_MUTATIONS=$((5000 * scale))
resilience='cargo test --quiet --release --package parlance --test resilience --'
build='cargo build --quiet --release --package parlance'

command_of() {
    case $1 in
        simulation)
            echo "PARLANCE_TEST_SEEDS=$((200000 * scale)) cargo test --quiet --release --package tests --test simulation"
            ;;
        kills) echo "$resilience crash" ;;
        imports)
            echo "PARLANCE_TEST_IMPORT_KILLS=$((100 * scale)) $resilience import" \
                "&& PARLANCE_TEST_IMPORT_LINES=$((1000000 * scale)) cargo test --quiet --release --package parlance" \
                "--test program -- every_wrong_line"
            ;;
        compactions) echo "PARLANCE_TEST_COMPACTION_KILLS=$((200 * scale)) $resilience compaction" ;;
        model) echo "$resilience model" ;;
        faults) echo "for run in \$(seq $((10 * scale))); do $resilience outage full_disk replicas || exit 1; done" ;;
        failovers) echo "PARLANCE_TEST_FAILOVERS=$((20 * scale)) $resilience failover --test-threads 1" ;;
        disk) echo "PARLANCE_TEST_FAULTS_EVERY=1 $resilience disk_faults" ;;
        cuts) echo "PARLANCE_TEST_CUTS=1000000 $resilience cut_connections" ;;
        hostile) echo "PARLANCE_TEST_HOSTILE_SECONDS=$((60 * scale)) $resilience hostile --test-threads 1" ;;
        sockets) echo "$resilience load --ignored --test-threads 1 --nocapture" ;;
        requests) echo 'cargo test --quiet --release --package tests --test api -- mutations' ;;
        fuzz) echo "fuzz/run $((4000000 * scale))" ;;
        parsers) echo "fuzz/parsers/run $((50000000 * scale))" ;;
        privacy)
            echo "$build && tests/scale/run.sh privacy --customers $((1000 * scale)) --kills $((30 * scale))" \
                "&& tests/scale/run.sh privacy --customers 60 --messages 400 --days 20 --erase 25 --spread 2" \
                "--kills $((120 * scale))"
            ;;
        events)
            echo "$build && tests/scale/run.sh events --events $((1000000 * scale)) --kills $((100 * scale))"
            ;;
        *) return 1 ;;
    esac
}

for part in "${parts[@]}"; do
    command_of "$part" >/dev/null || { echo "soak: unknown part $part" >&2; exit 2; }
done

lines=()
failed=0
for part in "${parts[@]}"; do
    start=$SECONDS
    if timeout --kill-after 30 "$LIMIT" bash -c "$(command_of "$part")"; then
        outcome=passed
    else
        outcome="failed (exit code $?; 124 means the time limit)" failed=1
    fi
    lines+=("$(date -u +%F): $outcome | $part, scale $scale, $((SECONDS - start)) s")
done
printf '%s\n' "${lines[@]}"
exit "$failed"
