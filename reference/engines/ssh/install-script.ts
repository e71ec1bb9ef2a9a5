/** What runs on a remote host to install or remove a public key. */

/**
 * The script of roles that bring none. Arguments, the same for every script: `install` or `uninstall`, the file with the line to
 * install, and the authorized-keys file of the user.
 */
export const builtInScript = `#!/bin/sh
set -e
umask 077
mkdir -p "$(dirname "$3")"
touch "$3"
exec 9>> "$3.lock"
flock 9
grep -vxF -f "$2" "$3" > "$3.$$" || true
if [ "$1" = install ]; then cat "$2" >> "$3.$$"; fi
mv "$3.$$" "$3"
`

const quoted = (text: string): string => Buffer.from(text, 'utf8').toString('base64')

/** The program for the remote shell: unpacks key and script, finds the user's authorized-keys file, and runs the script. */
export const remoteProgram = (action: 'install' | 'uninstall', options: { user: string; line: string; script: string }): string => `
set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
user=$(echo '${quoted(options.user)}' | base64 -d)
echo '${quoted(`${options.line}\n`)}' | base64 -d > "$work/key.pub"
echo '${quoted(options.script)}' | base64 -d > "$work/script"
if [ "$user" = "$(id -un)" ]; then home=$HOME; else home=$(getent passwd "$user" | cut -d: -f6); fi
[ -n "$home" ]
chmod 700 "$work/script"
"$work/script" ${action} "$work/key.pub" "$home/.ssh/authorized_keys"
`
