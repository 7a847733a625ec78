# What the tests of proxies share. A script sources this file at the root of the repository, with its own arguments: the path of
# the program. It then runs in a network and in a folder of its own, for which it needs root. `proxy` names what it tests.
program=$(realpath "$1")
if [ "${2:-}" != inside ]; then
    exec unshare --net --mount --pid --fork --kill-child --mount-proc "$0" "$program" inside
fi
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
fail() { printf '%s: %s\n' "$proxy" "$1" >&2; tail -n 5 ./*.log >&2; exit 1; }
ip link set lo up
export PARLANCE_TRUSTED_PROXIES=1 PARLANCE_LOG_FORMAT=json

# start_replicas   starts two replicas on port 8080, whose logs are parlance-1.log and parlance-2.log, and sets `pids`
start_replicas() {
    "$program" migrate
    pids=()
    for number in 1 2; do
        "$program" serve --no-migrate --listen "127.0.1.$number:8080" --health-listen "127.0.1.$number:8081" \
            2>"parlance-$number.log" &
        pids+=($!)
    done
    for number in 1 2; do "$program" health --wait 30 --health-listen "127.0.1.$number:8081" >/dev/null; done
}

# start_client   waits for the proxy on port 8000, and writes credential.json
start_client() {
    "$program" health --wait 30 --listen 127.0.0.1:8000 >/dev/null || fail 'the proxy does not answer'
    "$program" credential create --tenant acme --name proxy --json >credential.json
}

# check_log NUMBER   fails if a replica logs the address that the client made up
check_log() {
    # The replicas write their log within ten milliseconds after a request.
    ! grep -q 198.51.100.1 "parlance-$1.log" || fail "parlance-$1 logs an address that the caller made up"
}
