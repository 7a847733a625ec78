#!/usr/bin/env bash
# Tests the metrics of the server, the alert rules and the dashboard with a real Prometheus:
# - the page of metrics is well formed, quantiles are numbers, Prometheus evaluates every rule, and no alert fires;
# - each rule fires in a test of its own and has a runbook (tests/prometheus/alerts.py);
# - the dashboard fits the types of Grafana (tests/prometheus/grafana.sh);
# - each panel has numbers over an hour of real scrapes, in which no alert fires (tests/prometheus/recorded_hour.py).
# The argument is the path of the program, by default target/debug/parlance. Needs promtool, prometheus, redis-server,
# the server binaries of PostgreSQL, Node 20 or later with npm, curl and python3.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
program=$(realpath "${1:-$root/target/debug/parlance}")
folder=$(mktemp -d)
cd "$folder"
server='' prometheus='' alerts=''
trap 'kill $server $prometheus $alerts 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$folder"' EXIT

export PYTHONDONTWRITEBYTECODE=1
"$here/prometheus/grafana.sh"
# The tests of the rules take ten seconds of one processor. They run beside the recording, which mostly waits.
python3 "$here/prometheus/alerts.py" &
alerts=$!

"$program" migrate
credential=$("$program" credential create --tenant acme --name prometheus --json)
member() { printf '%s' "$credential" | python3 -c "import json, sys; print(json.load(sys.stdin)['$1'])"; }
"$program" serve --listen 127.0.0.1:0 --metrics-listen 127.0.0.1:0 --log-format json 2>log.jsonl &
server=$!
logged() { sed -n "s/.*\"message\":\"$1\",\"address\":\"\([^\"]*\)\".*/\1/p" log.jsonl; }
for _ in $(seq 100); do
    metrics=$(logged 'serving metrics')
    if [ -n "$metrics" ]; then break; fi
    sleep 0.1
done
[ -n "$metrics" ] || { echo "the server did not start:"; cat log.jsonl; exit 1; }
address=$(logged listening)

search() {
    curl -sS -o /dev/null "http://$address/conversation/v1/conversations?externalId=a" \
        -H "svc-api-id: $(member apiId)" -H "svc-api-secret: $(member apiSecret)"
}
search
curl -sS "http://$metrics/metrics" | promtool check metrics

cat >prometheus.yml <<END
global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [ '$root/deploy/prometheus/alerts.yml' ]
scrape_configs: [ { job_name: parlance, static_configs: [ { targets: [ '$metrics' ] } ] } ]
END
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
prometheus --config.file prometheus.yml --storage.tsdb.path data --web.listen-address "127.0.0.1:$port" \
    --log.level error &
prometheus=$!

python3 - "http://127.0.0.1:$port" "$(declare -f member search); credential='$credential' address='$address'" <<'END'
import json, math, subprocess, sys, time, urllib.parse, urllib.request

prometheus, shell = sys.argv[1:]


def get(path):
    with urllib.request.urlopen(prometheus + path, timeout=5) as response:
        return json.load(response)["data"]


def query(expression):
    return get("/api/v1/query?" + urllib.parse.urlencode({"query": expression}))["result"]


def wait_for(expectation, condition):
    """Sends requests until the condition holds, or fails after one minute."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        subprocess.run(["bash", "-c", shell + "; search"], check=True)
        try:
            if condition():
                return
        except OSError:
            pass  # Prometheus does not listen yet.
        time.sleep(0.2)
    sys.exit(f"Prometheus does not report within one minute that {expectation}")


def is_number(expression):
    values = [float(series["value"][1]) for series in query(expression)]
    return bool(values) and all(map(math.isfinite, values))


wait_for("the server is up", lambda: is_number('up{job="parlance"} == 1'))
bucket = 'parlance_http_request_duration_seconds_bucket{route="/conversation/v1/conversations",method="GET"}'
for quantile in (0.5, 0.99):
    wait_for(f"the quantile {quantile} is a number", lambda: is_number(f"histogram_quantile({quantile}, rate({bucket}[30s]))"))

rules = [rule for group in get("/api/v1/rules")["groups"] for rule in group["rules"]]
wait_for("every rule is evaluated", lambda: all(
    rule["health"] == "ok" for group in get("/api/v1/rules")["groups"] for rule in group["rules"]))
firing = {rule["name"] for group in get("/api/v1/rules")["groups"] for rule in group["rules"] if rule["state"] == "firing"}
if firing:
    sys.exit(f"alerts fire although the server is healthy: {sorted(firing)}")
print(f"{len(rules)} rules are evaluated, quantiles are numbers")
END

python3 "$here/prometheus/recorded_hour.py" "$program"
wait "$alerts"
