/** All checks there are: those of the suites, the sweeps over operations, and one per clause that schemas decide. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { registeredChecks, registeredSamples } from '../checks/check.ts'
import { generatedChecks } from '../checks/generated.ts'
import { expandSweep, type OperationFacts, registeredSweeps } from '../checks/sweep.ts'
import type { CheckDefinition, ContractCheck } from '../checks/vocabulary.ts'
import type { Contract, Operation } from '../contract/contract.ts'
import { clausesNamed } from '../contract/reach.ts'
import { undescribed } from './described.ts'

const suitesFolder = fileURLToPath(new URL('../../suites', import.meta.url))

const modulesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return modulesBelow(path)
    return /\.(check|sample)\.ts$/.test(entry.name) ? [path] : []
  })

const imported = new Map<string, Promise<void>>()

const importSuite = async (engine: string): Promise<void> => {
  const folder = join(suitesFolder, engine)
  // What is built has one module for all of them.
  if (existsSync(`${folder}.js`)) await import(pathToFileURL(`${folder}.js`).href)
  else if (existsSync(folder)) for (const file of modulesBelow(folder).sort()) await import(pathToFileURL(file).href)
}

/** Imports the checks and samples of these engines, once per process, in a fixed order. */
const importSuites = async (engines: readonly string[]): Promise<void> => {
  for (const engine of engines) {
    const known = imported.get(engine) ?? importSuite(engine)
    imported.set(engine, known)
    await known
  }
}

const pathMethodsOf = (contract: Contract, operation: Operation): string[] => {
  const api = contract.apis.get(operation.api)!
  const methods = new Set<string>()
  for (const other of contract.operations.values()) {
    if (
      other.engine !== operation.engine ||
      other.path.replace(/\/$/, '') !== operation.path.replace(/\/$/, '') ||
      other.mount !== operation.mount
    )
      continue
    methods.add(other.method)
    if (other.isList && api.listing) methods.add(api.listing.verb)
    for (const [synonym, of] of Object.entries(api.synonyms ?? {})) if (of === other.method) methods.add(synonym)
  }
  return [...methods]
}

/** Whether some names make one path of two templates. */
const mayMeet = (one: string, other: string): boolean => {
  const [left, right] = [one, other].map((path) => path.replace(/\/$/, '').split('/')) as [string[], string[]]
  const isOpen = (segment: string | undefined) => segment?.startsWith('{') === true
  return left.length === right.length && left.every((segment, at) => segment === right[at] || isOpen(segment) || isOpen(right[at]))
}

/** Operations of the same mount or system engine on other paths, with no parameter that the operation lacks. */
const besideOf = (operation: Operation, ofMount: readonly Operation[]): string[] => {
  const names = new Set(operation.parameters.map(({ name }) => name))
  const isBeside = ({ path, parameters }: Operation) => !mayMeet(path, operation.path) && parameters.every(({ name }) => names.has(name))
  return ofMount.filter(isBeside).map(({ id }) => id)
}

/** The listing that names what stands at an operation's path: its path is that one without the name at its end. */
const listingOf = (operation: Operation, others: readonly Operation[]): string | undefined => {
  const end = operation.parameters.at(-1)
  if (end === undefined || end.multiSegment || !operation.path.endsWith(`/{${end.name}}`)) return undefined
  const above = operation.path.slice(0, -end.name.length - 3)
  return others.find(({ isList, path }) => isList && path.replace(/\/$/, '') === above)?.id
}

/** What a sweep may know of an operation. */
const factsOf = (contract: Contract, id: string): OperationFacts => {
  const operation = contract.operations.get(id)
  if (operation === undefined) throw new Error(`a sample names the operation ${id}, which the contract does not have`)
  const ofMount = [...contract.operations.values()].filter(({ mount }) => mount !== undefined && mount === operation.mount)
  const ofEngine = [...contract.operations.values()].filter(({ engine, mount }) => engine === operation.engine && mount === undefined)
  const others = operation.mount === undefined ? ofEngine : ofMount
  return {
    id,
    engine: operation.engine,
    method: operation.method,
    isList: operation.isList,
    unauthenticated: operation.unauthenticated,
    sudo: operation.sudo,
    capability: operation.capability,
    mount: operation.mount,
    hasBody: operation.request !== undefined,
    requestSchema: operation.request?.schema,
    parameters: operation.parameters,
    isFirstOfMount: ofMount[0] === operation,
    undescribed: (templates) => undescribed(ofMount, templates),
    beside: besideOf(operation, others),
    badInput: contract.apis.get(operation.api)?.badInput,
    pathMethods: pathMethodsOf(contract, operation),
    listing: listingOf(operation, others),
  }
}

/** Clauses that the answers of an operation decide by themselves. */
export const answerClauses = (operation: Operation): Set<string> => {
  const found = new Set<string>()
  if (operation.clause !== undefined) found.add(operation.clause)
  for (const response of Object.values(operation.responses)) {
    if (response.clause !== undefined) found.add(response.clause)
    clausesNamed(response.schema, found)
  }
  return found
}

/** The id of the check that decides a clause by the schemas of all answers. */
const contractCheckId = (engine: string, clause: string): string => `${engine}/contract/${clause.toLowerCase()}`

const contractChecks = (contract: Contract): ContractCheck[] => {
  const named = new Set<string>()
  for (const operation of contract.operations.values()) for (const clause of answerClauses(operation)) named.add(clause)
  return [...named].flatMap((id) => {
    const clause = contract.clauses.get(id)
    if (clause === undefined || clause.excluded !== undefined) return []
    return [
      {
        id: contractCheckId(clause.engine, id),
        engine: clause.engine,
        clauses: [id] as [string],
        title: `every answer keeps to ${id}`,
        kind: 'contract' as const,
        needs: {},
      },
    ]
  })
}

const engineOf = (id: string): string => id.slice(0, id.indexOf('/'))

/**
 * Every check, generated ones included.
 *
 * @param claimed engines whose samples feed the sweeps.
 * @param chosen engines whose checks are wanted; default all that are claimed.
 */
export const catalogue = async (
  contract: Contract,
  claimed: readonly string[],
  chosen: readonly string[] = claimed,
): Promise<CheckDefinition[]> => {
  await importSuites(chosen)
  const sweeps = registeredSweeps().filter(({ id }) => chosen.includes(engineOf(id)))
  // Only sweeps look beyond the chosen engines.
  if (sweeps.length > 0) await importSuites(claimed)
  const facts = (id: string) => factsOf(contract, id)
  const samples = registeredSamples().filter(({ operation }) => claimed.includes(facts(operation).engine))
  const apiOf = (engine: string) => contract.engines.get(engine)?.api
  const swept = sweeps.flatMap((definition) => {
    const own = samples.filter(({ operation }) => apiOf(facts(operation).engine) === apiOf(engineOf(definition.id)))
    return expandSweep(definition, own, facts)
  })
  const all = [...registeredChecks(), ...swept, ...generatedChecks(samples, facts), ...contractChecks(contract)]
  return all.filter((check) => chosen.includes(check.engine))
}
