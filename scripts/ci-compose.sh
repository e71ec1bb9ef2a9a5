#!/bin/sh
# Brings docker-compose.yml up with the project's own images and certifies through it, every backend as the external provider. Needs what
# scripts/ci-docker-image.sh needs, and docker-compose (v1 or v2). One line that begins with NO COMPOSE says why there is none (exit 1).
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
cd "$root"

give_up() {
  echo "NO COMPOSE: $1"
  exit 1
}

if docker compose version > /dev/null 2>&1; then
  compose() { docker compose -p assay-ci "$@"; }
elif command -v docker-compose > /dev/null; then
  compose() { docker-compose -p assay-ci "$@"; }
else
  give_up 'docker-compose is missing: apt-get install docker-compose'
fi

images=$(sh scripts/ci-docker-image.sh) || give_up "$(printf '%s' "$images" | tail -n 1)"
for image in $images; do export "${image?}"; done

finish() {
  compose down -v > "$work/down.log" 2>&1 || cat "$work/down.log"
  rm -rf "$work"
}
trap finish EXIT

ssh-keygen -q -t ed25519 -N '' -C '' -f "$work/admin"
SSHD_ADMIN_KEY=$(cat "$work/admin.pub")
export SSHD_ADMIN_KEY
# An interrupted run leaves its containers, which `up` would start as they are.
compose down -v > "$work/down.log" 2>&1 || give_up "the containers of an earlier run cannot be removed: $(cat "$work/down.log")"
compose up -d --no-build > "$work/up.log" 2>&1 || {
  cat "$work/up.log"
  give_up 'docker-compose.yml does not come up'
}

# The health checks of the file say when a service is ready.
for service in postgres mariadb rabbitmq sshd; do
  tries=0
  until [ "$(docker inspect -f '{{.State.Health.Status}}' "$(compose ps -q "$service")")" = healthy ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 90 ] || {
      compose logs --tail 40 "$service"
      give_up "$service does not become healthy"
    }
    sleep 1
  done
done

export ASSAY_TEST_COMPOSE="$work/admin"
SSHD_HOST_KEY=$(compose exec -T sshd cat /srv/sshd/host.pub)
export SSHD_HOST_KEY
npx vitest run tests/compose.test.ts "$@"
