#!/bin/sh
# Stands for sudo on a host without it: who may use it is root already.
[ "$(id -u)" = 0 ] || { echo 'sudo: only the administrator may' >&2; exit 1; }
user=root
while [ $# -gt 0 ]; do
  case $1 in
    -u | --user) user=$2 && shift ;;
    --user=*) user=${1#*=} ;;
    -g | -p | -C | -h | -r | -t | -T) shift ;;
    --) shift && break ;;
    -*) ;;
    *=*) export "${1?}" ;;
    *) break ;;
  esac
  shift
done
[ $# -gt 0 ] || set -- "${SHELL:-/bin/sh}"
[ "$user" = root ] && exec "$@"
exec setpriv --reuid="$user" --regid="$(id -g "$user")" --init-groups -- "$@"
