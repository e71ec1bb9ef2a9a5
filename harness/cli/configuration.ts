/** The configuration of a run: what the file says, and what flags and environment say over and under it. */
import { dirname } from 'node:path'
import { kinds } from '../backends/backend-kinds.ts'
import { requireKnown, UsageError } from '../base/usage.ts'
import type { Contract } from '../contract/contract.ts'
import { externalOf } from '../running/used-backends.ts'
import { hyphenated, PROVISIONERS } from '../target/configured-names.ts'
import { FEATURES } from '../target/features.ts'
import { completeRun, completeTarget, namespaceOf, type RunConfig, readConfig, type TargetConfig } from '../target/run-configuration.ts'
import type { CertifyOptions } from './certify-flags.ts'
import { headersFrom } from './flags.ts'

/** The default API of a URL. */
const USUAL_API = 'secrets'

const tlsOf = (options: CertifyOptions): TargetConfig['tls'] => ({
  ...(options.caCert === undefined ? {} : { caCert: options.caCert }),
  ...(options.clientCert === undefined ? {} : { clientCert: options.clientCert }),
  ...(options.clientKey === undefined ? {} : { clientKey: options.clientKey }),
  ...(options.tlsSkipVerify === true ? { skipVerify: true } : {}),
})

/** The flag takes another provisioner than the file's, not the command away from the file's own. */
const provisionerOf = ({ provisioner }: TargetConfig, { provisioner: said }: CertifyOptions): Partial<TargetConfig> => {
  if (said === undefined || said === provisioner.kind) return {}
  const isKind = (text: string): text is TargetConfig['provisioner']['kind'] => PROVISIONERS.includes(text)
  return { provisioner: isKind(said) ? { kind: said } : { kind: 'command', command: said } }
}

const overridesOf = (target: TargetConfig, options: CertifyOptions): Partial<TargetConfig> => ({
  ...(options.api === undefined ? {} : { api: options.api }),
  ...(options.dialect === undefined ? {} : { dialect: options.dialect }),
  ...(options.namespace === undefined ? {} : { namespace: namespaceOf(options.namespace) }),
  ...(options.proxy === undefined ? {} : { proxy: options.proxy }),
  ...provisionerOf(target, options),
  allow: [...new Set([...target.allow, ...(options.allow ?? [])])],
})

/** The flag goes over what the configuration says about its callers, and the token that the environment holds for any server under it. */
const identitiesOf = ({ identities }: TargetConfig, { tokenCommand }: CertifyOptions): TargetConfig['identities'] => {
  const { displayName } = identities.root ?? {}
  if (tokenCommand !== undefined) return { ...identities, root: { tokenCommand, ...(displayName === undefined ? {} : { displayName }) } }
  return identities.root !== undefined || !process.env.ASSAY_TOKEN ? identities : { ...identities, root: { tokenEnv: 'ASSAY_TOKEN' } }
}

const withFlags = (target: TargetConfig, options: CertifyOptions): TargetConfig => ({
  ...target,
  ...overridesOf(target, options),
  identities: identitiesOf(target, options),
  tls: { ...target.tls, ...tlsOf(options) },
  headers: { ...target.headers, ...headersFrom(options) },
})

/** Run-wide flags over a configuration. */
export const withRunFlags = (config: RunConfig, options: CertifyOptions): RunConfig => ({
  ...config,
  timing: {
    ...config.timing,
    ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
    ...(options.maxTime === undefined ? {} : { run: options.maxTime }),
  },
  concurrency: options.concurrency ?? config.concurrency,
  rate: options.rate ?? config.rate,
})

/** What a URL replaces: the target of the API that is asked for; else of the usual one, or the only one that the file has. */
const replacedBy = (targets: TargetConfig[], api: string | undefined): TargetConfig | undefined =>
  targets.find((target) => target.api === (api ?? USUAL_API)) ?? (api === undefined ? targets[0] : undefined)

/**
 * The configuration of a run against somebody's server.
 *
 * @throws UsageError when flags contradict each other or name nothing to test.
 */
export const configFrom = async (url: string | undefined, options: CertifyOptions): Promise<RunConfig> => {
  if (url !== undefined && url.trim() === '') throw new UsageError('the URL is empty: give an address such as https://127.0.0.1:8200')
  const read = url === undefined || options.config !== undefined ? await readConfig(options.config, process.cwd()) : undefined
  if (url === undefined && read === undefined) {
    throw new UsageError('nothing to certify: give a URL, --embedded, or --config FILE (assay init writes one)')
  }
  if ((options.clientCert === undefined) !== (options.clientKey === undefined))
    throw new UsageError('--client-cert and --client-key go together')
  if (options.tokenCommand !== undefined && (options.token ?? options.tokenFile) !== undefined)
    throw new UsageError('--token-command gives the token: leave out --token and --token-file')
  const folder = read === undefined ? process.cwd() : dirname(read.file)
  const base = completeRun(read?.config ?? {}, folder, options.effort)
  if (read !== undefined && base.targets.length === 0) throw new UsageError(`configuration file ${read.file} has no targets`)
  const known = replacedBy(base.targets, options.api)
  if (read !== undefined && known === undefined)
    throw new UsageError(`configuration file ${read.file} has no target with api ${options.api}`)
  if (url === undefined) {
    const targets = base.targets.filter((target) => options.api === undefined || target.api === options.api)
    return withRunFlags({ ...base, targets: targets.map((target) => withFlags(target, options)) }, options)
  }
  const target = completeTarget({ api: options.api ?? USUAL_API, ...known, url }, folder)
  return withRunFlags({ ...base, name: url, targets: [withFlags(target, options)] }, options)
}

/** What `without` may name: features, and operations of the target's API. */
const namesIn = (contract: Contract, api: string): string[] => [
  ...Object.keys(FEATURES),
  ...[...contract.operations.values()].filter((operation) => operation.api === api).map(({ id }) => id),
]

/**
 * Checks the names in a configuration that would else be passed over.
 *
 * @throws UsageError that names the first unknown one and the nearest known.
 */
export const requireKnownNames = (contract: Contract, config: RunConfig): void => {
  for (const target of config.targets) {
    requireKnown(
      'backend in the configuration',
      Object.keys(externalOf(target.backends).external),
      kinds.map(({ name }) => name),
    )
    requireKnown('feature or operation in `without` of the configuration', target.without, namesIn(contract, target.api))
    requireKnown('engine in settings of the configuration', Object.keys(target.settings).map(hyphenated), [...contract.engines.keys()])
  }
}

/**
 * Checks that nothing is said about another server beside `--embedded`.
 *
 * @throws UsageError that names what is.
 */
export const requireNoServer = (url: string | undefined, options: CertifyOptions): void => {
  const said: Record<string, unknown> = {
    'the URL': url,
    '--config': options.config,
    '--api': options.api,
    '--token': options.token,
    '--token-file': options.tokenFile,
    '--token-command': options.tokenCommand,
    '--provisioner': options.provisioner,
    '--namespace': options.namespace,
    '--header': options.header,
    '--header-env': options.headerEnv,
    '--ca-cert': options.caCert,
    '--client-cert': options.clientCert,
    '--client-key': options.clientKey,
    '--tls-skip-verify': options.tlsSkipVerify,
    '--proxy': options.proxy,
    '--allow': options.allow,
  }
  const names = Object.keys(said).filter((name) => said[name] !== undefined)
  if (names.length > 0) throw new UsageError(`--embedded certifies the reference server: leave out ${names.join(', ')}, or --embedded`)
}
