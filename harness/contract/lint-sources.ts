/** The linter's rules about single files of `specs/`: shape, place, references, operations as they are written. */
import { posix } from 'node:path'
import { isObject } from '../base/json.ts'
import type { LintFinding, LintInput, Node } from './lint-types.ts'
import { problemsOf } from './own-documents.ts'
import { pathItems } from './path-items.ts'

export const member = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)
export const listOf = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isObject) : [])
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
  Object.entries((member(document, 'paths') ?? {}) as Record<string, Node>)
    .flatMap(([path, item]) => pathItems(path, item))
    .flatMap(([path, item]) =>
      METHODS.filter((method) => isObject(item[method])).map((method) => ({ path, item, node: item[method] as Node })),
    )

const META: Record<string, string> = { 'clauses.yaml': 'clauses', 'openapi.yaml': 'openapi', 'api.yaml': 'api', 'rulings.yaml': 'rulings' }

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
      for (const keyword of ['x-clause', 'x-clause-required', 'x-clause-enum']) {
        const clause = node[keyword]
        if (typeof clause === 'string' && !contract.clauses.has(clause)) {
          findings.push({ rule: 'dangling-clause', where, message: `${keyword} names ${clause}, which no clauses.yaml has` })
        }
      }
      const file = typeof node.$ref === 'string' ? node.$ref.split('#')[0]! : ''
      if (file === '') continue
      targets.add(posix.join(posix.dirname(where), file))
    }
  }
  for (const where of Object.keys(sources).filter((path) => isSpec(path) && folderOf(path) === 'schemas')) {
    if (!targets.has(where)) findings.push({ rule: 'unreferenced-schema', where, message: 'no operation and no other schema refers to it' })
  }
  return findings
}

const parameterName = ({ name, $ref }: Node): unknown => name ?? posix.basename(String($ref))

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
      const declared = [...listOf(item.parameters), ...listOf(node.parameters)].map(parameterName)
      for (const [, name] of path.matchAll(/\{([^}]+)\}/g)) {
        if (!declared.includes(name)) add('undeclared-parameter', `{${name}} of ${path} is not among its parameters`)
      }
      const bodies = Object.values((member(node.requestBody, 'content') ?? {}) as Node)
      if (isObject(node.requestBody) && !bodies.some((body) => isObject(member(body, 'schema'))))
        add('missing-schema', 'its request body has no schema')
      return findings
    }),
  )

// Tools that others wrote read these from each file; the harness reads them from api.yaml.
const sharedFindings = ({ sources }: LintInput): LintFinding[] =>
  operationFiles(sources).flatMap(([where, document]) => {
    const api = sources[posix.join(posix.dirname(where), '..', 'api.yaml')]
    if (!isObject(api)) return []
    const add = (message: string): LintFinding => ({ rule: 'differs-from-api', where, message })
    const base = `{baseUrl}${String(api.basePath)}`
    const served = listOf(member(document, 'servers')).map(({ url }) => String(url))
    const carriers = Object.keys((api.carriers ?? {}) as Node).join(', ')
    const schemes = Object.keys((member(member(document, 'components'), 'securitySchemes') ?? {}) as Node).join(', ')
    return [
      ...(served.includes(base) ? [] : [add(`no server is ${base}`)]),
      ...(schemes === carriers ? [] : [add(`securitySchemes are ${schemes}; carriers are ${carriers}`)]),
    ]
  })

/** Findings in the files themselves, before references are resolved. */
export const sourceFindings = (input: LintInput): LintFinding[] => [
  ...metaFindings(input),
  ...duplicateFindings(input),
  ...placeFindings(input),
  ...referenceFindings(input),
  ...operationFindings(input),
  ...sharedFindings(input),
]
