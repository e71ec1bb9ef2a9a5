#!/usr/bin/env bash
# Tries the specs with tools that others wrote. Each openapi.yaml is bundled by Redocly and checked by a second validator; where Python is
# there, by a third, and Prism serves it while Schemathesis sends requests that it makes from the same file: every operation has to be
# loaded, served and accepted. The tools that are not in package.json are installed outside the project, each at one version.
set -euo pipefail
cd "$(dirname "$0")/.."
export REDOCLY_TELEMETRY=off
work=$(mktemp -d)
mock=
trap '[ -z "$mock" ] || kill "$mock"; rm -rf "$work"' EXIT

fail() {
  echo "specs: $1" >&2
  exit 1
}

bundles=()
for file in specs/*/*/openapi.yaml; do
  bundle=$work/$(basename "$(dirname "$file")").json
  npx redocly bundle "$file" --output "$bundle" >"$work/log" 2>&1 || { cat "$work/log"; fail "$file cannot be bundled"; }
  npx validate-api "$bundle" >"$work/log" || { cat "$work/log"; fail "$file is not valid OpenAPI 3.1 for @seriousme/openapi-schema-validator"; }
  bundles+=("$bundle")
done
echo "redocly, openapi-schema-validator: ${#bundles[@]} files are valid"

if ! python3 -m venv "$work/python" >"$work/log" 2>&1; then
  echo "!!!!! NOT TRIED with openapi-spec-validator, Schemathesis and Prism: python3 with venv is missing !!!!!"
  exit 0
fi
"$work/python/bin/pip" install -q --disable-pip-version-check schemathesis==4.32.0 openapi-spec-validator==0.9.0
"$work/python/bin/openapi-spec-validator" "${bundles[@]}" >"$work/log" || { cat "$work/log"; fail 'openapi-spec-validator finds errors'; }
echo "openapi-spec-validator: ${#bundles[@]} files are valid"
npm install --silent --no-audit --no-fund --prefix "$work/prism" @stoplight/prism-cli@5.14.2

operations() { # bundle; how many it has
  node -e '
    const methods = ["get", "post", "put", "patch", "delete", "head"]
    const { paths } = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"))
    console.log(Object.values(paths).flatMap((item) => methods.filter((method) => method in item)).length)' "$1"
}

serve() { # bundle; sets mock and port, returns once it answers
  port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })')
  "$work/prism/node_modules/.bin/prism" mock --port "$port" "$1" >"$work/mock.log" 2>&1 &
  mock=$!
  for _ in $(seq 300); do
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && return 0
    kill -0 "$mock" 2>/dev/null || break
    sleep 0.2
  done
  cat "$work/mock.log"
  fail "Prism does not serve $(basename "$1")"
}

cd "$work" # Schemathesis leaves files behind
for bundle in "${bundles[@]}"; do
  serve "$bundle"
  "$work/python/bin/st" run "$bundle" --url "http://127.0.0.1:$port" --no-color --seed 1 --phases fuzzing --mode positive --max-examples 3 \
    --checks positive_data_acceptance,status_code_conformance,content_type_conformance,not_a_server_error \
    --header 'X-Service-Token: any' --header 'Authorization: Bearer any' >"$work/log" 2>&1 ||
    { cat "$work/log"; fail "Schemathesis and Prism disagree about $(basename "$bundle")"; }
  kill "$mock"
  mock=
  tested=$(sed -n 's/^ *Tested: *//p' "$work/log")
  [ "$tested" = "$(operations "$bundle")" ] || fail "Schemathesis tried ${tested:-0} of $(operations "$bundle") operations of $(basename "$bundle")"
  echo "schemathesis, prism: $(basename "$bundle" .json): $tested operations"
done
