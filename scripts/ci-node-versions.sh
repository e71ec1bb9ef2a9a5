#!/usr/bin/env bash
# The first command and quick tests on each version of Node that README names; npm's package of Node brings the binaries.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for version in 22.23.3 24.21.0; do
  npm install --silent --no-save --prefix "$folder/$version" "node@$version"
  export PATH="$folder/$version/node_modules/node/bin:$PATH"
  node --version
  if npm ci --dry-run --ignore-scripts 2>&1 | grep EBADENGINE; then exit 1; fi
  node bin/assay.js certify --embedded --engine kv --effort quick --out "$folder/report"
  node node_modules/vitest/vitest.mjs run reports harness/base harness/target specs
done
