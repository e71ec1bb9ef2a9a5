/** An install script that works on every host: its file is one that sshd reads for all accounts. */
import { type Bench, sshOracle } from '../../../harness/checks/index.ts'

const fileOf = (bench: Bench): string =>
  bench.backend('sshd').extra.adminKeys ?? bench.blocked('no AuthorizedKeysFile of the host is known', 'give extra.adminKeys')

/** Where the script says that it was called in a way that it does not know. */
const markOf = (bench: Bench): string => `${fileOf(bench)}.unknown-call`

/** The script. How a target calls one is not said: it takes the two words and the file with the key wherever they stand. */
export const ownScript = (bench: Bench): string => `#!/bin/sh
set -e
umask 022
file='${fileOf(bench)}'
action= key= blob=
for word in "$@"; do
  case $word in
    install | uninstall) action=$word ;;
    */authorized_keys) ;;
    *) [ -n "$key" ] || [ ! -f "$word" ] || key=$word ;;
  esac
done
[ -z "$key" ] || blob=$(tr -s ' ' '\\n' < "$key" | grep '^AAAA' | head -n 1)
[ -n "$action" ] && [ -n "$blob" ] || { echo "$*" > '${markOf(bench)}'; exit 1; }
exec 9< "$(dirname "$file")"
flock 9
grep -vF "$blob" "$file" > "$file.$$" || true
[ "$action" = uninstall ] || echo "$(cat "$key")" >> "$file.$$"
mv "$file.$$" "$file"
`

// By run: the target has called the script as expected, or else what it installs would open nothing.
const understood = new Set<string>()

/** Remembers that what the script installed has opened a session. */
export const hasInstalled = (bench: Bench): void => void understood.add(bench.run)

/** Blocks a check where the target has called the script in a way that it does not know. */
export const unlessCalledOtherwise = async (bench: Bench): Promise<void> => {
  if (understood.has(bench.run)) return
  const called = await sshOracle.onHost(bench.backend('sshd'), `cat '${markOf(bench)}' 2> /dev/null; true`)
  if (called === '') return
  const way = `the target calls install scripts in a way that the check does not know: ${called.trim()}`
  bench.blocked(way, 'see how the target calls install scripts')
}
