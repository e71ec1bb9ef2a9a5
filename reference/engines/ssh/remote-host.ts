/** Entering a remote host with the system's `ssh` client. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programEnvironment } from '../../core/started-programs.ts'
import type { Entrance } from './credentials.rules.ts'

const DEADLINE_MS = 20_000

const OPTIONS = [
  'BatchMode=yes',
  'IdentitiesOnly=yes',
  'PasswordAuthentication=no',
  'StrictHostKeyChecking=no',
  'UserKnownHostsFile=/dev/null',
  'LogLevel=ERROR',
  'ConnectTimeout=10',
]

const run = (args: string[], input: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn('ssh', args, { stdio: ['pipe', 'ignore', 'pipe'], timeout: DEADLINE_MS, env: programEnvironment() })
    let errors = ''
    child.stderr.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-500)
    })
    child.once('error', reject)
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`ssh ended with ${code}: ${errors.trim()}`))))
    // A host that hangs up early shows in the exit code.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })

/** Runs a shell program on a host. Throws where the host cannot be entered or the program fails. */
export const runOnHost = async (entrance: Entrance, program: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'reference-ssh-'))
  try {
    const keyFile = join(folder, 'key')
    await writeFile(keyFile, `${entrance.key.trim()}\n`, { mode: 0o600 })
    const options = OPTIONS.flatMap((option) => ['-o', option])
    await run(['-i', keyFile, '-p', String(entrance.port), ...options, '-l', entrance.user, '--', entrance.host, 'sh'], program)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
