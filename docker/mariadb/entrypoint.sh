#!/bin/sh
# Makes a data folder whose root has MARIADB_ROOT_PASSWORD, from MARIADB_ROOT_HOST too, and serves it on every interface. Arguments: those
# of the official image, options of the server.
set -eu
data=/var/lib/mysql
first=/tmp/first.sql
umask 077
case "${1:-}" in mariadbd | mysqld) shift ;; esac
: > "$first"
if [ ! -d "$data/mysql" ]; then
  mariadb-install-db --no-defaults --datadir="$data" --auth-root-authentication-method=normal --skip-test-db --skip-name-resolve > /dev/null
  {
    echo "DELETE FROM mysql.global_priv WHERE User IN ('', 'root');"
    echo 'FLUSH PRIVILEGES;'
    for host in localhost "${MARIADB_ROOT_HOST:-%}"; do
      echo "CREATE OR REPLACE USER 'root'@'$host' IDENTIFIED BY '$MARIADB_ROOT_PASSWORD';"
      echo "GRANT ALL PRIVILEGES ON *.* TO 'root'@'$host' WITH GRANT OPTION;"
    done
  } > "$first"
fi
exec mariadbd --no-defaults --datadir="$data" --socket=/run/mysqld/mysqld.sock --bind-address=0.0.0.0 --init-file="$first" "$@"
