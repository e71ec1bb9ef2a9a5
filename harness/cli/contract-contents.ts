/** Gathers the contract for its pages: clauses with who decides them, operations, schemas. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { ContractSite, SiteClause, SiteEngine, SiteOperation } from '../../reports/index.ts'
import { isObject } from '../base/json.ts'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { Contract, Operation } from '../contract/contract.ts'
import { packageVersion } from '../contract/package-root.ts'
import { answerClauses, catalogue } from '../planning/catalogue.ts'

const SCHEMAS = 'schemas'

/** Names of the files in `schemas/` that a node refers to. */
const referredIn = (node: unknown, found = new Set<string>()): Set<string> => {
  if (Array.isArray(node)) for (const item of node) referredIn(item, found)
  else if (isObject(node)) {
    const name = typeof node.$ref === 'string' ? /^schemas\/([\w.-]+\.json)/.exec(node.$ref)?.[1] : undefined
    if (name !== undefined) found.add(name)
    for (const value of Object.values(node)) referredIn(value, found)
  }
  return found
}

/** Schemas by operation, as the description of an engine refers to them. */
const schemasByOperation = (folder: string): Map<string, string[]> => {
  const found = new Map<string, string[]>()
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const item of node) visit(item)
    else if (isObject(node)) {
      if (typeof node.operationId === 'string') found.set(node.operationId, [...referredIn(node)])
      else for (const value of Object.values(node)) visit(value)
    }
  }
  visit(parse(readFileSync(join(folder, 'openapi.yaml'), 'utf8')))
  return found
}

const operationOf = (operation: Operation, schemas: string[]): SiteOperation => ({
  id: operation.id,
  method: operation.method,
  path: operation.path,
  summary: operation.summary,
  statuses: Object.keys(operation.responses),
  schemas,
  clauses: [...answerClauses(operation)],
})

const clausesOf = (contract: Contract, engine: string, checks: readonly CheckDefinition[]): SiteClause[] =>
  [...contract.clauses.values()]
    .filter((clause) => clause.engine === engine)
    .map(({ id, level, text, document, title, section, reading, excluded }) => ({
      id,
      engine,
      level,
      text,
      source: { document, title: title ?? document, section },
      ...(reading === undefined ? {} : { reading }),
      ...(excluded === undefined ? {} : { excluded }),
      checks: checks.filter((check) => check.clauses.includes(id)).map((check) => ({ id: check.id, title: check.title, kind: check.kind })),
      operations: [...contract.operations.values()]
        .filter((operation) => answerClauses(operation).has(id))
        .map((operation) => operation.id),
    }))

const filesIn = (folder: string): string[] => {
  try {
    return readdirSync(join(folder, SCHEMAS)).sort()
  } catch {
    // An engine without bodies of its own has no such folder.
    return []
  }
}

/** The contract as the pages need it. */
export const siteOf = async (contract: Contract): Promise<ContractSite> => {
  const checks = await catalogue(contract, [...contract.engines.keys()])
  return {
    version: packageVersion,
    engines: [...contract.engines.values()].map(({ id, title, api, folder }): SiteEngine => {
      const schemas = schemasByOperation(folder)
      return {
        id,
        title,
        api,
        clauses: clausesOf(contract, id, checks),
        operations: [...contract.operations.values()]
          .filter(({ engine }) => engine === id)
          .map((operation) => operationOf(operation, schemas.get(operation.id) ?? [])),
        schemas: filesIn(folder).map((name) => ({ name, text: readFileSync(join(folder, SCHEMAS, name), 'utf8') })),
      }
    }),
  }
}
