/** `assay backends`: the provider chain as found on this machine. */
import { namedInConfiguration } from '../backends/addresses.ts'
import { kinds } from '../backends/backend-kinds.ts'
import { describeChain, startBackends } from '../backends/chain.ts'
import { installMissing } from '../backends/install.ts'
import type { ServerSettings } from '../base/backend-handle.ts'
import { Blocked } from '../base/errors.ts'
import { shellWord } from '../base/shell.ts'
import { requireKnown } from '../base/usage.ts'
import { Journal } from '../cleanup/journal.ts'
import { newRunName } from '../running/open-run.ts'
import { makeScratch } from '../running/scratch.ts'
import { serverSettingsOf } from '../running/server-settings.ts'
import { localJournal } from '../running/used-backends.ts'
import { removeAbandoned } from './leftovers.ts'
import { requireState } from './surroundings.ts'

const show = async (json: boolean): Promise<void> => {
  const rows = await describeChain()
  if (json) {
    process.stdout.write(`${JSON.stringify(rows)}\n`)
    return
  }
  for (const row of rows) {
    process.stdout.write(`${row.backend}: ${row.chosen === undefined ? `not to be had; ${row.remedy}` : row.chosen}\n`)
    for (const { provider, available, detail } of row.providers)
      process.stdout.write(`  ${available ? '+' : '-'} ${provider.padEnd(9)} ${detail}\n`)
  }
}

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What a server of the user's has to be started with, as it is typed into a shell. */
const startWords = ({ libraries = {}, cloud, settings = {} }: ServerSettings): string[] => {
  const environment = Object.assign({}, ...Object.values(libraries).map((one) => one.environment)) as Record<string, string>
  if (cloud !== undefined)
    Object.assign(environment, { HTTPS_PROXY: cloud.proxy, NODE_EXTRA_CA_CERTS: cloud.caFile, SSL_CERT_FILE: cloud.caFile })
  const flags = Object.entries(libraries).flatMap(([name, { module }]) => ['--library', `${name}=${module}`])
  if (cloud !== undefined) flags.push('--cloud-proxy', cloud.proxy, '--cloud-ca', cloud.caFile)
  return [
    'start your server with this environment:',
    ...Object.entries(environment).map(([name, value]) => `  export ${name}=${shellWord(value)}`),
    'the reference server, for one:',
    `  npx assay serve ${flags.map(shellWord).join(' ')}`,
    'and name in the configuration of the target:',
    `  settings: ${JSON.stringify(settings)}`,
  ]
}

/** Starts backends, says how they are used, and keeps them until somebody interrupts. */
const keepUp = async (names: string[]): Promise<void> => {
  requireKnown(
    'backend in --up',
    names,
    kinds.map(({ name }) => name),
  )
  requireState()
  await removeAbandoned()
  const run = newRunName()
  const journal = new Journal(run)
  const removeScratch = makeScratch(run, journal)
  const abort = new AbortController()
  // Handlers of signals keep no process alive, and backends that are programs of their own do not either.
  const stay = setInterval(() => undefined, 60_000)
  const interrupted = new Promise<void>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => {
        abort.abort(new Error('interrupted'))
        done()
      })
  })
  try {
    const onProgress = (line: string) => void process.stderr.write(`${line}\n`)
    const backends = await startBackends(names, { external: {}, journal: localJournal(journal), onProgress, signal: abort.signal })
    try {
      const [missing] = Object.values(backends.missing)
      if (missing !== undefined) throw new Blocked(missing.reason, missing.remedy)
      const configuration = Object.entries(backends.handles).map(
        ([name, handle]) => `    ${name}: ${JSON.stringify(namedInConfiguration(handle))}`,
      )
      const lines = [
        ...startWords(serverSettingsOf(backends.handles)),
        '  backends:',
        ...configuration,
        'they stay up until you press Ctrl-C',
      ]
      process.stdout.write(`${lines.join('\n')}\n`)
      await interrupted
    } finally {
      await backends.stop()
    }
  } catch (error) {
    if (!abort.signal.aborted) throw error
    process.stderr.write(`${message(error)}\n`)
  } finally {
    clearInterval(stay)
    removeScratch()
    journal.close()
  }
}

export interface BackendsOptions {
  install?: boolean
  up?: string[]
  json?: boolean
}

/** Shows, installs or starts backends. */
export const backends = async (options: BackendsOptions): Promise<void> => {
  if (options.up !== undefined) return keepUp(options.up)
  if (options.install === true) await installMissing((line) => process.stderr.write(`${line}\n`))
  await show(options.json === true)
}
