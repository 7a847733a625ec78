#!/usr/bin/env bash
# Holds docs/openapi.json to the recommended rules of redocly and spectral, warnings included. Installs both with npm into
# target/tools where they are missing; --ignore-scripts keeps their dependencies from running anything meanwhile.
set -euo pipefail
cd "$(dirname "$0")/../.."

redocly=2.77.0
spectral=6.16.3
tools=$PWD/target/tools/openapi-$redocly-$spectral
if [ ! -x "$tools/node_modules/.bin/spectral" ]; then
    mkdir -p "$tools"
    echo '{"private": true}' >"$tools/package.json"
    npm install --prefix "$tools" --silent --no-audit --no-fund --ignore-scripts \
        "@redocly/cli@$redocly" "@stoplight/spectral-cli@$spectral"
fi
bin=$tools/node_modules/.bin
export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
"$bin/redocly" lint docs/openapi.json --config tests/openapi/redocly.yaml
"$bin/spectral" lint docs/openapi.json --ruleset tests/openapi/spectral.yaml --fail-severity warn
