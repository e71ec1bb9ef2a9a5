/** Sweeps: one check per operation of the contract, over the samples of all claimed engines. */

import { NotServed, Refused } from '../base/errors.ts'
import type { CallInput } from '../target/exchange.ts'
import { currentCollector, DEFAULT_DEADLINE } from './check.ts'
import type { Bench, CheckContext, CheckKind, Needs, RunnableCheck, Sample } from './vocabulary.ts'

/** What a sweep may know of an operation; never its path or headers. */
export interface OperationFacts {
  id: string
  engine: string
  /** Method as documented: `GET` for listings. */
  method: string
  isList: boolean
  unauthenticated: boolean
  sudo: boolean
  /** Capability that a policy must grant, e.g. `update` or `create-update`. */
  capability: string | undefined
  mount: string | undefined
  hasBody: boolean
  /** Schema of the request body, references resolved. */
  requestSchema: { [keyword: string]: unknown } | undefined
  /** Path parameters in the order of the path. */
  parameters: { name: string; multiSegment: boolean }[]
  /** Clauses of the API on bad input: that it is refused, and that it never makes the server fail. */
  badInput: { refused: string; failed: string } | undefined
  /** Whether the contract names it first of all operations of its mount: for what is asked once of each kind of mount. */
  isFirstOfMount: boolean
  /** Ids of the operations of its mount that none of these path templates, relative to the mount, names. */
  undescribed(templates: readonly string[]): string[]
  /** Ids of the operations of its mount, or of its engine where it has none, on other paths, whose parameters are all among its own: what a caller may do there says nothing of it. */
  beside: string[]
  /** Methods that the contract lists on this operation's path, listing verb and synonyms included. */
  pathMethods: string[]
  /** Id of the listing that names what stands at its path; undefined without a listing, or if the path does not end in a single name. */
  listing: string | undefined
}

export interface SweepContext extends CheckContext {
  operation: OperationFacts
  sample: Sample
  /** Prepares and returns a request that succeeds: `sample.input(bench)`. */
  input(): Promise<CallInput>
  /** What the operation changes, or undefined where the sample has no `state`. */
  state(input: CallInput): Promise<unknown>
}

export interface SweepDefinition {
  /** Engine and behaviour, e.g. `core/no-token`; each check is `<id>/<operationId>`. */
  id: string
  clauses: string[]
  title: string
  kind: CheckKind
  /** Key of `Sample.excluded` that takes an operation out. */
  exclusion?: keyof NonNullable<Sample['excluded']>
  needs?: Needs
  /** How many namespaces, one within the other, its mounts are in; each request may spell them in its own way (`namespaceInPath`). */
  nested?: 1 | 2
  deadline?: number
  applies(operation: OperationFacts, sample: Sample): boolean
  body(context: SweepContext): Promise<void>
}

const sweeps: SweepDefinition[] = []

/**
 * Registers a sweep.
 *
 * @example
 * sweep({ id: 'core/no-token', clauses: ['CORE-AUTH-01'], title: 'refused without a token', kind: 'security', exclusion: 'unauthenticated',
 *   applies: (operation) => !operation.unauthenticated,
 *   async body({ bench, expect, operation, input, state }) { ... } })
 */
export const sweep = (definition: SweepDefinition): void => {
  const collector = currentCollector()
  if (collector !== undefined) {
    collector.sweep(definition.id)
    return
  }
  if (sweeps.some((known) => known.id === definition.id)) throw new Error(`sweep ${definition.id} is registered twice`)
  sweeps.push(definition)
}

export const registeredSweeps = (): SweepDefinition[] => [...sweeps]

const mergeNeeds = (left: Needs, right: Needs): Needs => ({
  ...left,
  ...right,
  mounts: { ...left.mounts, ...right.mounts },
  backends: [...new Set([...(left.backends ?? []), ...(right.backends ?? [])])],
  features: [...new Set([...(left.features ?? []), ...(right.features ?? [])])],
})

/** The same needs with every mount in so many namespaces, that of the operation too. */
const nestedNeeds = (needs: Needs, { mount }: OperationFacts, nested: 1 | 2): Needs => {
  const own = Object.entries(needs.mounts ?? {})
  const missing = mount !== undefined && own.every(([, { type }]) => type !== mount)
  const mounts = [...own, ...(missing ? [[mount, { type: mount }] as const] : [])].map(([alias, need]) => [alias, { ...need, nested }])
  return { ...needs, mounts: Object.fromEntries(mounts), features: [...(needs.features ?? []), 'mounts', 'namespaces'] }
}

const NOT_SERVED = [404, 405, 501]

/**
 * An operation that a target does not serve, or whose preparation it does not serve, must not leave the clauses of a whole sweep undecided:
 * the others decide them.
 */
const orNotServed = async (body: () => Promise<void>): Promise<void> => {
  try {
    await body()
  } catch (error) {
    if (!(error instanceof Refused) || !NOT_SERVED.includes(error.status)) throw error
    throw new NotServed(`the target does not serve this: ${error.message}`, error.remedy, { refused: error.refused })
  }
}

/** The checks of a sweep: one for every sample that it applies to. */
export const expandSweep = (
  definition: SweepDefinition,
  samples: Sample[],
  factsOf: (operation: string) => OperationFacts,
): RunnableCheck[] =>
  samples.flatMap((sample) => {
    const operation = factsOf(sample.operation)
    const excluded = definition.exclusion !== undefined && sample.excluded?.[definition.exclusion] !== undefined
    if (excluded || !definition.applies(operation, sample)) return []
    const contextOf = (bench: Bench) => ({
      operation,
      sample,
      input: () => sample.input(bench),
      state: async (input: CallInput) => sample.state?.(bench, input),
    })
    const needs = mergeNeeds(sample.needs ?? {}, definition.needs ?? {})
    return [
      {
        id: `${definition.id}/${operation.id}`,
        engine: definition.id.slice(0, definition.id.indexOf('/')),
        clauses: definition.clauses,
        title: `${operation.id}: ${definition.title}`,
        kind: definition.kind,
        needs: definition.nested ? nestedNeeds(needs, operation, definition.nested) : needs,
        deadline: definition.deadline ?? DEFAULT_DEADLINE,
        operation: operation.id,
        body: (context) => orNotServed(() => definition.body({ ...context, ...contextOf(context.bench) })),
      },
    ]
  })
