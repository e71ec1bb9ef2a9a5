/** sshd on a loopback port for the account that runs it, which any account can have: no other accounts, no sudo, the home a folder of ours. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { programEnvironment } from '../base/program-environment.ts'
import type { Address } from './provider.ts'
import { extraOf, type ServerKeys, SHIPPED_FOLDER, writeFiles } from './sshd-files.ts'

/** As root sshd wants this folder, which Debian makes when the service starts. */
const privilegeSeparation = (): void => {
  if (process.getuid?.() === 0 && existsSync('/run') && !existsSync('/run/sshd')) mkdirSync('/run/sshd', { mode: 0o755 })
}

/** The shipped configuration for this account, whose own keys open nothing. */
const configuredIn =
  (folder: string) =>
  (shipped: string): string =>
    `${shipped.replaceAll(SHIPPED_FOLDER, folder).replace(' .ssh/authorized_keys', '')}SetEnv HOME=${join(folder, 'home')}\n`

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

/** Starts it in a folder, on the interface of an address; the caller removes the folder after `stop`. */
export const serveAccount = async (
  sshd: string,
  folder: string,
  keys: ServerKeys,
  listen: string,
): Promise<{ address: Address; stop(): void }> => {
  privilegeSeparation()
  writeFiles(folder, keys, configuredIn(folder))
  mkdirSync(join(folder, 'home'), { mode: 0o700 })
  const children = new Set<ChildProcess>()
  const server = serve(sshd, folder, children)
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, listen, resolve))
  const { port } = server.address() as { port: number }
  const extra = extraOf(folder, keys, sshd)
  return {
    address: { host: '127.0.0.1', port, username: userInfo().username, password: '', extra },
    stop() {
      server.close()
      for (const child of children) child.kill()
    },
  }
}
