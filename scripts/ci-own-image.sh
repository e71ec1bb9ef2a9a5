#!/bin/sh
# Builds the project's own image and certifies with it: as the image's user, without a network, the report in a folder outside. No image
# registry may be reachable, so its base is the one of scripts/ci-docker-image.sh with the Node and npm of this machine. Needs a running
# Docker engine and that base.
set -eu
base=assay-debian:bookworm
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/base" "$work/report"
cp "$(command -v node)" "$work/base/node"
cp -R "$(npm root -g 2> /dev/null)/npm" "$work/base/npm"
cp /etc/ssl/certs/ca-certificates.crt "$work/base/authorities.crt"
cat > "$work/base/Dockerfile" << END
FROM $base
RUN apt-get update -q && apt-get install -q -y --no-install-recommends libstdc++6 && rm -rf /var/lib/apt/lists/*
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY authorities.crt /etc/ssl/certs/ca-certificates.crt
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
END
docker build -q --network host -t assay-node:ci "$work/base"
# What is committed, as a user has it.
git -C "$root" archive --format=tar HEAD | docker build -q --network host --build-arg BASE=assay-node:ci -t assay:ci -

chmod 777 "$work/report"
assay() { docker run --rm --network none -v "$work/report:/work" assay:ci "$@"; }
[ "$(docker run --rm --entrypoint id assay:ci -u)" = 1000 ] || { echo "the image does not run as a user of its own" >&2; exit 1; }
assay --version
assay certify --embedded --engine kv,pki --effort quick
for file in report.html results.json junit.xml; do
  [ -s "$work/report/assay-report/$file" ] || { echo "the image left no $file in the mounted folder" >&2; exit 1; }
done
