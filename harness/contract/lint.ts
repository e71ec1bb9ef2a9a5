/** The linter of `specs/`: what a person would overlook when editing clauses, operations and schemas. */
import { posix } from 'node:path'
import { problemsOf } from '../target/documents.ts'
import type { Contract, Operation, Schema } from './types.ts'

export interface LintFinding {
  /** Name of the rule, permanent: tests and messages use it. */
  rule: string
  /** File below `specs/`, or the id of a clause or operation. */
  where: string
  message: string
}

export interface LintInput {
  contract: Contract
  /** Every file of `specs/`, unresolved, by its path there. */
  sources: Record<string, unknown>
  /** Clauses that a check decides or observes, schema-decided ones included. */
  decided: ReadonlySet<string>
  /** Mount types that a dialect can spell. */
  mountTypes: readonly string[]
}

type Node = Record<string, unknown>

const isObject = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const member = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)
const listOf = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isObject) : [])
const isFile = (path: string, name: string): boolean => posix.basename(path) === name
const folderOf = (path: string): string => posix.basename(posix.dirname(path))

/** Every object within a document, with the document itself. */
const nodesIn = (value: unknown): Node[] => {
  if (Array.isArray(value)) return value.flatMap(nodesIn)
  return isObject(value) ? [value, ...Object.values(value).flatMap(nodesIn)] : []
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head']

interface RawOperation {
  path: string
  item: Node
  node: Node
}

const rawOperations = (document: unknown): RawOperation[] =>
  Object.entries((member(document, 'paths') ?? {}) as Record<string, Node>).flatMap(([path, item]) =>
    METHODS.filter((method) => isObject(item[method])).map((method) => ({ path, item, node: item[method] as Node })),
  )

const META: Record<string, string> = { 'clauses.yaml': 'clauses', 'openapi.yaml': 'openapi', 'api.yaml': 'api' }

const metaFindings = ({ sources }: LintInput): LintFinding[] =>
  Object.entries(sources).flatMap(([where, document]) => {
    const schema = META[posix.basename(where)]
    return schema === undefined ? [] : problemsOf(schema, document).map((message) => ({ rule: 'meta-schema', where, message }))
  })

const duplicates = (rule: string, pairs: [id: string, where: string][]): LintFinding[] => {
  const seen = new Map<string, string>()
  return pairs.flatMap(([id, where]) => {
    const first = seen.get(id)
    seen.set(id, first ?? where)
    return first === undefined ? [] : [{ rule, where, message: `${id} is also in ${first}` }]
  })
}

const clauseFiles = (sources: LintInput['sources']) => Object.entries(sources).filter(([path]) => isFile(path, 'clauses.yaml'))
const operationFiles = (sources: LintInput['sources']) => Object.entries(sources).filter(([path]) => isFile(path, 'openapi.yaml'))

const duplicateFindings = ({ sources }: LintInput): LintFinding[] => [
  ...duplicates(
    'duplicate-clause',
    clauseFiles(sources).flatMap(([path, document]) =>
      listOf(member(document, 'clauses')).map(({ id }): [string, string] => [String(id), path]),
    ),
  ),
  ...duplicates(
    'duplicate-operation',
    operationFiles(sources).flatMap(([path, document]) =>
      rawOperations(document).map(({ node }): [string, string] => [String(node.operationId), path]),
    ),
  ),
]

const placeFindings = ({ sources }: LintInput): LintFinding[] => [
  ...clauseFiles(sources).flatMap(([where, document]) => misplaced(where, 'engine', member(document, 'engine'))),
  ...operationFiles(sources).flatMap(([where, document]) => misplaced(where, 'x-engine', member(member(document, 'info'), 'x-engine'))),
]

const misplaced = (where: string, key: string, engine: unknown): LintFinding[] =>
  engine === folderOf(where)
    ? []
    : [{ rule: 'misplaced-file', where, message: `${key} is ${String(engine)}, the folder is ${folderOf(where)}` }]

const isSpec = (path: string): boolean => !path.startsWith('meta/')

const referenceFindings = ({ contract, sources }: LintInput): LintFinding[] => {
  const findings: LintFinding[] = []
  const targets = new Set<string>()
  for (const [where, document] of Object.entries(sources).filter(([path]) => isSpec(path))) {
    for (const node of nodesIn(document)) {
      const clause = node['x-clause']
      if (typeof clause === 'string' && !contract.clauses.has(clause)) {
        findings.push({ rule: 'dangling-clause', where, message: `x-clause names ${clause}, which no clauses.yaml has` })
      }
      const file = typeof node.$ref === 'string' ? node.$ref.split('#')[0]! : ''
      if (file === '') continue
      const target = posix.join(posix.dirname(where), file)
      targets.add(target)
      if (!Object.hasOwn(sources, target))
        findings.push({ rule: 'dangling-reference', where, message: `$ref names ${file}, which does not exist` })
    }
  }
  for (const where of Object.keys(sources).filter((path) => isSpec(path) && folderOf(path) === 'schemas')) {
    if (!targets.has(where)) findings.push({ rule: 'unreferenced-schema', where, message: 'no operation and no other schema refers to it' })
  }
  return findings
}

const operationFindings = ({ sources, mountTypes }: LintInput): LintFinding[] =>
  operationFiles(sources).flatMap(([, document]) =>
    rawOperations(document).flatMap(({ path, item, node }) => {
      const where = String(node.operationId)
      const findings: LintFinding[] = []
      const add = (rule: string, message: string) => findings.push({ rule, where, message })
      const mount = item['x-mount']
      if (mount !== undefined && !mountTypes.includes(String(mount)))
        add('unknown-mount', `x-mount is ${String(mount)}; known: ${mountTypes.join(', ')}`)
      if ((mount !== undefined) !== path.includes('{mount}')) add('unknown-mount', `x-mount and {mount} in ${path} must come together`)
      const declared = [...listOf(item.parameters), ...listOf(node.parameters)].map(({ name }) => name)
      for (const [, name] of path.matchAll(/\{([^}]+)\}/g)) {
        if (name !== 'mount' && !declared.includes(name)) add('undeclared-parameter', `{${name}} of ${path} is not among its parameters`)
      }
      const bodies = Object.values((member(node.requestBody, 'content') ?? {}) as Node)
      if (isObject(node.requestBody) && !bodies.some((body) => isObject(member(body, 'schema'))))
        add('missing-schema', 'its request body has no schema')
      return findings
    }),
  )

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
    return decided.has(id) ? [{ rule: 'excluded-but-decided', where: id, message: 'excluded, and a check decides it all the same' }] : []
  })

/** Everything wrong with the specs; empty when they are sound. Pure. */
export const lintSpecs = (input: LintInput): LintFinding[] => [
  ...metaFindings(input),
  ...duplicateFindings(input),
  ...placeFindings(input),
  ...referenceFindings(input),
  ...operationFindings(input),
  ...responseFindings(input),
  ...clauseFindings(input),
]
