/** The host on which a script of the target may run as root. */
import { existsSync, statSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backendJournal } from '../../tests/support/backend-journal.ts'
import { isAbsent, lacksBackend } from '../../tests/support/needs.ts'
import { type BackendHandle, serviceOf } from '../base/backend-handle.ts'
import { sshKeyPair } from '../oracles/ssh-keys.ts'
import { onSshHost, sshLogin } from '../oracles/ssh-login.ts'
import { findProgram } from './binaries.ts'
import type { Started } from './provider.ts'
import { sshd } from './sshd.ts'
import { whyNotPrivate } from './sshd-private.ts'

/** Of the kind that servers of this family bring: run by bash without a first line that says so, by an administrator who is not root. */
const USUAL = `

set -e
option=$1 key=$2 file=$3
function cleanup
{
  rm -f "$key" "temp_$key"
}
trap cleanup EXIT
(
  flock --timeout 10 200
  sudo mkdir -p "$(dirname "$file")"
  sudo touch "$file"
  sudo grep -vFf "$key" "$file" > "temp_$key" || true
  cat "temp_$key" | sudo tee "$file"
  if [ "$option" == "install" ]; then
    cat "$key" | sudo tee --append "$file"
  fi
) 200> "$file.lock"
`

const pair = sshKeyPair('ed25519', () => new Uint8Array(32).fill(5))
const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** Installs or removes a key of a user as such servers do: both files go to the administrator's home, where the script is run. */
const run = (host: BackendHandle, option: 'install' | 'uninstall', user: string): Promise<string> =>
  onSshHost(
    host,
    [
      `echo '${base64(`${pair.publicKey}\n`)}' | base64 -d > a1b2`,
      `echo '${base64(USUAL)}' | base64 -d > a1b2.sh`,
      `bash -c 'chmod +x a1b2.sh;./a1b2.sh ${option} a1b2 /home/${user}/.ssh/authorized_keys;rm -f a1b2.sh' < /dev/null`,
    ].join('\n'),
  )

const why = whyNotPrivate(findProgram('sshd') ?? '')
const lacks = (await lacksBackend('sshd', ['local'])) || isAbsent(`root and namespaces (${why})`, why === undefined)

describe.skipIf(lacks)('the private host', () => {
  const journal = backendJournal()
  let started: Started
  let host: BackendHandle
  beforeAll(async () => {
    const context = { journal, targetHost: undefined, signal: new AbortController().signal, onProgress() {} }
    started = await sshd.providers.local!.start(context)
    host = serviceOf(started.handle)
  }, 60_000)
  afterAll(() => started?.stop())
  const accepted = async (user: string): Promise<boolean> => (await sshLogin(host, { privateKey: pair.privateKey, user })).accepted

  it('serves the script that servers of this family bring: the key opens the account of its user alone, until it is removed', async () => {
    expect(host.extra.users).toBe('alice,bob')
    for (const user of ['bob', host.username]) {
      expect(await accepted(user)).toBe(false)
      await run(host, 'install', user)
      expect([await accepted(user), await accepted('alice')]).toEqual([true, false])
      await run(host, 'uninstall', user)
      expect(await accepted(user)).toBe(false)
    }
  }, 60_000)

  it('gives root to its administrator and nobody else, for any account', async () => {
    const line = "sudo -n id -u; sudo -u bob -- id -un; sudo A=b sh -c 'echo $A'; setpriv --reuid=bob --clear-groups sudo id; echo $?"
    expect(await onSshHost(host, line)).toBe('0\nbob\nb\n1\n')
  }, 30_000)

  it('leaves this machine as it is, whatever root does there', async () => {
    const harm = [
      ...['/usr/bin/assay-harm', '/etc/assay-harm', '/root/assay-harm', '/tmp/assay-harm'].map((path) => `echo x > ${path}`),
      'chmod 600 /dev/null',
      'mount -o remount,rw /usr',
      'mknod /tmp/disk b 254 0',
      'echo 1 > /proc/sys/kernel/printk',
      'kill -9 -1',
    ]
    await onSshHost(host, `(${harm.map((one) => `(${one}) 2>/dev/null`).join('; ')}); true`).catch(() => undefined)
    for (const path of ['/usr/bin/assay-harm', '/etc/assay-harm', '/root/assay-harm', '/tmp/assay-harm'])
      expect(existsSync(path)).toBe(false)
    expect(statSync('/dev/null').mode & 0o777).toBe(0o666)
  }, 30_000)
})
