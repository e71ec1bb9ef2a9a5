/** OpenSSH's server: a host with accounts, homes and sudo, in a container or in namespaces of its own, or else this account on a loopback port. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onSshHost } from '../oracles/ssh-login.ts'
import { handleOf } from './addresses.ts'
import { findProgram } from './binaries.ts'
import { containerProvider } from './containers.ts'
import { removeFolder, whenReady } from './private-instance.ts'
import type { Address, Provider, ServiceKind, StartContext, Started } from './provider.ts'
import { serveAccount } from './sshd-account.ts'
import { hostAddress, keysOf, type ServerKeys } from './sshd-files.ts'
import { servePrivate, whyNotPrivate } from './sshd-private.ts'

const DEADLINE = 30_000
/** Milliseconds in which a server that runs already greets. */
const GREETS_WITHIN = 5000

/** The version that the server greets with. */
const greeting = (address: Address, within: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: address.host, port: address.port, timeout: within })
    const fail = (message: string) => {
      socket.destroy()
      reject(new Error(message))
    }
    socket.once('timeout', () => fail('sshd does not greet'))
    socket.once('error', (error) => fail(error.message))
    socket.once('close', () => fail('sshd hung up'))
    socket.once('data', (line: Buffer) => {
      const version = /^SSH-2\.0-(\S+)/.exec(line.toString('latin1'))?.[1]
      if (version === undefined) return fail('something else than sshd answers')
      resolve(version)
      socket.destroy()
    })
  })

/** What a host must have, for all that is later missed to be a fault of the target. */
const required = ({ adminKeys, users }: Record<string, string>): string =>
  [
    ...(adminKeys === undefined ? [] : [`[ -w '${adminKeys}' ] || { echo '${adminKeys} cannot be written' >&2; exit 1; }`]),
    ...(users?.split(',') ?? []).map(
      (user) => `sudo -n test -d '/home/${user}/.ssh' < /dev/null || { echo 'sudo finds no /home/${user}/.ssh' >&2; exit 1; }`,
    ),
    ':',
  ].join('\n')

/**
 * Tells the version once the administrator has a session: an account that is locked, or whose shell refuses, greets like any other and
 * would make every later login look like a fault of the target.
 */
const ping = async (address: Address, within = GREETS_WITHIN): Promise<string> => {
  const version = await greeting(address, within)
  await onSshHost(handleOf('sshd', 'external', address, version), required(address.extra))
  return version
}

const program = (): string | undefined => findProgram('sshd')

type Server = { address: Address; failure?(): string | undefined; stop(): void | Promise<void> }

const serverIn = async (folder: string, context: StartContext, keys: ServerKeys): Promise<Server> => {
  const listen = context.targetHost === undefined ? '127.0.0.1' : '0.0.0.0'
  const sshd = program()!
  const why = whyNotPrivate(sshd)
  if (why === undefined) return servePrivate(sshd, folder, keys, listen)
  context.onProgress(`sshd serves the account of this process alone: ${why}`)
  return serveAccount(sshd, folder, keys, listen)
}

const start = async (context: StartContext): Promise<Started> => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-sshd-'))
  context.journal.add({ kind: 'backend-folder', path: folder })
  let server: Server | undefined
  const stop = async (): Promise<void> => {
    await server?.stop()
    removeFolder(folder)
    context.journal.remove({ kind: 'backend-folder', path: folder })
  }
  try {
    server = await serverIn(folder, context, keysOf(randomBytes(32).toString('hex')))
    const { address, failure } = server
    if (context.targetHost !== undefined) address.targetHost = context.targetHost
    // On a busy machine, beside the other backends, each start of it takes its time.
    const ready = () => ping(address, DEADLINE)
    const { signal } = context
    const version = await (failure === undefined
      ? ready()
      : whenReady(ready, { server: { pid: 0, failure }, signal, within: DEADLINE, what: 'sshd' }))
    return { handle: handleOf('sshd', 'local', address, version), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const local: Provider = {
  deadline: DEADLINE,
  find: async () => {
    const found = program()
    return found === undefined ? { available: false, detail: 'no sshd on this machine' } : { available: true, detail: found }
  },
  start,
}

const image = { folder: 'docker/sshd' }

const docker = containerProvider({
  name: 'sshd',
  image,
  port: 22,
  environment: (secret) => ({ SSHD_ADMIN_KEY: keysOf(secret).admin.publicKey, SSHD_HOST_KEY: keysOf(secret).host.privateKey.trim() }),
  address: (host, ports, secret) => hostAddress(host, ports.get(22)!, keysOf(secret), '/usr/sbin/sshd'),
  ping,
})

/**
 * An external one needs, in `extra`: `adminKey` (private key of `username`), `hostKey` (the server's public key), `trustedCas` and
 * `principals` (its TrustedUserCAKeys and AuthorizedPrincipalsFile), `adminKeys` (an AuthorizedKeysFile of all accounts that `username` may
 * write, as its folder), `sshd` (the program's path); where scripts of the target may run as root there, `users` (accounts with homes under
 * /home, comma-separated; `username` has sudo without a password).
 */
export const sshd: ServiceKind = {
  name: 'sshd',
  port: 22,
  ping,
  image,
  providers: { docker, local },
  tools: [{ program: 'ssh', packages: ['openssh-client'] }],
  packages: ['openssh-server', 'openssh-client'],
  parts: {
    users: {
      reason: 'this sshd has no accounts and no sudo of its own, so that no script of the target may run as root there',
      remedy: 'run as root on Linux, where namespaces can be had, or start Docker, or name users in backends.sshd',
    },
  },
  remedy: 'apt-get install openssh-server openssh-client, or start Docker, or name one in backends.sshd',
}
