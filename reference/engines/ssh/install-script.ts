/** What runs on a remote host to install or remove a public key. */

/**
 * The script of roles that bring none, for an administrator with sudo. Arguments, the same for every script: `install` or `uninstall`, the file
 * with the line to install, and the authorized-keys file of the user.
 */
export const builtInScript = `#!/bin/sh
set -e
[ "$4" = as-root ] || exec sudo -n /bin/sh "$0" "$1" "$2" "$3" as-root
umask 022
mkdir -p "$(dirname "$3")"
touch "$3"
exec 9>> "$3.lock"
flock 9
grep -vxF -f "$2" "$3" > "$3.$$" || true
if [ "$1" = install ]; then cat "$2" >> "$3.$$"; fi
mv "$3.$$" "$3"
`

/** The same for an administrator who is root, or whose own keys these are. */
export const scriptWithoutSudo = builtInScript.replace(/^.*sudo.*\n/m, '')

/** The same into the files where some hosts have the keys of all accounts. */
export const scriptForOtherFiles = builtInScript.replace(
  'umask 022\n',
  'umask 022\nset -- "$1" "$2" "/etc/ssh/authorized_keys.d/$(basename "$(dirname "$(dirname "$3")")")"\n',
)

const quoted = (text: string): string => Buffer.from(text, 'utf8').toString('base64')

/** The program for the remote shell: unpacks key and script, and runs the script for the user's authorized-keys file. */
export const remoteProgram = (action: 'install' | 'uninstall', options: { user: string; line: string; script: string }): string => `
set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
user=$(echo '${quoted(options.user)}' | base64 -d)
echo '${quoted(`${options.line}\n`)}' | base64 -d > "$work/key.pub"
echo '${quoted(options.script)}' | base64 -d > "$work/script"
chmod 700 "$work/script"
"$work/script" ${action} "$work/key.pub" "/home/$user/.ssh/authorized_keys" < /dev/null
`
