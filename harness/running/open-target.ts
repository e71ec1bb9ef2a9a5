/** Opens a target of the configuration: dialect, connection, identities, provisioner. */
import { useCredentials } from '../base/credential-guard.ts'
import { requireKnown, UsageError } from '../base/usage.ts'
import type { Contract } from '../contract/contract.ts'
import { learnerOf } from '../secrets/learn.ts'
import type { SecretRegistry } from '../secrets/secrets.ts'
import { recorded } from '../sending/recorded.ts'
import { fetchTokens } from '../target/caller-tokens.ts'
import { loadDialect } from '../target/dialect.ts'
import type { CallerToken, Identity } from '../target/exchange.ts'
import { requireHeaders, tokenOf } from '../target/given-tokens.ts'
import { HttpClient } from '../target/http.ts'
import { OBJECT, removeObject } from '../target/left-objects.ts'
import { noiseIn } from '../target/noise.ts'
import { secretsInHeaders } from '../target/own-headers.ts'
import type { Provisioner, ProvisionerContext, UndoEntry } from '../target/provisioner.ts'
import { commandProvisioner } from '../target/provisioners/command.ts'
import { staticProvisioner } from '../target/provisioners/static.ts'
import { sysProvisioner } from '../target/provisioners/sys.ts'
import { proxyTo } from '../target/proxy.ts'
import type { RunConfig, TargetConfig } from '../target/run-configuration.ts'
import { plainSender, prefixOf, type Target, THROTTLED } from '../target/target.ts'
import { tokenFromCommand } from '../target/token-command.ts'
import { urlOf } from '../target/url.ts'

/** The failure that a server itself answers with; what is above it may be a gateway's. */
const OWN_FAILURE = 500

export interface OpenOptions {
  run: string
  /** Token of `--token` or `--token-file`; goes before the configuration's root identity. */
  token?: string
  /** Takes in what is secret of every exchange. */
  secrets: SecretRegistry
  /** Told before an object is made. */
  journal(target: TargetConfig, entry: UndoEntry): void
  /** Told when an object is gone again. */
  removed(target: TargetConfig, entry: UndoEntry): void
  signal: AbortSignal
}

const identitiesOf = (
  config: TargetConfig,
  folder: string,
  options: OpenOptions,
  secret: (value: string) => void,
): Record<string, Identity> => {
  const identities: Record<string, Identity> = {}
  const given: TargetConfig['identities'] = { ...(options.token === undefined ? {} : { root: {} }), ...config.identities }
  for (const [name, identity] of Object.entries(given)) {
    if (identity.provisioned === true) continue
    const given = name === 'root' ? options.token : undefined
    const token = given ?? (identity.tokenCommand === undefined ? tokenOf(name, identity, folder) : '')
    if (token !== '') secret(token)
    identities[name] = { name, token, ...(identity.displayName === undefined ? {} : { displayName: identity.displayName }) }
  }
  return identities
}

const provisionerOf = (config: TargetConfig, context: ProvisionerContext): Provisioner => {
  if (config.provisioner.kind === 'sys') return sysProvisioner(context)
  return config.provisioner.kind === 'static' ? staticProvisioner(context) : commandProvisioner(context, config.provisioner, config.tls)
}

/**
 * Gets the tokens that nobody gave: those that a command prints; and the command provisioner makes the caller who may do everything.
 *
 * @returns what undoes it.
 * @throws Blocked where the command fails, or the provisioner has none.
 */
export const provideTokens = async (target: Target): Promise<UndoEntry[]> => {
  const { root, provisioner } = target
  await fetchTokens(target)
  if (root.token !== '') return []
  const undo = (await provisioner.prepare?.([root.name])) ?? []
  Object.assign(root, provisioner.named(root.name))
  return undo
}

/**
 * Opens one target; sends nothing yet.
 *
 * @throws UsageError for a bad URL, dialect, API, engine, token file or certificate file.
 */
