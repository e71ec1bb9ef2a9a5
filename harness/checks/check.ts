/** Registration of checks and samples; importing a check file is all it takes. */
import type { CheckBody, CheckDefinition, CheckOptions, ContractCheck, RunnableCheck, Sample } from './vocabulary.ts'

const checks = new Map<string, RunnableCheck>()
const samples = new Map<string, Sample>()

/** Where registrations go instead, while a file of checks is read again by another runner; samples stay as they are. */
export interface Collector {
  check(definition: RunnableCheck): void
  /** @param id of the sweep. */
  sweep(id: string): void
}

let collector: Collector | undefined

/** Sends what is registered from now on to a collector; undefined: to the registry again. */
export const collectWith = (next: Collector | undefined): void => {
  collector = next
}

/** Who collects now, if anybody does. */
export const currentCollector = (): Collector | undefined => collector

/** Clauses as a list. */
export const clauseList = (clauses: string | string[]): string[] => (Array.isArray(clauses) ? clauses : [clauses])

/** Milliseconds for a whole check: generous, because a machine may be slow and many checks run side by side. */
export const DEFAULT_DEADLINE = 180_000

/**
 * Registers a check.
 *
 * @param id engine and behaviour, e.g. `ssh/otp-single-use`; permanent.
 * @param clauses the clause it decides, or the few that `bench.decide` tells apart.
 * @param title what holds on a correct server, in one line.
 */
export function check(id: string, clauses: string | string[], title: string, body: CheckBody): void
export function check(id: string, clauses: string | string[], title: string, options: CheckOptions, body: CheckBody): void
export function check(id: string, clauses: string | string[], title: string, first: CheckOptions | CheckBody, second?: CheckBody): void {
  const options = typeof first === 'function' ? {} : first
  const body = typeof first === 'function' ? first : second
  if (body === undefined) throw new Error(`check ${id} has no body`)
  const definition: RunnableCheck = {
    id,
    engine: id.slice(0, id.indexOf('/')),
    clauses: clauseList(clauses),
    title,
    kind: options.kind ?? 'scenario',
    needs: options.needs ?? {},
    deadline: options.deadline ?? DEFAULT_DEADLINE,
    ...(options.waits === undefined ? {} : { waits: options.waits }),
    ...(options.makesKeys === undefined ? {} : { makesKeys: options.makesKeys }),
    ...(options.operation === undefined ? {} : { operation: options.operation }),
    body,
  }
  if (collector !== undefined) {
    collector.check(definition)
    return
  }
  if (checks.has(id)) throw new Error(`check ${id} is registered twice`)
  checks.set(id, definition)
}

/** Registers how to make a request of an operation that succeeds; the sweeps of every engine run over these. */
export function sample(definition: Sample): void {
  if (samples.has(definition.operation)) throw new Error(`operation ${definition.operation} has two samples`)
  samples.set(definition.operation, definition)
}

export const registeredChecks = (): RunnableCheck[] => [...checks.values()]
export const registeredSamples = (): Sample[] => [...samples.values()]

/** Kinds whose cases are drawn: they stop at the first case that fails, and which clauses they come to is a matter of chance anyway. */
export const DRAWN: readonly string[] = ['property', 'model', 'race']

/** Whether a check sends requests of its own. */
export const isRunnable = (check: CheckDefinition): check is RunnableCheck => check.body !== undefined

/** Whether the answers to other checks decide it. */
export const isContractCheck = (check: CheckDefinition): check is ContractCheck => check.body === undefined

/** Whether a check takes the server away from all others while it runs: what is not to do with that comes before it. */
export const takesServerAway = (check: CheckDefinition): boolean => isRunnable(check) && check.needs.allow === 'seal'
