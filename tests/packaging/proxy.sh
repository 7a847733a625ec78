#!/usr/bin/env bash
# Tests deploy/caddy/Caddyfile with a real Caddy and two replicas: no request fails while one replica stops, and the
# replicas log the address of the caller, not of the proxy. The argument is the path of the program. Needs root for a
# network of its own, in which the replicas have the names and ports of compose.yaml.
set -euo pipefail
cd "$(dirname "$0")/../.."
proxy=deploy/caddy/Caddyfile
. tests/packaging/proxy_test.sh
ip address add 192.0.2.7/32 dev lo
printf '127.0.0.1 localhost\n127.0.1.1 parlance-1\n127.0.1.2 parlance-2\n' >hosts
mount --bind hosts /etc/hosts

export PARLANCE_SHUTDOWN_DELAY_SECONDS=5
start_replicas
# The proxy is on the machine of the replicas here, so it needs another port.
sed 's/^:8080 {/:8000 {/' "$root/deploy/caddy/Caddyfile" >Caddyfile
HOME=$folder XDG_DATA_HOME=$folder XDG_CONFIG_HOME=$folder caddy run --config Caddyfile 2>caddy.log &
start_client
python3 - "${pids[0]}" <<'END' || fail 'a request failed'
import http.client, json, os, signal, sys, time

credential = json.load(open("credential.json"))
headers = {"svc-api-id": credential["apiId"], "svc-api-secret": credential["apiSecret"]}
headers["X-Forwarded-For"] = "198.51.100.1"
signalled, sent, deadline = False, 0, time.monotonic() + 30
while os.path.exists(f"/proc/{sys.argv[1]}") and open(f"/proc/{sys.argv[1]}/stat").read().split()[2] != "Z":
    if time.monotonic() > deadline:
        sys.exit("the replica did not stop")
    connection = http.client.HTTPConnection("192.0.2.7", 8000, timeout=5, source_address=("192.0.2.7", 0))
    connection.request("GET", "/conversation/v1/conversations?externalId=a", headers=headers)
    status = connection.getresponse().status
    if status != 200:
        sys.exit(f"request {sent} is answered {status}")
    connection.close()
    sent += 1
    if sent == 20 and not signalled:
        os.kill(int(sys.argv[1]), signal.SIGTERM)
        signalled = True
    time.sleep(0.02)
if sent < 50:
    sys.exit(f"only {sent} requests were sent while the replica stopped")
print(f"proxy: {sent} requests while a replica stopped")
END
for number in 1 2; do
    # The replicas write their log within ten milliseconds after a request.
    grep -q '"client_address":"192.0.2.7"' "parlance-$number.log" || fail "parlance-$number does not log the caller"
    check_log "$number"
done
