/** The host of the image without Docker: sshd in namespaces of its own, where what a script does as root touches nothing of this machine. */
import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { programEnvironment } from '../base/program-environment.ts'
import { findProgram } from './binaries.ts'
import { freePort, killProcesses } from './private-instance.ts'
import type { Address } from './provider.ts'
import { hostAddress, recipe, type ServerKeys, writeFiles } from './sshd-files.ts'

const NAMESPACES = ['--mount', '--pid', '--fork', '--kill-child', '--ipc', '--uts']

const said = (text: string): string => text.trim().split('\n').at(-1) ?? ''

/** Why this machine cannot have such a host with an sshd, given by its path; undefined where it can. */
export const whyNotPrivate = (sshd: string): string | undefined => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'that takes root on Linux'
  if (!/^\/(usr|bin|sbin)\//.test(sshd)) return `${sshd} is not where the system has its programs`
  const absent = ['unshare', 'pivot_root', 'setpriv'].find((name) => findProgram(name) === undefined)
  if (absent !== undefined) return `${absent} is absent (Debian's util-linux has it)`
  const trial = [...NAMESPACES, 'mount', '-t', 'tmpfs', 'tmpfs', '/srv']
  const { status, stderr, error } = spawnSync('unshare', trial, { encoding: 'utf8', env: programEnvironment() })
  return status === 0 ? undefined : `this machine gives no namespaces: ${said(error?.message ?? stderr)}`
}

/**
 * Starts it with files in a folder, on an address; the caller removes the folder after `stop`. `failure()` tells why it ended, while it should
 * run. It ends with this process, however that ends.
 */
export const servePrivate = async (
  sshd: string,
  folder: string,
  keys: ServerKeys,
  listen: string,
): Promise<{ address: Address; failure(): string | undefined; stop(): Promise<void> }> => {
  writeFiles(folder, keys, (shipped) => shipped)
  for (const name of ['accounts.sh', 'sudo.sh']) copyFileSync(join(recipe, name), join(folder, name))
  mkdirSync(join(folder, 'root'))
  const port = await freePort()
  const script = join(recipe, 'private-host.sh')
  const child = spawn('unshare', [...NAMESPACES, 'sh', script, folder, sshd, listen, String(port)], {
    cwd: folder,
    // How what is left of a killed run is found.
    env: programEnvironment({ HOME: folder }),
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let output = ''
  let failure: string | undefined
  child.stderr.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-600)
  })
  child.stdin.on('error', () => undefined)
  child.once('error', ({ message }) => {
    failure = message
  })
  child.once('exit', (code, signal) => {
    failure = `the host ended with ${code ?? signal}: ${said(output)}`
  })
  return {
    address: hostAddress('127.0.0.1', port, keys, sshd),
    failure: () => failure,
    stop: () => killProcesses(folder, child.pid === undefined ? [] : [child.pid]),
  }
}
