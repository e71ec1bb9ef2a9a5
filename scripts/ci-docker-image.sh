#!/bin/sh
# Makes the images that the Docker provider is tried with, where no image registry may be reachable: a base image by debootstrap, the
# backends on top of it by docker/*/Dockerfile. Needs root, debootstrap and a running Docker engine; what is made already stays.
# Prints a line for every image, e.g. ASSAY_IMAGE_POSTGRES=assay-postgres:ci; one line that begins with NO DOCKER PROVIDER says why there is
# none (exit 1).
set -eu
base=assay-debian:bookworm
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

give_up() {
  echo "NO DOCKER PROVIDER: $1"
  exit 1
}

docker info > /dev/null 2>&1 || give_up 'no Docker engine answers; start one, e.g. `dockerd &` as root'
if ! docker image inspect "$base" > /dev/null 2>&1; then
  command -v debootstrap > /dev/null || give_up 'debootstrap is missing: apt-get install debootstrap'
  debootstrap --variant=minbase --include=ca-certificates bookworm "$work/rootfs" > "$work/log" 2>&1 || give_up "debootstrap failed: $(tail -n 1 "$work/log")"
  # The builder's own package sources and proxy settings serve the image too.
  for file in /etc/apt/sources.list /etc/apt/apt.conf; do [ -f "$file" ] && cp "$file" "$work/rootfs/etc/apt/"; done
  rm -f "$work/rootfs/var/cache/apt/archives/"*.deb
  tar -C "$work/rootfs" -c . | docker import - "$base" > /dev/null || give_up 'the base image could not be imported'
fi

build() { # backend; leaves a log where it failed
  docker build -q --network host --build-arg "BASE=$base" -t "assay-$1:ci" "$root/docker/$1" > "$work/$1.log" 2>&1 && rm "$work/$1.log"
}

backends='postgres mariadb rabbitmq sshd'
for backend in $backends; do build "$backend" & done
wait
for backend in $backends; do
  [ ! -f "$work/$backend.log" ] || give_up "docker build of $backend failed: $(tail -n 1 "$work/$backend.log")"
done
for backend in $backends; do
  echo "ASSAY_IMAGE_$(echo "$backend" | tr '[:lower:]' '[:upper:]')=assay-$backend:ci"
done
