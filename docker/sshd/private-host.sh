#!/bin/sh
# The host of the image without Docker: sshd in a root of its own, in memory, with accounts and homes of its own. Of this machine it sees the
# programs alone, and cannot write them. To be run as root, as the first process of mount, PID, IPC and UTS namespaces of its own:
#   private-host.sh FOLDER SSHD ADDRESS PORT    FOLDER has the files of /srv/sshd, and an empty folder `root`
# It ends, and all that runs in it, when its standard input does.
set -eu
folder=$1 sshd=$2 address=$3 port=$4
umask 022
exec 3<&0
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

mount -t tmpfs -o mode=755 tmpfs "$folder/root"
cd "$folder/root"
mkdir -p dev/pts dev/shm etc home old proc root run/sshd srv/sshd tmp var/empty var/tmp
chmod 700 root
chmod 1777 tmp var/tmp dev/shm

for name in bin lib lib32 lib64 libx32 sbin usr; do
  if [ -L "/$name" ]; then
    cp -P "/$name" .
  elif [ -d "/$name" ]; then
    mkdir "$name"
    mount --bind "/$name" "$name"
    mount -o remount,bind,ro,nosuid,nodev "$name"
  fi
done
# No disk among them: who may write that may write what is on it.
for name in null zero full random urandom tty; do
  : > "dev/$name"
  mount --bind "/dev/$name" "dev/$name"
  mount -o remount,bind,ro,nosuid,noexec "dev/$name"
done
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
for name in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/${name%:*}" "dev/${name#*:}"; done
mount -t proc -o ro,nosuid,nodev,noexec proc proc

for name in alternatives ld.so.cache ld.so.conf ld.so.conf.d ld-musl-x86_64.path localtime crypto-policies ssl/openssl.cnf; do
  [ ! -e "/etc/$name" ] || { mkdir -p "etc/$(dirname "$name")" && cp -RP "/etc/$name" "etc/$name"; }
done
for name in passwd group; do grep -E '^(root|daemon|bin|sys|tty|nobody|nogroup|sshd):' "/etc/$name" > "etc/$name" || true; done
echo 'root:*:19000:0:99999:7:::' > etc/shadow
chmod 600 etc/shadow
printf '%s: files\n' passwd group shadow hosts > etc/nsswitch.conf
echo '127.0.0.1 localhost' > etc/hosts
(cd "$folder" && cp -p config host admin_keys trusted_cas principals trusted_cas.lock accounts.sh root/srv/sshd/)
[ ! -d usr/local/bin ] || mount -t tmpfs -o mode=755 tmpfs usr/local/bin
cp "$folder/sudo.sh" usr/local/bin/sudo
chmod 755 usr/local/bin/sudo

pivot_root . old
cd /
umount -l old
rmdir old
sh /srv/sshd/accounts.sh
kept=+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+net_bind_service,+sys_chroot,+audit_write
setpriv --bounding-set="-all,$kept" "$sshd" -D -E /srv/sshd/log -f /srv/sshd/config -p "$port" -o "ListenAddress=$address" 3<&- &
server=$!
(cat <&3 > /dev/null && kill "$server") &
wait "$server"
