/** The configuration of a run: a file, flags over it, defaults under it. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, extname, isAbsolute, resolve } from 'node:path'
import { parse } from 'yaml'
import { isObject, type JsonObject } from '../base/json.ts'
import { duration, UsageError } from '../base/usage.ts'
import { problemsOf } from '../contract/own-documents.ts'
import { hyphenated } from './configured-names.ts'
import type { TlsOptions } from './tls-material.ts'
import { baseUrl } from './url.ts'

export interface IdentityConfig {
  token?: string
  tokenFile?: string
  tokenEnv?: string
  /** For the shell; prints a token, and is run again before that one ends. */
  tokenCommand?: string
  /** The command provisioner is asked for it. */
  provisioned?: boolean
  displayName?: string
}

export interface TargetConfig {
  api: string
  url: string
  dialect: string
  namespace: string
  /** Claimed engines; undefined: preflight probes. */
  engines?: string[]
  tls: TlsOptions
  headers: Record<string, string>
  /** URL of a proxy, or `none`; undefined: what the environment says. */
  proxy?: string
  identities: Record<string, IdentityConfig>
  provisioner: { kind: 'static' | 'sys' | 'command'; command?: string[] | string }
  mounts: Record<string, { path: string; disposable?: boolean }>
  fixtures: Record<string, JsonObject | JsonObject[]>
  settings: JsonObject
  allow: string[]
  /** Features that the server lacks. */
  without: string[]
  limits: { maxRequestBytes?: number }
  backends: JsonObject
}

export interface RunConfig {
  name: string
  targets: TargetConfig[]
  /** Milliseconds. */
  timing: { grace: number; timeout: number; run: number }
  concurrency: number
  rate: number
  /** Folder that relative file names of the configuration start from. */
  folder: string
  /** The targets end with this process: nothing on them has to be remembered. */
  ephemeral?: boolean
}

type Partly<T> = { [K in keyof T]?: T[K] | undefined }

/** A target as somebody names it: the API, and what is not as usual. */
export type GivenTarget = Pick<TargetConfig, 'api'> & Partly<TargetConfig>

interface ConfigFile {
  name?: string
  targets?: GivenTarget[]
  timing?: { grace?: string; timeout?: string; run?: string }
  concurrency?: number
  rate?: number
}

const DEFAULT_FILES = ['assay.config.yaml', 'assay.config.yml', 'assay.config.json', 'assay.config.ts']

const parseFile = async (file: string): Promise<unknown> => {
  if (!['.ts', '.js', '.mjs'].includes(extname(file))) return parse(readFileSync(file, 'utf8'))
  const { loadConfig } = await import('c12')
  const { config } = await loadConfig({
    configFile: file,
    cwd: dirname(file),
    rcFile: false,
    globalRc: false,
    packageJson: false,
    dotenv: false,
  })
  return config
}

const withApiNames = (config: unknown): unknown => {
  if (!isObject(config) || !Array.isArray(config.targets)) return config
  const targets = config.targets.map((target) =>
    isObject(target) && typeof target.api === 'string' ? { ...target, api: hyphenated(target.api) } : target,
  )
  return { ...config, targets }
}

/**
 * Reads a configuration file.
 *
 * @param name path as given; undefined looks for the default names in `folder`.
 * @returns undefined when no name was given and no default file exists.
 * @throws UsageError that names the file and the key.
 */
export const readConfig = async (name: string | undefined, folder: string): Promise<{ file: string; config: ConfigFile } | undefined> => {
  const file = name === undefined ? DEFAULT_FILES.map((one) => resolve(folder, one)).find(existsSync) : resolve(folder, name)
  if (file === undefined) return undefined
  if (!existsSync(file)) throw new UsageError(`configuration file ${name} does not exist`)
  let config: unknown
  try {
    config = withApiNames(await parseFile(file))
  } catch (error) {
    throw new UsageError(`configuration file ${name ?? file} cannot be read: ${(error as Error).message.split('\n')[0]}`)
  }
  if (config === null || config === undefined)
    throw new UsageError(`configuration file ${name ?? file} is empty: name a server under targets, or have assay init write one`)
  const problems = problemsOf('target', config)
  if (problems.length > 0) throw new UsageError(`configuration file ${name ?? file}:\n  ${problems.join('\n  ')}`)
  return { file, config: config as ConfigFile }
}

const inFolder = (folder: string, file: string | undefined): string | undefined =>
  file === undefined ? undefined : isAbsolute(file) ? file : resolve(folder, file)

/**
 * A namespace as given, for instance `team/a/`, without the slashes around it; empty for the root.
 *
 * @throws UsageError if it is not a path of names.
 */
export const namespaceOf = (text: string): string => {
  const path = text.replace(/^\/|\/$/g, '')
  const segments = path.split('/')
  if (text !== '' && segments.some((segment) => ['', '.', '..'].includes(segment) || /[\s?#\p{Cc}]/u.test(segment)))
    throw new UsageError(`namespace ${JSON.stringify(text)} is not a path of names such as team/a`)
  return path
}

/**
 * Fills a target's defaults; file names become absolute.
 *
 * @throws UsageError if the namespace is not a path.
 */
export const completeTarget = (target: GivenTarget, folder: string): TargetConfig => ({
  api: target.api,
  url: baseUrl(target.url ?? ''),
  dialect:
    target.dialect !== undefined && /[/\\]|\.ya?ml$/.test(target.dialect) ? resolve(folder, target.dialect) : (target.dialect ?? 'native'),
  namespace: namespaceOf(target.namespace ?? ''),
  ...(target.engines === undefined ? {} : { engines: target.engines }),
  tls: {
    ...target.tls,
    ...(target.tls?.caCert === undefined ? {} : { caCert: inFolder(folder, target.tls.caCert)! }),
    ...(target.tls?.clientCert === undefined ? {} : { clientCert: inFolder(folder, target.tls.clientCert)! }),
    ...(target.tls?.clientKey === undefined ? {} : { clientKey: inFolder(folder, target.tls.clientKey)! }),
  },
  headers: target.headers ?? {},
  ...(target.proxy === undefined ? {} : { proxy: target.proxy }),
  identities: target.identities ?? {},
  provisioner: target.provisioner ?? { kind: Object.keys(target.mounts ?? {}).length > 0 ? 'static' : 'sys' },
  mounts: target.mounts ?? {},
  fixtures: target.fixtures ?? {},
  settings: target.settings ?? {},
  allow: target.allow ?? [],
  without: target.without ?? [],
  limits: target.limits ?? {},
  backends: target.backends ?? {},
})

/** The default for how long a run may take. */
const LONGEST = { quick: '15m', standard: '30m', thorough: '60m' }

/** The configuration with its defaults. */
export const completeRun = (file: ConfigFile, folder: string, effort: keyof typeof LONGEST = 'standard'): RunConfig => ({
  name: file.name ?? 'target',
  targets: (file.targets ?? []).map((target) => completeTarget(target, folder)),
  timing: {
    grace: duration(file.timing?.grace ?? '15s', 'timing.grace', 0),
    timeout: duration(file.timing?.timeout ?? '30s', 'timing.timeout'),
    run: duration(file.timing?.run ?? LONGEST[effort], 'timing.run'),
  },
  concurrency: file.concurrency ?? 16,
  rate: file.rate ?? 0,
  folder,
})
