#!/bin/sh
# Makes a cluster for POSTGRES_USER with POSTGRES_PASSWORD in PGDATA and serves it on every interface. Arguments: those of the official
# image, `postgres` and its options.
set -eu
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
data=${PGDATA:-/tmp/data}
umask 077
# A container that is started again keeps its cluster.
if [ ! -s "$data/PG_VERSION" ]; then
  printf '%s' "$POSTGRES_PASSWORD" > /tmp/password
  "$bin/initdb" -D "$data" -U "${POSTGRES_USER:-postgres}" --auth=scram-sha-256 --pwfile=/tmp/password --no-sync -E UTF8 --locale=C > /dev/null
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
fi
[ "${1:-}" = postgres ] && shift
exec "$bin/postgres" -D "$data" -c listen_addresses='*' -c unix_socket_directories=/tmp "$@"
