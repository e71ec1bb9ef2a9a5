/** `assay serve`: the reference server by itself. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import type { Engine } from '../../reference/core/engine.ts'
import type { LateSettings } from '../../reference/core/operator.ts'
import { allEngines } from '../../reference/engines/index.ts'
import { createReference } from '../../reference/index.ts'
import { shellWord } from '../base/shell.ts'
import { UsageError } from '../base/usage.ts'
import { PERMISSIONS } from '../target/configured-names.ts'
import { ADMINISTRATIVE_NAMESPACE, operatorSettings } from './embedded.ts'
import { namedMutations } from './mutations.ts'

export interface ServeOptions {
  listen: string
  port?: number
  dialect: 'native' | 'vault'
  tls: boolean
  caOut?: string
  rootToken?: string
  library?: Record<string, string>
  cloudProxy?: string
  cloudCa?: string
  fault?: string[]
  variant?: string[]
}

const addressOf = (text: string): { host: string; port: number } => {
  const match = /^(.*):(\d+)$/.exec(text)
  const port = Number(match?.[2])
  if (match === null || port > 65_535) throw new UsageError(`--listen: ${JSON.stringify(text)} is not HOST:PORT, e.g. 127.0.0.1:8200`)
  return { host: match[1]!.replace(/^\[|\]$/g, ''), port }
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))

const writeAuthority = (file: string, pem: string): void => {
  try {
    writeFileSync(file, `${pem.trimEnd()}\n`)
  } catch (error) {
    throw new UsageError(`--ca-out: cannot write ${file}: ${(error as Error).message}`)
  }
}

/** What the flags say of backends that only a server's operator can name. */
const operatorOf = ({ library: modules = {}, cloudProxy, cloudCa }: ServeOptions): LateSettings => {
  if ((cloudProxy === undefined) !== (cloudCa === undefined)) throw new UsageError('--cloud-proxy and --cloud-ca belong together')
  const libraries = Object.fromEntries(Object.entries(modules).map(([name, module]) => [name, { module, environment: {} }]))
  const cloud = cloudProxy === undefined || cloudCa === undefined ? {} : { cloud: { proxy: cloudProxy, caFile: cloudCa } }
  return operatorSettings({ libraries, ...cloud })
}

/** Whether an engine has what it needs; one without it is not served, so that missing flags cause no violations. */
const isEquipped = ({ operator }: Engine, { libraries, cloud }: LateSettings): boolean =>
  operator === undefined || (operator === 'cloud' ? cloud !== undefined : Object.keys(libraries ?? {}).length > 0)

const FLAGS = { libraries: '--library', cloud: '--cloud-proxy and --cloud-ca' } as const

/** Lines on the engines that are left out, with the flags that bring them. */
const leftOut = (engines: readonly Engine[]): string[] =>
  engines.flatMap(({ type, operator }) => (operator === undefined ? [] : [`not served   ${type}: wants ${FLAGS[operator]}`]))

interface Served {
  url: string
  rootToken: string
  unsealKey: string
}

/** What checks of keys that the server manages ask of its operator, as variables of a shell. */
const managedKeysWords = (libraries: readonly string[]): string[] =>
  libraries.length === 0
    ? []
    : [`ASSAY_MANAGED_KEYS_LIBRARY=${libraries[0]}`, `ASSAY_MANAGED_KEYS_ADMINISTRATIVE_NAMESPACE=${ADMINISTRATIVE_NAMESPACE}`]

/** The lines that certify what is served, as they are typed into a shell elsewhere. */
const certifyLines = (
  { url, rootToken, unsealKey }: Served,
  { tls, caOut, dialect, library: modules }: ServeOptions,
  hasControl: boolean,
): string[] => {
  const trust = !tls ? [] : caOut === undefined ? ['--tls-skip-verify'] : ['--ca-cert', caOut]
  const spelling = dialect === 'native' ? [] : ['--dialect', dialect]
  const certify = ['npx', 'assay', 'certify', url, ...trust]
  const secrets = [...certify, ...spelling, '--allow', PERMISSIONS.join(',')]
  const runs = [...certify, '--api', 'run-management', '--provisioner', `${url}/control`]
  const line = (words: string[]): string => words.map(shellWord).join(' ')
  const settings = [
    `ASSAY_TOKEN=${shellWord(rootToken)}`,
    `ASSAY_CORE_UNSEAL_KEY=${shellWord(unsealKey)}`,
    ...managedKeysWords(Object.keys(modules ?? {})),
  ]
  return ['certify it from another terminal:', `  ${settings.join(' ')} ${line(secrets)}`, ...(hasControl ? [`  ${line(runs)}`] : [])]
}

export const serve = async (options: ServeOptions): Promise<void> => {
  const { host, port } = options.port === undefined ? addressOf(options.listen) : { host: '127.0.0.1', port: options.port }
  if (options.caOut !== undefined && !options.tls) throw new UsageError('--ca-out needs TLS: leave out --no-tls')
  const operator = operatorOf(options)
  const mutations = namedMutations(options)
  const equipped = allEngines.filter((engine) => isEquipped(engine, operator))
  const reference = createReference({
    engines: equipped,
    administrativeNamespace: ADMINISTRATIVE_NAMESPACE,
    dialect: options.dialect,
    tls: options.tls,
    control: isLoopback(host),
    ...mutations,
    ...(options.rootToken === undefined ? {} : { rootToken: options.rootToken }),
  })
  reference.operate(operator)
  try {
    await reference.listen(host, port)
  } catch (error) {
    throw new UsageError(`cannot listen on ${host}:${port}: ${(error as Error).message}`)
  }
  if (options.caOut !== undefined && reference.caPem !== undefined) writeAuthority(options.caOut, reference.caPem)
  const lines = [`listening on ${reference.url}`, `root token   ${reference.rootToken}`, `unseal key   ${reference.unsealKey}`]
  if (options.caOut !== undefined) lines.push(`authority    ${options.caOut}`)
  lines.push(isLoopback(host) ? `seeding      ${reference.url}/control` : 'seeding      none: /control is served on loopback only')
  lines.push(...leftOut(allEngines.filter((engine) => !equipped.includes(engine))))
  lines.push(...certifyLines(reference, options, isLoopback(host)))
  // Listen before the lines are printed: their reader may stop the server at once.
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  process.stdout.write(`${lines.join('\n')}\n`)
  await stopped
  await reference.close()
}
