#!/bin/sh
# Serves the accounts of accounts.sh. SSHD_ADMIN_KEY: a public key that opens them; SSHD_HOST_KEY: the server's private key, made if absent.
# CAs are trusted, and principals known, once they stand in /srv/sshd/trusted_cas and /srv/sshd/principals.
set -eu
umask 022
cd /srv/sshd
if [ -n "${SSHD_HOST_KEY:-}" ]; then
  (umask 077 && printf '%s\n' "$SSHD_HOST_KEY" > host)
elif [ ! -f host ]; then
  ssh-keygen -q -t ed25519 -N '' -C '' -f host
fi
ssh-keygen -y -f host > host.pub
printf '%s\n' "${SSHD_ADMIN_KEY:-}" > admin_keys
touch trusted_cas principals trusted_cas.lock
mkdir -p /run/sshd
unset SSHD_ADMIN_KEY SSHD_HOST_KEY
exec /usr/sbin/sshd -D -e -f /srv/sshd/config "$@"
