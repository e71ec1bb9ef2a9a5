/** Registration of checks and samples; importing a check file is all it takes. */
import type { CheckBody, CheckDefinition, CheckOptions, Sample } from './types.ts'

const checks = new Map<string, CheckDefinition>()
const samples = new Map<string, Sample>()

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
  if (checks.has(id)) throw new Error(`check ${id} is registered twice`)
  const engine = id.slice(0, id.indexOf('/'))
  checks.set(id, {
    id,
    engine,
    clauses: clauseList(clauses),
    title,
    kind: options.kind ?? 'scenario',
    needs: options.needs ?? {},
    deadline: options.deadline ?? DEFAULT_DEADLINE,
    ...(options.operation === undefined ? {} : { operation: options.operation }),
    body,
  })
}

/** Registers how to make a request of an operation that succeeds; the sweeps of every engine run over these. */
export function sample(definition: Sample): void {
  if (samples.has(definition.operation)) throw new Error(`operation ${definition.operation} has two samples`)
  samples.set(definition.operation, definition)
}

export const registeredChecks = (): CheckDefinition[] => [...checks.values()]
export const registeredSamples = (): Sample[] => [...samples.values()]