export const openTarget = (contract: Contract, run: RunConfig, config: TargetConfig, options: OpenOptions): Target => {
  requireKnown('api', [config.api], [...contract.apis.keys()])
  const api = contract.apis.get(config.api)!
  const known = [...contract.engines.values()].filter((engine) => engine.api === api.api).map((engine) => engine.id)
  requireKnown('engine', config.engines ?? [], known)
  const url = urlOf(config.url, 'the URL of the target')
  if (url.pathname.replace(/\/+$/, '').endsWith(api.basePath))
    throw new UsageError(`the URL of the target ends with ${api.basePath}, which is added to every request: leave it out`)
  requireHeaders(config.headers)
  options.secrets.addPublic(url)
  const secret = (value: string): void => {
    options.secrets.add(value)
    useCredentials(value)
  }
  const proxy = proxyTo(url, config.proxy)
  if (proxy !== undefined && proxy.password !== '') secret(decodeURIComponent(proxy.password))
  const dialect = loadDialect(config.dialect, run.folder)
  const identities = identitiesOf(config, run.folder, options, secret)
  for (const value of secretsInHeaders(config.headers)) secret(value)
  const root = identities.root ?? (config.provisioner.kind === 'command' ? { name: 'root', token: '' } : undefined)
  if (root === undefined)
    throw new UsageError(
      'no token for the target: pass --token, --token-file or --token-command, set ASSAY_TOKEN or identities.root in the configuration',
    )
  const off = [THROTTLED, ...Object.keys(api.retry ?? {}).map(Number)]
  const learn = learnerOf(options.secrets, dialect)
  const http: HttpClient = new HttpClient({
    url,
    tls: config.tls,
    proxy,
    timeout: run.timing.timeout,
    concurrency: run.concurrency,
    rate: run.rate,
    probePath: `${prefixOf(url)}${api.basePath}/`,
    puttingOff: (answer) =>
      off.includes(answer.status) || (answer.status > OWN_FAILURE && noiseIn(answer, undefined, http.takenAway) !== undefined),
    learn,
    signal: options.signal,
  })
  const base = { api, config, dialect, http, root }
  const tokens = Object.values(identities).flatMap((identity): CallerToken[] => {
    const { tokenCommand: command, displayName } = config.identities[identity.name] ?? {}
    const isGiven = identity.token !== '' || command === undefined
    if (isGiven && identity !== root) return []
    const known = {
      identity,
      isNamed: displayName !== undefined,
      ends: Number.POSITIVE_INFINITY,
      life: Number.POSITIVE_INFINITY,
      renewable: false,
    }
    return [isGiven ? known : { ...known, fetch: () => tokenFromCommand(command, run.timing.timeout, secret) }]
  })
  const prepared: Target['prepared'] = { sent: [], made: [] }
  // Reading changes nothing that evidence would have to repeat.
  const send = plainSender(base, (done) => void (['GET', 'LIST'].includes(done.request.method) || prepared.sent.push(recorded(done))))
  const leave = (entry: UndoEntry): void => {
    prepared.made.push(entry)
    options.journal(config, entry)
  }
  const provisioner = provisionerOf(config, {
    run: options.run,
    send,
    secret,
    learn,
    journal: leave,
    unmade: (entry) => options.removed(config, entry),
    mountType: (type) => dialect.mountTypes?.[type] ?? { type },
    identities,
    mounts: config.mounts,
    fixtures: config.fixtures,
    timeout: run.timing.timeout,
  })
  const { undo } = provisioner
  provisioner.undo = async (entry, force) => {
    await (entry.kind === OBJECT ? removeObject(send, entry) : undo(entry, force))
    options.removed(config, entry)
  }
  return {
    ...base,
    tokens,
    formerTokens: [],
    provisioner,
    missing: new Map(),
    present: new Set(),
    prepared,
    leave,
    engines: config.engines ?? [],
    probed: config.engines === undefined,
    clockSkew: 0,
  }
}
