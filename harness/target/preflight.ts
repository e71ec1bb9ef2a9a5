/** Before the first check: says in seconds what is wrong with a target, measures its clock, probes what it serves. */
import { Blocked, Denied, LostAnswer, Unsupported } from '../base/errors.ts'
import { isObject } from '../base/json.ts'
import { parseJson } from '../base/parse.ts'
import { textOf } from '../base/text.ts'
import type { Contract, Operation } from '../contract/contract.ts'
import { responseSpecOf } from '../contract/validate.ts'
import { readToken } from './caller-tokens.ts'
import { knownDialects, loadDialect } from './dialect.ts'
import { FEATURES, type Feature, type Provided } from './features.ts'
import type { WireAnswer } from './http.ts'
import { knock } from './knock.ts'
import { missingFeatures } from './missing-features.ts'
import { SENDINGS } from './noise.ts'
import { productOf } from './product.ts'
import { addressingOf, plainSender, type Target, untilAnswered } from './target.ts'
import { encodeCall } from './wire.ts'

export interface Preflight {
  notes: string[]
  /** Product and version, as the server says them of itself. */
  server?: string
}

const skewOf = (answer: WireAnswer, sentAt: number): number => {
  const date = Date.parse(answer.headers.date ?? '')
  // A Date header has whole seconds: its middle is the best guess.
  return Number.isNaN(date) ? 0 : (date + 500 - (sentAt + Date.now()) / 2) / 1000
}

const timedKnock = async (target: Target): Promise<{ answer: WireAnswer; skew: number }> => {
  const sentAt = Date.now()
  const answer = await knock(target)
  return { answer, skew: skewOf(answer, sentAt) }
}

/** How many seconds the target's clock is ahead of ours, asked now. @throws Blocked where it does not answer. */
export const measureClock = async (target: Target): Promise<number> => (await timedKnock(target)).skew

const SEALED = 503
const UNINITIALISED = 501

/** @returns the version that the health endpoint says. */
const checkHealth = async (target: Target): Promise<string | undefined> => {
  const { status, body } = await plainSender(target)('GET', 'sys/health', { token: null })
  if (status === SEALED) throw new Blocked('the server is sealed or down for maintenance (503)', 'unseal it')
  if (status === UNINITIALISED) throw new Blocked('the server is not initialised (501)', 'initialise and unseal it')
  return typeof body.version === 'string' && body.version !== '' ? body.version : undefined
}

