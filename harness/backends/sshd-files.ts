/** What an sshd of ours is given, wherever it runs: its configuration, keys made for it, and the files that say whom it trusts. */
import { createHash } from 'node:crypto'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../contract/package-root.ts'
import { type SshKeyPair, sshKeyPair } from '../oracles/ssh-keys.ts'
import type { Address } from './provider.ts'

/** The folder with the configuration, the scripts and the image's recipe. */
export const recipe = join(packageRoot, 'docker/sshd')

/** The folder that the shipped configuration names. */
export const SHIPPED_FOLDER = '/srv/sshd'

/** The accounts that docker/sshd/accounts.sh makes. */
const ADMINISTRATOR = 'admin'
const USERS = 'alice,bob'

export type ServerKeys = Record<'admin' | 'host', SshKeyPair>

/** The keys of a server, made here so that nobody is trusted on first sight: the same secret gives the same keys. */
export const keysOf = (secret: string): ServerKeys => {
  const pair = (whose: string): SshKeyPair => sshKeyPair('ed25519', () => createHash('sha256').update(`${whose} ${secret}`).digest())
  return { admin: pair('admin'), host: pair('host') }
}

/** What users of the server must know; its files are below one folder. */
export const extraOf = (folder: string, keys: ServerKeys, sshd: string): Record<string, string> => ({
  adminKey: keys.admin.privateKey,
  adminKeys: join(folder, 'admin_keys'),
  hostKey: keys.host.publicKey,
  trustedCas: join(folder, 'trusted_cas'),
  principals: join(folder, 'principals'),
  sshd,
})

/** Where a host with accounts of its own is entered, and what is known of it. */
export const hostAddress = (host: string, port: number, keys: ServerKeys, sshd: string): Address => ({
  host,
  port,
  username: ADMINISTRATOR,
  password: '',
  extra: { ...extraOf(SHIPPED_FOLDER, keys, sshd), users: USERS },
})

/** Writes the files of a server into a folder. */
export const writeFiles = (folder: string, keys: ServerKeys, configuration: (shipped: string) => string): void => {
  writeFileSync(join(folder, 'host'), keys.host.privateKey, { mode: 0o600 })
  for (const name of ['trusted_cas', 'principals', 'trusted_cas.lock']) writeFileSync(join(folder, name), '')
  writeFileSync(join(folder, 'admin_keys'), `${keys.admin.publicKey}\n`)
  writeFileSync(join(folder, 'config'), configuration(readFileSync(join(recipe, 'sshd_config'), 'utf8')))
  chmodSync(folder, 0o755)
}
