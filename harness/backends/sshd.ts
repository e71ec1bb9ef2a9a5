/** OpenSSH's server on a loopback port, with trust of its own: never that of this machine's accounts. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../oracles/processes.ts'
import { handleOf } from './addresses.ts'
import { findProgram } from './binaries.ts'
import { removeFolder } from './processes.ts'
import type { Address, BackendKind, Rung, StartContext, Started } from './types.ts'

const DEADLINE = 20_000

/** The version that the server greets with. */
const ping = (address: Address): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: address.host, port: address.port, timeout: 5000 })
    const fail = (message: string) => {
      socket.destroy()
      reject(new Error(message))
    }
    socket.once('timeout', () => fail('sshd does not greet'))
    socket.once('error', (error) => fail(error.message))
    socket.once('close', () => fail('sshd hung up'))
    socket.once('data', (greeting: Buffer) => {
      const version = /^SSH-2\.0-(\S+)/.exec(greeting.toString('latin1'))?.[1]
      if (version === undefined) return fail('something else than sshd answers')
      resolve(version)
      socket.destroy()
    })
  })

const program = (): string | undefined => findProgram('sshd')

const newKey = async (file: string): Promise<void> => {
  const ended = await runProgram('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', file])
  if (ended.code !== 0) throw new Error(`ssh-keygen: ${ended.stderr.trim()}`)
}

/** As root sshd wants this folder, which Debian makes when the service starts. */
const privilegeSeparation = (): void => {
  if (process.getuid?.() === 0 && existsSync('/run') && !existsSync('/run/sshd')) mkdirSync('/run/sshd', { mode: 0o755 })
}

const configurationOf = (folder: string): string =>
  [
    `HostKey ${folder}/host`,
    `TrustedUserCAKeys ${folder}/trusted_cas`,
    `AuthorizedPrincipalsFile ${folder}/principals`,
    `AuthorizedKeysFile ${folder}/admin_keys ${folder}/home/.ssh/authorized_keys`,
    `SetEnv HOME=${folder}/home`,
    'PermitRootLogin prohibit-password',
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'X11Forwarding no',
    'PrintMotd no',
    'PidFile none',
    'CASignatureAlgorithms +ssh-rsa',
    'LoginGraceTime 30',
    '',
  ].join('\n')

/** Listens itself and gives every connection to an sshd of its own, as inetd would: nothing outlives this process. */
const serve = (sshd: string, folder: string, children: Set<ChildProcess>): Server =>
  createServer({ pauseOnConnect: true }, (socket: Socket) => {
    const child = spawn(sshd, ['-i', '-f', join(folder, 'config'), '-E', join(folder, 'log')], { stdio: [socket, socket, 'ignore'] })
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
    await Promise.all([newKey(join(folder, 'host')), newKey(join(folder, 'admin'))])
    mkdirSync(join(folder, 'home/.ssh'), { recursive: true, mode: 0o700 })
    for (const name of ['trusted_cas', 'principals', 'trusted_cas.lock']) writeFileSync(join(folder, name), '')
    writeFileSync(join(folder, 'admin_keys'), readFileSync(join(folder, 'admin.pub')))
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
      extra: {
        adminKey: readFileSync(join(folder, 'admin'), 'utf8'),
        adminKeys: join(folder, 'admin_keys'),
        hostKey: readFileSync(join(folder, 'host.pub'), 'utf8').trim(),
        trustedCas: join(folder, 'trusted_cas'),
        principals: join(folder, 'principals'),
        sshd,
      },
    }
    if (context.targetHost !== undefined) address.targetHost = context.targetHost
    return { handle: handleOf('sshd', 'local', address, await ping(address)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const local: Rung = {
  deadline: DEADLINE,
  find: async () => {
    const found = program()
    return found === undefined ? { available: false, detail: 'no sshd on this machine' } : { available: true, detail: found }
  },
  start,
}

/**
 * An external one needs, in `extra`: `adminKey` (private key of `username`), `hostKey` (the server's public key), `trustedCas` and
 * `principals` (its TrustedUserCAKeys and AuthorizedPrincipalsFile), `adminKeys` (an AuthorizedKeysFile), `sshd` (the program's path).
 */
export const sshd: BackendKind = {
  name: 'sshd',
  port: 22,
  ping,
  rungs: { local },
  packages: ['openssh-server', 'openssh-client'],
  cure: 'apt-get install openssh-server openssh-client, or name one in backends.sshd',
}