const otherDialect = async (target: Target): Promise<string | undefined> => {
  for (const name of knownDialects().filter((known) => known !== target.dialect.dialect)) {
    const { status } = await plainSender({ ...target, dialect: loadDialect(name) })('GET', 'auth/token/lookup-self')
    if (status === 200) return name
  }
  return undefined
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400

const redirected = (status: number, location = 'no address'): Blocked =>
  new Blocked(
    `the server redirects requests of this API (${status}) to ${location}`,
    'give the URL that it names, or one without a login in front of it',
  )

const NOT_THIS_API = 'this is not a server of this API'

const TOKEN_REMEDY = 'check --token, --token-file, --token-command, identities.root of the configuration or ASSAY_TOKEN'

/** Whether the token is good, asked where the family's servers tell; only for provisioners that need those endpoints anyway. */
const checkToken = async (target: Target): Promise<void> => {
  const answer = await plainSender(target)('GET', 'auth/token/lookup-self')
  if (answer.status === 200) {
    if (typeof answer.body.data !== 'object' || answer.body.data === null)
      throw new Blocked(`${NOT_THIS_API}: it answers a token lookup with 200 and no \`data\``, 'check the URL and its port')
    const shown = (answer.body.data as { display_name?: unknown }).display_name
    if (typeof shown === 'string' && target.root.displayName === undefined) target.root.displayName = shown
    return
  }
  if (isRedirect(answer.status)) throw redirected(answer.status, answer.location)
  if (answer.status >= 500)
    throw new Blocked(`the server answers a token lookup with ${answer.status}`, 'check the URL, and the log of the server')
  if (answer.status !== 403 && answer.status !== 401) return
  const other = await otherDialect(target)
  if (other !== undefined)
    throw new Blocked(`the server does not speak the dialect ${target.dialect.dialect}; ${other} works`, `pass --dialect ${other}`)
  throw new Blocked(`the server refuses the token (${answer.status})`, TOKEN_REMEDY)
}

/** Why a type cannot be mounted; undefined when it can. */
const probeMount = async (target: Target, type: string): Promise<Blocked | undefined> => {
  try {
    const made = await target.provisioner.mount({ type, name: `assay-probe-${type}-${process.pid}`, exclusive: false, namespace: '' })
    if (made.undo !== undefined) await target.provisioner.undo(made.undo)
    return undefined
  } catch (error) {
    if (error instanceof Blocked) return error
    throw error
  }
}

const askOperation = async (target: Target, operation: Operation, mountPath?: string): Promise<WireAnswer> => {
  const path = Object.fromEntries(operation.parameters.map(({ name }) => [name, `assay-probe-${process.pid}`]))
  const request = encodeCall(addressingOf(target), operation, {
    path,
    token: target.root.token,
    mountPath,
    effectiveNamespace: target.config.namespace,
  })
  return (await untilAnswered(target.http, request, { operation, token: target.root.token }, SENDINGS, target.http.probeDeadline)).answer
}

const valueIn = (bytes: Uint8Array): unknown => {
  const parsed = parseJson(textOf(bytes))
  return 'value' in parsed ? parsed.value : undefined
}

/** How servers of the family say in an error body that they have no such route. */
const NO_ROUTE = /unsupported path|no handler for route/i

/** Whether an operation is at a path of its own: any path at all may be unknown without saying anything of the engine. */
const hasRoute = ({ path }: Operation): boolean => path.split('/').some((segment) => /^[^{]/.test(segment))

/** Whether an operation at a path of its own answers in JSON, and can be asked without anything being made for it. */
const isReadable = (operation: Operation, target: Target): boolean => {
  const { api, method, mount } = operation
  const isPlaced = mount === undefined ? hasRoute(operation) : target.config.mounts[mount] !== undefined
  return api === target.api.api && method === 'GET' && isPlaced && isObject(responseSpecOf(operation, 200)?.schema)
}

/** Whether a value has a member that answers of an operation must have, where its schema names any. */
const hasMemberOf = (operation: Operation, value: unknown): boolean => {
  if (!isObject(value)) return false
  const { required = [] } = (responseSpecOf(operation, 200)?.schema ?? {}) as { required?: string[] }
  return required.length === 0 || required.some((name) => Object.hasOwn(value, name))
}

/** A login page, or a server of another kind, answers the read of what was never made as if it were there. */
const requireApi = async (contract: Contract, target: Target): Promise<void> => {
  const operation = [...contract.operations.values()].find((one) => isReadable(one, target))
  if (operation === undefined) return
  const mount = operation.mount === undefined ? undefined : target.config.mounts[operation.mount]
  const { status, headers, bytes } = await askOperation(target, operation, mount?.path)
  if (isRedirect(status)) throw redirected(status, headers.location)
  if (status >= 300 || hasMemberOf(operation, valueIn(bytes))) return
  const type = (headers['content-type'] ?? 'no media type').split(';')[0]
  throw new Blocked(
    `${NOT_THIS_API}: it answers ${operation.method} ${operation.path} with ${status} and ${type}`,
    'check the URL and its port',
  )
}

const probeOperation = async (target: Target, operation: Operation): Promise<boolean> => {
  const { status, bytes } = await askOperation(target, operation)
  // A missing object and a missing route both answer 404; the former says so in its own media type.
  const text = Buffer.from(bytes).toString('utf8')
  return status < 500 && status !== 405 && (status !== 404 || (text.includes('"errors"') && !(hasRoute(operation) && NO_ROUTE.test(text))))
}

const ownOperations = (contract: Contract, engine: string): Operation[] =>
  [...contract.operations.values()].filter((operation) => operation.engine === engine)

const mountTypes = (contract: Contract, engine: string): string[] => [
  ...new Set(ownOperations(contract, engine).flatMap(({ mount }) => (mount === undefined ? [] : [mount]))),
]

const probeEngine = async (contract: Contract, target: Target, engine: string): Promise<boolean> => {
  const read = ownOperations(contract, engine).find((operation) => operation.method === 'GET')
  return read === undefined || (await probeOperation(target, read))
}

const probeEngines = async (contract: Contract, target: Target, signal: AbortSignal): Promise<void> => {
  const refusals: Blocked[] = []
  let mounted = 0
  for (const { id } of [...contract.engines.values()].filter((known) => known.api === target.api.api)) {
    const types = target.api.mounts ? mountTypes(contract, id) : []
    const refused = await firstRefusal(target, types, signal)
    if (refused !== undefined) refusals.push(refused)
    else if (types.length > 0) mounted += 1
    if (types.length > 0 ? refused === undefined : await probeEngine(contract, target, id)) target.engines.push(id)
  }
  const denied = refusals.find((refusal) => refusal instanceof Denied)
  if (mounted === 0 && denied !== undefined) throw denied
}

const firstRefusal = async (target: Target, types: string[], signal: AbortSignal): Promise<Blocked | undefined> => {
  for (const type of types) {
    signal.throwIfAborted()
    const refused = await probeMount(target, type)
    signal.throwIfAborted()
    // Each of the others would be waited for as long.
    if (refused instanceof LostAnswer) throw refused
    if (refused !== undefined) return refused
  }
  return undefined
}

const firstMountType = (contract: Contract, target: Target): string | undefined =>
  target.engines.flatMap((engine) => mountTypes(contract, engine))[0]

/** A token that may read but not prepare the server would make legal refusals look like violations. */
const checkAuthority = async (contract: Contract, target: Target): Promise<void> => {
  const first = firstMountType(contract, target)
  const refused = first === undefined ? undefined : await probeMount(target, first)
  if (refused instanceof Denied) throw refused
}

/** Takes from the provisioner what it cannot give on this target, and says it. */
const checkFeatures = async (contract: Contract, target: Target, signal: AbortSignal): Promise<string[]> => {
  target.missing = await missingFeatures(target, firstMountType(contract, target), signal)
  const lacking: Feature[] = []
  const notes: string[] = []
  for (const [feature, why] of target.missing) {
    target.provisioner.features.delete(feature as Provided)
    if (why instanceof Unsupported) lacking.push(feature)
    else notes.push(`${target.api.title}: ${FEATURES[feature]} could not be tried: ${why.message}; ${why.remedy}`)
  }
  const unsaid = lacking.filter((feature) => !target.config.without.includes(feature))
  if (unsaid.length > 0)
    notes.push(
      `${target.api.title}: the server lacks ${unsaid.map((feature) => FEATURES[feature]).join(', ')}: if so it is meant, say without: [${unsaid.join(', ')}] in its configuration`,
    )
  return notes
}

const TOKEN_REFUSED = [401, 403]
const NO_ANSWER = 0

/** Whether every listing of the configured mounts is refused: a token that may do anything at all may list one of them. */
const refusedEverywhere = async (contract: Contract, target: Target): Promise<boolean> => {
  const listings = target.engines.flatMap((engine) => ownOperations(contract, engine)).filter(({ isList }) => isList)
  const statuses: number[] = []
  for (const operation of listings) {
    const mount = operation.mount === undefined ? undefined : target.config.mounts[operation.mount]
    if (mount !== undefined) statuses.push((await askOperation(target, operation, mount.path)).status)
  }
  return statuses.length > 0 && statuses.every((status) => TOKEN_REFUSED.includes(status))
}

/** Asks what the token of the run may ask now, so that it can be asked again when something goes wrong. */
const watchToken = async (contract: Contract, target: Target): Promise<void> => {
  const { api, mounts, tokenLookup } = target.api
  const read = [...contract.operations.values()].find((operation) => operation.api === api && operation.method === 'GET')
  const ask = async (): Promise<number> => {
    try {
      if (tokenLookup !== undefined) return (await plainSender(target)('GET', tokenLookup)).status
      return read === undefined ? NO_ANSWER : (await askOperation(target, read)).status
    } catch {
      return NO_ANSWER
    }
  }
  const status = await ask()
  if (TOKEN_REFUSED.includes(status) && (mounts ? await refusedEverywhere(contract, target) : status === 401))
    throw new Blocked(`the server refuses the token (${status})`, TOKEN_REMEDY)
  if ([NO_ANSWER, ...TOKEN_REFUSED].includes(status)) return
  target.tokenLost = async () => TOKEN_REFUSED.includes(await ask())
}

/**
 * Examines a target and completes it (clock, display name, probed engines).
 *
 * @param signal ends it between two steps: what a step has made is removed before.
 * @throws Blocked with the reason and the remedy, or the reason of the signal.
 */
export const preflight = async (
  contract: Contract,
  target: Target,
  signal: AbortSignal = new AbortController().signal,
): Promise<Preflight> => {
  const { answer, skew } = await timedKnock(target)
  signal.throwIfAborted()
  target.clockSkew = skew
  let version: string | undefined
  if (target.provisioner.kind === 'sys') {
    version = await checkHealth(target)
    await checkToken(target)
    signal.throwIfAborted()
  } else await requireApi(contract, target)
  const notes: string[] = []
  if (Math.abs(target.clockSkew) > 5)
    notes.push(`${target.api.title}: its clock differs from ours by ${target.clockSkew.toFixed(0)} s; times are compared with it`)
  if (target.http.proxy !== undefined) notes.push(`${target.api.title}: reached through the proxy ${target.http.proxy.origin}`)
  if (target.config.tls.skipVerify === true) notes.push('the certificate of the target was not verified (--tls-skip-verify)')
  if (target.probed) {
    await probeEngines(contract, target, signal)
    notes.push(`${target.api.title}: engines found by probing: ${target.engines.join(', ') || 'none'}`)
  } else if (target.provisioner.kind === 'sys') await checkAuthority(contract, target)
  signal.throwIfAborted()
  if (target.provisioner.kind === 'sys') notes.push(...(await checkFeatures(contract, target, signal)))
  signal.throwIfAborted()
  await watchToken(contract, target)
  for (const token of target.tokens) await readToken(target, token)
  signal.throwIfAborted()
  const server = productOf(answer.headers, version)
  return { notes, ...(server === '' ? {} : { server }) }
}
