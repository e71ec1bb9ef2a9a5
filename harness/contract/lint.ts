/** The linter of `specs/`: what a person would overlook when editing clauses, operations and schemas. */

import { isObject } from '../base/json.ts'
import type { Operation, Schema } from './contract.ts'
import { listOf, member, sourceFindings } from './lint-sources.ts'
import { aloneFindings, sharedTextFindings } from './lint-texts.ts'
import type { LintFinding, LintInput, Node } from './lint-types.ts'

const isJson = (mediaType: string): boolean => /[/+]json$/.test(mediaType)

const responseFindings = ({ contract }: LintInput): LintFinding[] =>
  [...contract.operations.values()].flatMap((operation) => {
    const add = (rule: string, message: string): LintFinding => ({ rule, where: operation.id, message })
    const statuses = Object.keys(operation.responses)
    const findings = Object.entries(operation.responses).flatMap(([status, { schema, mediaTypes, clause }]) => {
      if (schema === null && mediaTypes.some(isJson)) return [add('missing-schema', `its answer ${status} has no schema`)]
      if (!isObject(schema) || (clause ?? operation.clause) !== undefined) return []
      return unattributed(schema).map((keyword) =>
        add('constraint-without-clause', `${keyword} in its answer ${status} belongs to no clause`),
      )
    })
    if (!statuses.some((status) => status.startsWith('2')) && !judgesNothing(operation))
      findings.push(add('missing-schema', 'it describes no successful answer'))
    return findings
  })

const judgesNothing = (operation: Operation): boolean => Object.values(operation.responses).every(({ schema }) => schema === null)

const CONSTRAINTS = [
  'type',
  'enum',
  'const',
  'required',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'minItems',
  'minLength',
  'anyOf',
  'oneOf',
  'not',
]

/** Constraints that no `x-clause` at or above them accounts for; a clause on a node covers everything below. */
const unattributed = (schema: Schema): string[] => {
  if (typeof schema['x-clause'] === 'string') return []
  const own = CONSTRAINTS.filter((keyword) => {
    if (!Object.hasOwn(schema, keyword)) return false
    return (
      keyword !== 'required' ||
      !(schema.required as string[]).every((name) => typeof member(member(schema.properties, name), 'x-clause') === 'string')
    )
  })
  const below = [schema.items, schema.additionalProperties, ...Object.values((schema.properties ?? {}) as Node), ...listOf(schema.allOf)]
  return [...own, ...below.filter(isObject).flatMap(unattributed)]
}

const clauseFindings = ({ contract, decided }: LintInput): LintFinding[] =>
  [...contract.clauses.values()].flatMap(({ id, level, excluded }): LintFinding[] => {
    if (excluded === undefined) {
      if (level !== 'required' || decided.has(id)) return []
      return [
        {
          rule: 'undecided-clause',
          where: id,
          message: 'required, and has neither a check nor an x-clause nor a reason for being excluded',
        },
      ]
    }
    return decided.has(id) ? [{ rule: 'excluded-but-decided', where: id, message: 'excluded, but a check decides it' }] : []
  })

/** Every clause that one rests on, directly or through others. */
const restedOn = ({ contract }: Pick<LintInput, 'contract'>, id: string, seen = new Set<string>()): Set<string> => {
  for (const one of contract.clauses.get(id)?.restsOn ?? []) {
    if (seen.has(one)) continue
    seen.add(one)
    restedOn({ contract }, one, seen)
  }
  return seen
}

const dependenceFindings = (input: LintInput): LintFinding[] =>
  [...input.contract.clauses.values()].flatMap(({ id, restsOn = [] }): LintFinding[] => {
    const unknown = restsOn.filter((one) => !input.contract.clauses.has(one))
    return [
      ...unknown.map((one) => ({ rule: 'unknown-dependence', where: id, message: `rests on the unknown clause ${one}` })),
      ...(restedOn(input, id).has(id) ? [{ rule: 'circular-dependence', where: id, message: 'rests on itself' }] : []),
    ]
  })

/** Clauses, checks and faults of an engine are named alike: by its id. */
const nameFindings = ({ contract }: LintInput): LintFinding[] =>
  [...contract.clauses.values()]
    .filter(({ id, engine }) => !id.startsWith(`${engine.toUpperCase()}-`))
    .map(({ id, engine }) => ({ rule: 'clause-name', where: id, message: `begins otherwise than with ${engine.toUpperCase()}-` }))

/** A clause that rests on a ruling has a level of which the ruling speaks; what it was split from is there. */
const rulingFindings = ({ contract }: LintInput): LintFinding[] =>
  [...contract.clauses.values()].flatMap(({ id, level, ruling, splitFrom }): LintFinding[] => {
    const known = ruling === undefined ? undefined : contract.rulings.get(ruling)
    const findings: LintFinding[] = []
    if (splitFrom !== undefined && (splitFrom === id || !contract.clauses.has(splitFrom)))
      findings.push({ rule: 'unknown-split', where: id, message: `was split from the unknown clause ${splitFrom}` })
    if (ruling !== undefined && known === undefined)
      findings.push({ rule: 'unknown-ruling', where: id, message: `rests on the unknown ruling ${ruling}` })
    if (known !== undefined && known[level] === undefined)
      findings.push({ rule: 'ruling-level', where: id, message: `is ${level}, of which its ruling ${known.id} does not speak` })
    return findings
  })

const textFindings = ({ contract }: LintInput): LintFinding[] => {
  const texts = [...contract.clauses.values()].map(({ id, text }) => ({ where: id, text }))
  return [...aloneFindings(texts), ...sharedTextFindings(texts)]
}

/** Everything wrong with the specs; empty when they are sound. Pure. */
export const lintSpecs = (input: LintInput): LintFinding[] => [
  ...sourceFindings(input),
  ...responseFindings(input),
  ...clauseFindings(input),
  ...dependenceFindings(input),
  ...nameFindings(input),
  ...textFindings(input),
  ...rulingFindings(input),
]
