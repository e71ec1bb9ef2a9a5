#!/usr/bin/env bash
# Scaffolds an engine in a temporary copy of the project and tries what came out: it is typed, formatted, in structure and in use, its specs
# are accepted, it certifies, and its faults and variants are proved. A name that is taken is refused.
set -euo pipefail
cd "$(dirname "$0")/.."
name=${1:-sample-engine}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
  [ -e "$file" ] && printf '%s\0' "$file"
done | tar --null -T - -cf - | tar -xf - -C "$copy"
ln -s "$PWD/node_modules" "$copy/node_modules"
cd "$copy"
export REDOCLY_TELEMETRY=off ASSAY_STATE_DIR="$copy/.state"

npm run -s new:engine "$name"
if npm run -s new:engine "$name" 2>refusal; then
  echo "new-engine: a name that is taken was accepted" >&2
  exit 1
fi
cat refusal && rm refusal
npm run -s new:check "$name/entry-later"
rm "suites/$name/entry-later.check.ts"
npm run -s trace
# Two at a time: each of these is on one core.
npx tsc --noEmit --incremental false &
types=$!
npx biome check .
npm run -s structure
npm run -s unused
wait "$types"
npx vitest run tests/specs.test.ts authoring/traceability.test.ts &
tests=$!
npx redocly lint "specs/secrets/$name/openapi.yaml"
node scripts/build.js
node bin/assay.js certify --embedded --engine "$name" --out report
node bin/assay.js prove --engine "$name" --out proof
wait "$tests"
echo "new-engine: $name is built, accepted, certified and proved"
