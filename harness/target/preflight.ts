/** Before the first check: says in seconds what is wrong with a target, measures its clock, probes what it serves. */
import { Blocked } from '../checks/errors.ts'
import type { Contract, Operation } from '../contract/types.ts'
import { knownDialects, loadDialect } from './dialect.ts'
import { explainFailure } from './failures.ts'
import type { WireAnswer } from './http.ts'
import { addressingOf, plainSender, type Target } from './target.ts'
import { encodeCall } from './wire.ts'

export interface Preflight {
  notes: string[]
  /** What the `Server` header says. */
  server?: string
}

const PROBE_DEADLINE = 10_000

/** A first request that any server of either API answers in some way. */
const knock = async (target: Target): Promise<WireAnswer> => {
  try {
    return await target.http.send(
      { method: 'GET', path: `${target.http.url.pathname.replace(/\/$/, '')}${target.api.basePath}/`, headers: {} },
      PROBE_DEADLINE,
    )
  } catch (error) {
    const { reason, cure } = explainFailure(error, target.http.url.host)
    throw new Blocked(reason, cure)
  }
}

const skewOf = (answer: WireAnswer, sentAt: number): number => {
  const date = Date.parse(answer.headers.date ?? '')
  // A Date header has whole seconds: its middle is the best guess.
  return Number.isNaN(date) ? 0 : (date + 500 - (sentAt + Date.now()) / 2) / 1000
}

const SEALED = 503
const UNINITIALISED = 501

const checkHealth = async (target: Target): Promise<void> => {
  const { status } = await plainSender(target)('GET', 'sys/health', { token: null })
  if (status === SEALED) throw new Blocked('the server is sealed or down for maintenance (503)', 'unseal it')
  if (status === UNINITIALISED) throw new Blocked('the server is not initialised (501)', 'initialise and unseal it')
}

const otherDialect = async (target: Target): Promise<string | undefined> => {
  for (const name of knownDialects().filter((known) => known !== target.dialect.dialect)) {
    const { status } = await plainSender({ ...target, dialect: loadDialect(name) })('GET', 'auth/token/lookup-self')
    if (status === 200) return name
  }
  return undefined
}

/** Whether the token is good, asked where the family's servers tell; only for provisioners that need those endpoints anyway. */
const checkToken = async (target: Target): Promise<void> => {
  const answer = await plainSender(target)('GET', 'auth/token/lookup-self')
  if (answer.status === 200) {
    const shown = (answer.body.data as { display_name?: unknown } | undefined)?.display_name
    if (typeof shown === 'string' && target.root.displayName === undefined) target.root.displayName = shown
    return
  }
  if (answer.status !== 403 && answer.status !== 401) return
  const other = await otherDialect(target)
  if (other !== undefined)
    throw new Blocked(`the server does not speak the dialect ${target.dialect.dialect}; ${other} works`, `pass --dialect ${other}`)
  throw new Blocked(`the server refuses the token (${answer.status})`, 'check --token, --token-file or ASSAY_TOKEN')
}

const probeMount = async (target: Target, type: string): Promise<boolean> => {
  try {
    const made = await target.provisioner.mount({ type, name: `assay-probe-${type}-${process.pid}`, exclusive: false, namespace: '' })
    if (made.undo !== undefined) await target.provisioner.undo(made.undo)
    return true
  } catch (error) {
    if (error instanceof Blocked) return false
    throw error
  }
}

const probeOperation = async (target: Target, operation: Operation): Promise<boolean> => {
  const path = Object.fromEntries(operation.parameters.map(({ name }) => [name, `assay-probe-${process.pid}`]))
  const request = encodeCall(addressingOf(target), operation, {
    path,
    token: target.root.token,
    mountPath: undefined,
    effectiveNamespace: target.config.namespace,
  })
  const { status, bytes } = await target.http.send(request, PROBE_DEADLINE)
  // A missing object and a missing route both answer 404; the former says so in its own media type.
  return (
    status < 500 && status !== 405 && (status !== 404 || (bytes.length > 0 && Buffer.from(bytes).toString('utf8').includes('"errors"')))
  )
}

const hasMount = (contract: Contract, engine: string): string[] => [
  ...new Set(
    [...contract.operations.values()]
      .filter((operation) => operation.engine === engine && operation.mount !== undefined)
      .map((operation) => operation.mount!),
  ),
]

const probeEngine = async (contract: Contract, target: Target, engine: string): Promise<boolean> => {
  const own = [...contract.operations.values()].filter((operation) => operation.engine === engine)
  const types = hasMount(contract, engine)
  if (target.api.mounts && types.length > 0) {
    for (const type of types) if (!(await probeMount(target, type))) return false
    return true
  }
  const read = own.find((operation) => operation.method === 'GET')
  return read === undefined || (await probeOperation(target, read))
}

/**
 * Examines a target and completes it (clock, display name, probed engines).
 *
 * @throws Blocked with the reason and the cure.
 */
export const preflight = async (contract: Contract, target: Target): Promise<Preflight> => {
  const sentAt = Date.now()
  const answer = await knock(target)
  target.clockSkew = skewOf(answer, sentAt)
  if (target.provisioner.kind === 'sys') {
    await checkHealth(target)
    await checkToken(target)
  }
  const notes: string[] = []
  if (Math.abs(target.clockSkew) > 5)
    notes.push(`the target's clock differs from ours by ${target.clockSkew.toFixed(0)} s; times are compared with its clock`)
  if (target.config.tls.skipVerify === true) notes.push('the certificate of the target was not verified (--tls-skip-verify)')
  if (target.probed) {
    for (const engine of [...contract.engines.values()].filter((known) => known.api === target.api.api)) {
      if (await probeEngine(contract, target, engine.id)) target.engines.push(engine.id)
    }
    notes.push(`${target.api.title}: engines found by probing: ${target.engines.join(', ') || 'none'}`)
  }
  return { notes, ...(answer.headers.server === undefined ? {} : { server: answer.headers.server }) }
}
