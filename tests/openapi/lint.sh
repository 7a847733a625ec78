#!/usr/bin/env bash
# Holds docs/openapi.json to the recommended rules of redocly and spectral, warnings included. Installs both with npm into
# target/tools where they are missing.
set -euo pipefail
cd "$(dirname "$0")/../.."

redocly=2.77.0
spectral=6.16.3
tools=$PWD/target/tools/openapi-$redocly-$spectral
. tests/support/tools.sh
npm_packages "$tools" "@redocly/cli@$redocly" "@stoplight/spectral-cli@$spectral"
bin=$tools/node_modules/.bin
export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
"$bin/redocly" lint docs/openapi.json --config tests/openapi/redocly.yaml
"$bin/spectral" lint docs/openapi.json --ruleset tests/openapi/spectral.yaml --fail-severity warn
