/** What a new engine and a new check consist of, and which names they may have. */
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { nearest, requireKnown, UsageError } from '../harness/base/usage.ts'
import type { Api, Contract } from '../harness/contract/contract.ts'
import { fromTemplates } from './templates.ts'

const ENGINE = /^[a-z]+(-[a-z]+)*$/
const BEHAVIOUR = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
const LONGEST = 40

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

const spellings = (name: string) => {
  const words = name.split('-')
  const pascal = words.map(capital).join('')
  return {
    name,
    title: capital(words.join(' ')),
    prefix: name.toUpperCase(),
    pascal,
    camel: pascal.slice(0, 1).toLowerCase() + pascal.slice(1),
  }
}

const requireName = (what: string, name: string, pattern: RegExp, example: string): void => {
  if (!pattern.test(name) || name.length > LONGEST)
    throw new UsageError(`${JSON.stringify(name)} is not a name of ${what}: expected lower-case words and hyphens, such as ${example}`)
}

/** The API whose engines are mounted: those of the other share too little for a template. */
const mountedApi = (contract: Contract): Api => [...contract.apis.values()].find(({ mounts }) => mounts)!

const requireUnused = (contract: Contract, { name, camel, prefix }: ReturnType<typeof spellings>): void => {
  const operations = [...contract.operations.values()]
  const taken =
    contract.engines.has(name) ||
    operations.some(({ id, mount }) => mount === name || id.startsWith(`${camel}.`)) ||
    [...contract.clauses.keys()].some((id) => id.startsWith(`${prefix}-`))
  if (taken) throw new UsageError(`an engine, mount type or family of clauses is called ${name} already: choose another name`)
}

/**
 * The files of a new engine. They are all it takes: specs, reference and suites are found by their names.
 *
 * @param root folder of the project.
 * @throws UsageError for a name that is malformed or taken.
 */
export const engineFiles = (contract: Contract, root: string, name: string): Map<string, string> => {
  requireName('an engine', name, ENGINE, 'key-store')
  const words = spellings(name)
  requireUnused(contract, words)
  const api = mountedApi(contract)
  const specs = relative(root, dirname(contract.engines.get(api.engines[0]!)!.folder))
  const values = { ...words, api: api.api, basePath: api.basePath, document: Object.keys(api.documents ?? {})[0]! }
  const places: Record<string, string> = { specs: `${specs}/${name}`, reference: `reference/engines/${name}`, suites: `suites/${name}` }
  const files = [...fromTemplates('engine', values)].map(([path, text]): [string, string] => {
    const [kind, ...rest] = path.split('/')
    return [[places[kind!], ...rest].join('/'), text]
  })
  return new Map(files)
}

/**
 * The file of a new check, blocked until it is written.
 *
 * @param place `ENGINE/NAME`, or `ENGINE/TOPIC/NAME` where the suite has a folder of that name.
 * @param ids of the checks there are.
 * @param clause that it decides; default the first required one of the engine.
 * @throws UsageError for a malformed place or a name that is taken.
 */
export const checkFile = (
  contract: Contract,
  root: string,
  place: string,
  { ids, clause }: { ids: readonly string[]; clause?: string },
): Map<string, string> => {
  const [engine = '', ...rest] = place.split('/')
  const [behaviour, topic, ...more] = rest.reverse()
  if (behaviour === undefined || more.length > 0)
    throw new UsageError(`${JSON.stringify(place)} is not a place of a check: expected ENGINE/NAME, or ENGINE/TOPIC/NAME`)
  requireKnown('engine', [engine], [...contract.engines.keys()])
  requireName('a check', behaviour, BEHAVIOUR, 'entry-replaced')
  const folder = ['suites', engine, ...(topic === undefined ? [] : [topic])].join('/')
  if (topic !== undefined && !existsSync(join(root, folder)))
    throw new UsageError(`${folder} does not exist: make the topic's folder first`)
  const id = `${engine}/${behaviour}`
  if (ids.includes(id)) throw new UsageError(`a check is called ${id} already: choose another name`)
  const own = [...contract.clauses.values()].filter((one) => one.engine === engine)
  const decided = clause ?? own.find(({ level, excluded }) => level === 'required' && excluded === undefined)?.id
  const known = own.map((one) => one.id)
  if (decided === undefined || !known.includes(decided))
    throw new UsageError(`${engine} has no clause ${decided ?? 'to decide'}${decided === undefined ? '' : nearest(decided, known)}`)
  const up = '../'.repeat(folder.split('/').length)
  const values = { engine, behaviour, clause: decided, up, file: `${folder}/${behaviour}.check.ts` }
  return new Map([...fromTemplates('check', values)].map(([path, text]) => [`${folder}/${path}`, text]))
}
