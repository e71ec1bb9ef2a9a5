#!/usr/bin/env bash
# Four nights of a gate, on the reference server with planted defects: a known deviation is drafted and given a reason, holds a night, is
# no longer needed, and another defect is named by the difference between two nights. Every step says what it expects and stops where that
# does not come. ASSAY names the command, PORT where the server listens; the files of all nights stay in the folder that is printed.
set -euo pipefail
read -ra assay <<<"${ASSAY:-npx assay}"
port=${PORT:-18273}
work=${WORK:-$(mktemp -d)}
cd "$work"
echo "files: $work"
export ASSAY_TOKEN=four-nights-root-token
server=''
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true' EXIT

serve() { # faults...: the server of a night
  if [ -n "$server" ]; then kill "$server" && wait "$server" 2>/dev/null || true; fi
  "${assay[@]}" serve --no-tls --listen "127.0.0.1:$port" --root-token "$ASSAY_TOKEN" "$@" >serve.log 2>&1 &
  server=$!
  for _ in $(seq 600); do
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && return 0
    kill -0 "$server" 2>/dev/null || { cat serve.log; return 1; }
    sleep 0.1
  done
  return 1
}

night() { # name, expected exit code, flags...
  local name=$1 expected=$2 code=0
  shift 2
  "${assay[@]}" certify "http://127.0.0.1:$port" --engine kv --check 'kv/v1-replaces,kv/v1-reads-back' --effort quick --history history --out "$name" "$@" >"$name.log" 2>&1 || code=$?
  [ "$code" -eq "$expected" ] || { cat "$name.log"; echo "$name: exit code $code, expected $expected"; return 1; }
  echo "ok: $name, exit code $code"
}

names() { # text, files...: each of them says it
  local text=$1
  shift
  for file in "$@"; do grep -q -- "$text" "$file" || { echo "$file does not say: $text"; return 1; }; done
  echo "ok: $text, in $*"
}

serve --fault kv/v1-merged
night first 1 --write-deviations known.yaml
names 'KV-V1-04' known.yaml
night refused 2 --deviations known.yaml
names 'still says TODO' refused.log
sed -i 's/TODO: why the target differs/old storage merges objects/; s/TODO: who answers for it/storage team/' known.yaml

night second 0 --deviations known.yaml
names 'old storage merges objects' second/report.html second/summary.md second/junit.xml second/report.sarif

serve
night third 1 --deviations known.yaml
names 'a known deviation no longer occurs' third/report.html third/junit.xml third/report.sarif third/summary.md
night mended 0 --deviations known.yaml --update-deviations
names 'was taken out: it no longer occurs' mended.log
"${assay[@]}" deviations check known.yaml --results mended/results.json

serve --fault kv/v1-write-dropped
night fourth 1 --deviations known.yaml
code=0
"${assay[@]}" diff mended/results.json fourth/results.json >diff.log || code=$?
[ "$code" -eq 1 ] || { cat diff.log; exit 1; }
names 'KV-V1-01' diff.log fourth/history.html
echo 'four nights: passed'
