/** `assay init`: writes and tries a target configuration. */
import { existsSync, writeFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { withoutSecrets } from '../base/credential-guard.ts'
import { Blocked, Unsupported } from '../base/errors.ts'
import { UsageError } from '../base/usage.ts'
import type { Contract } from '../contract/contract.ts'
import { loadContract } from '../contract/load.ts'
import { packageRoot } from '../contract/package-root.ts'
import { closeRun, newRunName, openRun, secretsFor } from '../running/open-run.ts'
import { openTarget } from '../running/open-target.ts'
import { knownDialects } from '../target/dialect.ts'
import { usableToken } from '../target/given-tokens.ts'
import { completeRun, type RunConfig, type TargetConfig } from '../target/run-configuration.ts'
import { urlOf } from '../target/url.ts'
import { exit } from './exit.ts'
import { tokenFrom } from './flags.ts'
import { configurationText } from './init-file.ts'
import { requireState } from './surroundings.ts'

export interface InitOptions {
  api: 'secrets' | 'run-management'
  dialect?: string
  /** A kind, or the URL of a command provisioner. */
  provisioner: string
  caCert?: string
  allow?: string[]
  token?: string
  tokenFile?: string
  out: string
  force?: boolean
}

const USUAL_DIALECT = 'native'
const DEFAULT_FILE = 'assay.config.yaml'
const SCHEMA = 'specs/meta/target.schema.json'
const NOTES = ['The root token is read from the environment: keep it out of this file.']
const COMMAND_NOTES = [
  'provisioner.command: your executable with its arguments, or its URL. It is given a need as JSON and answers with what meets it;',
  'the protocol is in specs/meta/need.schema.json.',
]
const PLACEHOLDER = ['./provision']

/** The schema as a file in `folder` names it: that of the package above it, or of the clone that it is in; undefined without either. */
const schemaFrom = (folder: string, start = folder): string | undefined => {
  const places = [join(start, 'node_modules/assay', SCHEMA), ...(start === packageRoot ? [join(start, SCHEMA)] : [])]
  const found = places.find((place) => existsSync(place))
  if (found !== undefined) return inFolder(folder, found)
  return dirname(start) === start ? undefined : schemaFrom(folder, dirname(start))
}

/** A file as a configuration in `folder` names it. */
const inFolder = (folder: string, file: string): string => {
  const way = relative(folder, resolve(file))
  return way.startsWith('.') ? way : `./${way}`
}

/** Milliseconds as the file spells them. */
const spelt = (ms: number): string => (ms % 60_000 === 0 ? `${ms / 60_000}m` : `${ms / 1000}s`)

const isUrl = (provisioner: string): boolean => provisioner.includes('://')

const provisionerOf = ({ provisioner }: InitOptions): TargetConfig['provisioner'] => {
  if (provisioner === 'static' || provisioner === 'sys') return { kind: provisioner }
  return { kind: 'command', command: isUrl(provisioner) ? provisioner : PLACEHOLDER }
}

/** The caller with full rights: named by a file or the environment, else obtained from the provisioner. */
const rootOf = (options: InitOptions, named: (file: string) => string): TargetConfig['identities'][string] => {
  if (options.tokenFile !== undefined) return { tokenFile: named(options.tokenFile) }
  return isUrl(options.provisioner) && options.token === undefined ? { provisioned: true } : { tokenEnv: 'ASSAY_TOKEN' }
}

/** What the server was found to be: its dialect, the engines that it serves, the features that it lacks. */
interface Probed {
  dialect: string
  engines: readonly string[]
  without: readonly string[]
}

const configuration = (url: string, options: InitOptions, folder: string, { dialect, engines, without }: Probed) => {
  const named = (file: string): string => (isAbsolute(file) ? file : inFolder(folder, file))
  const target = {
    api: options.api,
    url,
    dialect: /[/\\]|\.ya?ml$/.test(dialect) ? named(dialect) : dialect,
    namespace: '',
    ...(engines.length === 0 ? {} : { engines: [...engines] }),
    provisioner: provisionerOf(options),
    identities: { root: rootOf(options, named) },
    ...(options.caCert === undefined ? {} : { tls: { caCert: named(options.caCert) } }),
    ...(options.provisioner === 'static' ? { mounts: {}, fixtures: {} } : {}),
    allow: options.allow ?? [],
    without: [...without],
    settings: {},
    limits: {},
    backends: {},
  }
  const { timing, concurrency, rate } = completeRun({}, folder)
  const times = { grace: spelt(timing.grace), timeout: spelt(timing.timeout) }
  return { name: new URL(url).host, targets: [target], timing: times, concurrency, rate }
}

/** Finds what a run would refuse, before anything is written or sent. */
const tryConfiguration = async (contract: Contract, run: RunConfig, token: string | undefined): Promise<void> => {
  for (const config of run.targets) {
    const target = openTarget(contract, run, config, {
      run: newRunName(),
      token: token ?? 'not known yet',
      secrets: secretsFor(contract),
      journal: () => undefined,
      removed: () => undefined,
      signal: new AbortController().signal,
    })
    await target.http.close()
  }
}

const write = (file: string, config: object, notes: readonly string[]): void => {
  const schema = schemaFrom(dirname(resolve(file)))
  const lines = [...(schema === undefined ? [] : [`yaml-language-server: $schema=${schema}`]), ...notes]
  try {
    writeFileSync(file, configurationText(config, lines))
  } catch (error) {
    throw new UsageError(`--out: cannot write ${file}: ${(error as Error).message}`)
  }
  process.stdout.write(`wrote ${file}\n`)
}

/** What a server of the API has mounts of. */
const mountTypesOf = (contract: Contract, api: string): string[] => [
  ...new Set([...contract.operations.values()].flatMap((one) => (one.api === api && one.mount !== undefined ? [one.mount] : []))),
]

interface Found extends Probed {
  notes: string[]
}

/** Opens the target as a run does, in the first dialect that it speaks. @throws Blocked for the reason of the first where none does. */
const probe = async (
  contract: Contract,
  dialects: readonly string[],
  runOf: (dialect: string) => RunConfig,
  token: string | undefined,
): Promise<Found> => {
  let first: unknown
  for (const dialect of dialects) {
    try {
      const signal = new AbortController().signal
      const { context, notes, server } = await openRun(contract, runOf(dialect), {
        seed: 1,
        effort: 'quick',
        ...(token === undefined ? {} : { token }),
        signal,
      })
      await closeRun(context)
      const targets = [...context.targets.values()]
      const engines = targets.flatMap((target) => target.engines)
      const without = targets.flatMap(({ missing }) =>
        [...missing].flatMap(([feature, why]) => (why instanceof Unsupported ? [feature] : [])),
      )
      return { dialect, engines, without, notes: [...notes, ...(server === undefined ? [] : [`the server says: ${server}`])] }
    } catch (error) {
      if (!(error instanceof Blocked)) throw error
      first ??= error
    }
  }
  throw first
}

export const init = async (url: string, options: InitOptions): Promise<number> => {
  urlOf(url, 'the URL')
  if (existsSync(options.out) && options.force !== true)
    throw new UsageError(`${options.out} exists already: pass --force to write over it, or --out for another name`)
  const { ASSAY_TOKEN } = process.env
  const token = tokenFrom(options) ?? (ASSAY_TOKEN ? usableToken(ASSAY_TOKEN, 'ASSAY_TOKEN') : undefined)
  const folder = dirname(resolve(options.out))
  const dialects = options.dialect === undefined ? [...new Set([USUAL_DIALECT, ...knownDialects()])] : [options.dialect]
  const fileOf = ({ dialect = dialects[0]!, engines = [], without = [] }: Partial<Probed> = {}) =>
    configuration(url, options, folder, { dialect, engines, without })
  const runOf = (dialect?: string): RunConfig => completeRun(fileOf(dialect === undefined ? {} : { dialect }), folder)
  const contract = await loadContract()
  await tryConfiguration(contract, runOf(), token)
  const isCommand = options.provisioner === 'command'
  const notes = isCommand ? [...NOTES, ...COMMAND_NOTES] : NOTES
  const isFound = basename(options.out) === DEFAULT_FILE && folder === process.cwd()
  const next = `npx assay certify${isFound ? '' : ` --config ${options.out}`}`
  if ((token === undefined && !isUrl(options.provisioner)) || isCommand) {
    write(options.out, fileOf(), notes)
    const todo = [...(isCommand ? ['name your program in provisioner.command'] : []), ...(token === undefined ? ['set ASSAY_TOKEN'] : [])]
    process.stdout.write(`not tried yet: ${todo.join(' and ')}, then run: ${next}\n`)
    return exit.passed
  }
  requireState()
  try {
    const found = await probe(contract, dialects, runOf, token)
    const types = options.provisioner === 'static' ? mountTypesOf(contract, options.api) : []
    // Without mounts hardly an engine is found: what it claims is not known yet.
    write(options.out, fileOf({ ...found, engines: types.length > 0 ? [] : found.engines }), notes)
    const todo = types.length === 0 ? '' : `name what may be used in mounts of ${options.out} (${types.join(', ')}), then `
    process.stdout.write(withoutSecrets(`${found.notes.join('\n')}\nthe target answers: ${todo}run ${next}\n`))
    return exit.passed
  } catch (error) {
    if (!(error instanceof Blocked)) throw error
    write(options.out, fileOf(), notes)
    process.stdout.write(withoutSecrets(`the target cannot be tested yet: ${error.message}\n  remedy: ${error.remedy}\n`))
    return exit.incomplete
  }
}
