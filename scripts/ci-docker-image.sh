#!/bin/sh
# Makes the image that the Docker rung is tried with, where no image registry may be reachable: a base image by debootstrap, PostgreSQL
# on top of it by docker/postgres/Dockerfile. Needs root, debootstrap and a running Docker engine.
# Prints the name of the image; one line that begins with NO DOCKER RUNG says why there is none (exit 1).
set -eu
image=${1:-assay-postgres:ci}
base=assay-debian:bookworm
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

give_up() {
  echo "NO DOCKER RUNG: $1"
  exit 1
}

docker info > /dev/null 2>&1 || give_up 'no Docker engine answers; start one, e.g. `dockerd &` as root'
if ! docker image inspect "$base" > /dev/null 2>&1; then
  command -v debootstrap > /dev/null || give_up 'debootstrap is missing: apt-get install debootstrap'
  debootstrap --variant=minbase --include=ca-certificates bookworm "$work/rootfs" > "$work/log" 2>&1 || give_up "debootstrap failed: $(tail -n 1 "$work/log")"
  # The builder's own package sources and proxy settings serve the image too.
  for file in /etc/apt/sources.list /etc/apt/apt.conf; do [ -f "$file" ] && cp "$file" "$work/rootfs/etc/apt/"; done
  tar -C "$work/rootfs" -c . | docker import - "$base" > /dev/null || give_up 'the base image could not be imported'
fi
docker build -q --network host --build-arg "BASE=$base" -t "$image" "$root/docker/postgres" > "$work/log" 2>&1 || give_up "docker build failed: $(tail -n 1 "$work/log")"
echo "$image"
