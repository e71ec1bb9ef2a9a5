/** `assay backends --install`: images where Docker answers, Debian packages where we are root. */
import { spawn } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { programEnvironment } from '../base/program-environment.ts'
import { kinds, serviceKindOf } from './backend-kinds.ts'
import { findProgram } from './binaries.ts'
import { describeChain } from './chain.ts'
import { obtainImage } from './images.ts'

/** While this file exists, Debian's packages do not start the service that they bring. */
const POLICY = '/usr/sbin/policy-rc.d'

/** The commands that make the missing backends available on Debian and Ubuntu; empty where nothing is missing. */
const installCommands = async (): Promise<string[][]> => {
  const rows = await describeChain()
  const missing = kinds.filter((kind) => rows.find((row) => row.backend === kind.name)?.chosen === undefined)
  const packages = missing.flatMap((kind) => kind.packages)
  if (packages.length === 0) return []
  return [
    ['apt-get', 'update', '-q'],
    ['apt-get', 'install', '-q', '-y', '--no-install-recommends', ...packages],
  ]
}

/** Packages may be had through a proxy alone. */
const PROXIES = ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']

const run = (command: string[], onProgress: (line: string) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(command[0]!, command.slice(1), {
      env: programEnvironment({ DEBIAN_FRONTEND: 'noninteractive' }, PROXIES),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let last = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        last = (last + chunk.toString('utf8')).slice(-1000)
      })
    onProgress(command.join(' '))
    child.once('error', reject)
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${command.join(' ')} ended with ${code}: ${last.trim()}`))))
  })

/**
 * Gets what is missing. Images are pulled or built where a Docker engine answers; otherwise packages are installed, without starting the
 * services they bring.
 *
 * @throws Error with the commands to run by hand where this account cannot.
 */
export const installMissing = async (onProgress: (line: string) => void): Promise<void> => {
  for (const row of await describeChain()) {
    const docker = row.providers.find(({ provider }) => provider === 'docker')
    if (docker?.available !== true || row.chosen !== 'docker' || docker.detail.endsWith('is present')) continue
    onProgress(`getting the image of ${row.backend}`)
    await obtainImage(serviceKindOf(row.backend)).catch((error: unknown) =>
      onProgress(`not to be had: ${error instanceof Error ? error.message : error}`),
    )
  }
  const commands = await installCommands()
  if (commands.length === 0) return
  if (findProgram('apt-get') === undefined || process.getuid?.() !== 0)
    throw new Error(`run as root on Debian or Ubuntu: ${commands.map((command) => command.join(' ')).join(' && ')}`)
  const ours = !existsSync(POLICY)
  if (ours) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    for (const command of commands) await run(command, onProgress)
  } finally {
    if (ours) rmSync(POLICY, { force: true })
  }
}
