#!/bin/sh
# Serves AMQP and the management interface on every interface; RABBITMQ_DEFAULT_USER with RABBITMQ_DEFAULT_PASS administrates.
set -eu
umask 077
cat > /etc/rabbitmq/rabbitmq.conf << END
default_user = ${RABBITMQ_DEFAULT_USER:-guest}
default_pass = ${RABBITMQ_DEFAULT_PASS:-guest}
loopback_users = none
log.console = true
log.file = false
END
# The runtime sizes tables by this limit, which engines may set to a thousand million.
[ "$(ulimit -n)" != unlimited ] && [ "$(ulimit -n)" -le 65536 ] || ulimit -n 65536
# The program in PATH insists on changing users.
exec /usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin/rabbitmq-server "$@"
