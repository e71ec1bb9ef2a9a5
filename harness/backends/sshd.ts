/** OpenSSH's server in a container or on a loopback port, with trust of its own: never that of this machine's accounts. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { programEnvironment } from '../base/program-environment.ts'
import { packageRoot } from '../contract/package-root.ts'
import { type SshKeyPair, sshKeyPair } from '../oracles/ssh-keys.ts'
import { onSshHost } from '../oracles/ssh-login.ts'
import { handleOf } from './addresses.ts'
import { findProgram } from './binaries.ts'
import { containerProvider } from './containers.ts'
import { removeFolder } from './private-instance.ts'
import type { Address, Provider, ServiceKind, StartContext, Started } from './provider.ts'

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

/**
 * Tells the version once the administrator has a session: an account that is locked, or whose shell refuses, greets like any other and
 * would make every later login look like a fault of the target.
 */
const ping = async (address: Address, within = GREETS_WITHIN): Promise<string> => {
  const version = await greeting(address, within)
  await onSshHost(handleOf('sshd', 'external', address, version), ':')
  return version
}

const program = (): string | undefined => findProgram('sshd')

/** As root sshd wants this folder, which Debian makes when the service starts. */
const privilegeSeparation = (): void => {
  if (process.getuid?.() === 0 && existsSync('/run') && !existsSync('/run/sshd')) mkdirSync('/run/sshd', { mode: 0o755 })
}

/** The folder that the configuration in docker/sshd names. */
const SHIPPED_FOLDER = '/srv/sshd'

const configurationOf = (folder: string): string =>
  readFileSync(join(packageRoot, 'docker/sshd/sshd_config'), 'utf8').replaceAll(SHIPPED_FOLDER, folder)

/** What users of the server must know, all of it below one folder. */
const extraOf = (folder: string, keys: { admin: string; host: string }, sshd: string): Record<string, string> => ({
  adminKey: keys.admin,
  adminKeys: join(folder, 'admin_keys'),
  hostKey: keys.host,
  trustedCas: join(folder, 'trusted_cas'),
  principals: join(folder, 'principals'),
  sshd,
})

/** The keys of a server, made here so that nobody is trusted on first sight: the same secret gives the same keys. */
const keysOf = (secret: string): Record<'admin' | 'host', SshKeyPair> => {
  const pair = (whose: string): SshKeyPair => sshKeyPair('ed25519', () => createHash('sha256').update(`${whose} ${secret}`).digest())
  return { admin: pair('admin'), host: pair('host') }
}

/** Listens itself and gives every connection to an sshd of its own, as inetd would: nothing outlives this process. */
const serve = (sshd: string, folder: string, children: Set<ChildProcess>): Server =>
  createServer({ pauseOnConnect: true }, (socket: Socket) => {
    const child = spawn(sshd, ['-i', '-f', join(folder, 'config'), '-E', join(folder, 'log')], {
      env: programEnvironment(),
      stdio: [socket, socket, 'ignore'],
    })
    children.add(child)
    child.once('exit', () => children.delete(child))
    child.once('error', () => children.delete(child))
    socket.once('error', () => undefined)
    child.once('spawn', () => socket.destroy())
  })

const start = async (context: StartContext): Promise<Started> => {
  const sshd = program()!
  const folder = mkdtempSync(join(tmpdir(), 'assay-sshd-'))
  context.journal.add({ kind: 'backend-folder', path: folder })
  const children = new Set<ChildProcess>()
  const server = serve(sshd, folder, children)
  const stop = async (): Promise<void> => {
    server.close()
    for (const child of children) child.kill()
    removeFolder(folder)
    context.journal.remove({ kind: 'backend-folder', path: folder })
  }
  try {
    privilegeSeparation()
    const keys = keysOf(randomBytes(32).toString('hex'))
    writeFileSync(join(folder, 'host'), keys.host.privateKey, { mode: 0o600 })
    mkdirSync(join(folder, 'home/.ssh'), { recursive: true, mode: 0o700 })
    for (const name of ['trusted_cas', 'principals', 'trusted_cas.lock']) writeFileSync(join(folder, name), '')
    writeFileSync(join(folder, 'admin_keys'), `${keys.admin.publicKey}\n`)
    writeFileSync(join(folder, 'config'), configurationOf(folder))
    chmodSync(folder, 0o755)
    const host = context.targetHost === undefined ? '127.0.0.1' : '0.0.0.0'
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve))
    const { port } = server.address() as { port: number }
    const address: Address = {
      host: '127.0.0.1',
      port,
      username: userInfo().username,
      password: '',
      extra: extraOf(folder, { admin: keys.admin.privateKey, host: keys.host.publicKey }, sshd),
    }
    if (context.targetHost !== undefined) address.targetHost = context.targetHost
    // It is started for each connection, and on a busy machine, beside the other backends, that takes its time.
    return { handle: handleOf('sshd', 'local', address, await ping(address, DEADLINE)), stop }
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
  address: (host, ports, secret) => {
    const { admin, host: server } = keysOf(secret)
    const extra = extraOf(SHIPPED_FOLDER, { admin: admin.privateKey, host: server.publicKey }, '/usr/sbin/sshd')
    return { host, port: ports.get(22)!, username: 'root', password: '', extra }
  },
  ping,
})

/**
 * An external one needs, in `extra`: `adminKey` (private key of `username`), `hostKey` (the server's public key), `trustedCas` and
 * `principals` (its TrustedUserCAKeys and AuthorizedPrincipalsFile), `adminKeys` (an AuthorizedKeysFile), `sshd` (the program's path).
 */
export const sshd: ServiceKind = {
  name: 'sshd',
  port: 22,
  ping,
  image,
  providers: { docker, local },
  tools: [{ program: 'ssh', packages: ['openssh-client'] }],
  packages: ['openssh-server', 'openssh-client'],
  remedy: 'apt-get install openssh-server openssh-client, or start Docker, or name one in backends.sshd',
}
