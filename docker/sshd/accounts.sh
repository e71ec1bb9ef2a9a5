#!/bin/sh
# Gives the host an administrator and two users, with homes under /home. The administrator is root by another name, so that no script that
# works for an administrator with sudo fails here.
set -eu
shell=/bin/sh
[ -x /bin/bash ] && shell=/bin/bash

account() { # name, number
  echo "$1:x:$2:$2::/home/$1:$shell" >> /etc/passwd
  echo "$1:*:19000:0:99999:7:::" >> /etc/shadow
  [ "$2" = 0 ] || echo "$1:x:$2:" >> /etc/group
  mkdir -p "/home/$1/.ssh"
  chmod 700 "/home/$1/.ssh"
  chown -R "$2:$2" "/home/$1"
}

account admin 0
account alice 1001
account bob 1002
