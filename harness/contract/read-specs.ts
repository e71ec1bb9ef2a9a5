/** Reads a folder of specs into memory, with references resolved. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dereference } from '@apidevtools/json-schema-ref-parser'
import { parse } from 'yaml'
import type { Api, Clause, Contract, EngineSpec, Operation, ResponseSpec, Ruling, Schema } from './contract.ts'
import { pathItems } from './path-items.ts'

type Node = { [key: string]: unknown }

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head']

const yamlFile = (file: string): Node => parse(readFileSync(file, 'utf8')) as Node

const responseOf = (spec: Node): ResponseSpec => {
  const content = (spec.content ?? {}) as Record<string, { schema?: Schema }>
  const mediaTypes = Object.keys(content)
  const first = mediaTypes[0]
  const clause = spec['x-clause'] as string | undefined
  return {
    mediaTypes,
    schema: first === undefined ? undefined : (content[first]?.schema ?? null),
    ...(clause === undefined ? {} : { clause }),
  }
}

const requestOf = (operation: Node): Operation['request'] => {
  const body = operation.requestBody as { required?: boolean; content?: Record<string, { schema?: Schema }> } | undefined
  const [mediaType, content] = Object.entries(body?.content ?? {})[0] ?? []
  if (mediaType === undefined || content?.schema === undefined) return undefined
  return { schema: content.schema, required: body?.required === true, mediaType }
}

const operationOf = (engine: string, api: string, path: string, method: string, item: Node, node: Node): Operation => {
  const declared = [...((item.parameters ?? []) as Node[]), ...((node.parameters ?? []) as Node[])]
  const optional = (key: string, value: unknown) => (value === undefined ? {} : { [key]: value })
  return {
    id: node.operationId as string,
    engine,
    api,
    summary: (node.summary as string | undefined) ?? '',
    method: method.toUpperCase(),
    path,
    parameters: declared
      .filter((parameter) => parameter.in === 'path' && parameter.name !== 'mount')
      .map((parameter) => ({ name: parameter.name as string, multiSegment: parameter['x-multi-segment'] === true })),
    queryParameters: declared.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name as string),
    isList: node['x-list'] === true,
    unauthenticated: Array.isArray(node.security) && node.security.length === 0,
    sudo: node['x-sudo'] === true,
    responses: Object.fromEntries(
      Object.entries(node.responses as Record<string, Node>).map(([status, spec]) => [status, responseOf(spec)]),
    ),
    ...optional('basePath', item['x-base-path']),
    ...optional('mount', item['x-mount']),
    ...optional('capability', node['x-capability']),
    ...optional('clause', node['x-clause']),
    ...optional('request', requestOf(node)),
  }
}

const operationsOf = async (engine: EngineSpec): Promise<Operation[]> => {
  const file = join(engine.folder, 'openapi.yaml')
  if (!existsSync(file)) return []
  const document = (await dereference(file)) as unknown as { paths?: Record<string, Node> }
  return Object.entries(document.paths ?? {})
    .flatMap(([path, item]) => pathItems(path, item))
    .flatMap(([path, item]) =>
      METHODS.filter((method) => method in item).map((method) =>
        operationOf(engine.id, engine.api, path, method, item, item[method] as Node),
      ),
    )
}

interface ClauseFile {
  engine: string
  title: string
  document: string
  clauses: (Omit<Clause, 'engine' | 'document' | 'title'> & { document?: string })[]
}

/** The rulings of a folder of specs; none where it has no such file. */
const rulingsIn = (root: string): Map<string, Ruling> => {
  const file = join(root, 'rulings.yaml')
  const { rulings } = existsSync(file) ? (yamlFile(file) as unknown as { rulings: Ruling[] }) : { rulings: [] }
  return new Map(rulings.map((ruling) => [ruling.id, ruling]))
}

/** The engines of an API: those that its file names, then those that only have a folder. */
const enginesIn = (folder: string, named: readonly string[]): string[] => {
  const found = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'clauses.yaml')))
  return [...new Set([...named.filter((id) => found.includes(id)), ...found.sort()])]
}

/** The contract that a folder of specs states. */
export const readSpecs = async (root: string): Promise<Contract> => {
  const contract: Contract = { apis: new Map(), engines: new Map(), operations: new Map(), clauses: new Map(), rulings: rulingsIn(root) }
  for (const group of readdirSync(root, { withFileTypes: true })) {
    const apiFile = join(root, group.name, 'api.yaml')
    if (!group.isDirectory() || !existsSync(apiFile)) continue
    const read = yamlFile(apiFile) as unknown as Api
    const api = { ...read, engines: enginesIn(join(root, group.name), read.engines) }
    contract.apis.set(api.api, api)
    for (const id of api.engines) {
      const folder = join(root, group.name, id)
      const { title, document, clauses } = yamlFile(join(folder, 'clauses.yaml')) as unknown as ClauseFile
      const engine: EngineSpec = { id, title, api: api.api, folder }
      contract.engines.set(id, engine)
      for (const clause of clauses) {
        const source = clause.document ?? document
        contract.clauses.set(clause.id, { ...clause, document: source, title: api.documents?.[source] ?? source, engine: id })
      }
      for (const operation of await operationsOf(engine)) contract.operations.set(operation.id, operation)
    }
  }
  return contract
}
