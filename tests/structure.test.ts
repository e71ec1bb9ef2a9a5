/** What the structure promises and no import shows: names of files, and what the harness must not know. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import type { Contract } from '../harness/contract/contract.ts'
import { loadContract } from '../harness/contract/load.ts'
import { packageRoot } from '../harness/contract/package-root.ts'

const sources = readdirSync(join(packageRoot, 'harness'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
/** Folders of sources that we write. */
const FOLDERS = 'authoring bench harness reference reports scripts specs suites tests'.split(' ')
const GENERATED = 'specs/meta/results.ts'
const LONGEST = 300

test(`no source that somebody writes has more than ${LONGEST} lines`, () => {
  const written = FOLDERS.flatMap((folder) =>
    readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  ).filter((path) => /\.(ts|tsx|js|sh)$/.test(path) && path !== GENERATED)
  const lines = (path: string): number => readFileSync(join(packageRoot, path), 'utf8').split('\n').length - 1
  expect(written.length).toBeGreaterThan(900)
  expect(written.filter((path) => lines(path) > LONGEST)).toEqual([])
})

const isOfTests = (path: string): boolean => path.endsWith('.test.ts') || path.includes('testing/')

/** Names of one role wherever they are: what the folder exports, its first command, the parts that every engine has, words each side has of its own. */
const SAME_ROLE = /^(index|main|vitest\.config|engine|state|rules|wrappers|fixtures|model|json|errors|text)\.ts$/
/** Files that belong to a topic of an engine or a suite: there the name is the topic's. */
const OF_A_TOPIC = /\.(rules|faults|variants|check|sample)\.ts$/
/** Handlers of an engine's topic: called like its routes, in each engine that has such. */
const HANDLERS = /^reference\/engines\/[^/]+\/[^/]+\.ts$/

const placesOf = (paths: string[]): string[][] => {
  const places = new Map<string, string[]>()
  for (const path of paths) places.set(basename(path), [...(places.get(basename(path)) ?? []), path])
  return [...places.values()].filter((same) => same.length > 1)
}

test('no two files of the harness share a name', () => {
  expect(placesOf(sources)).toEqual([])
})

test('a file shares its name only with those that have the same role', () => {
  const named = FOLDERS.flatMap((folder) =>
    readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  ).filter((path) => /\.tsx?$/.test(path) && !path.includes('templates/') && !SAME_ROLE.test(basename(path)) && !OF_A_TOPIC.test(path))
  expect(placesOf(named).filter((paths) => !paths.every((path) => HANDLERS.test(path)))).toEqual([])
})

const foldersIn = (folder: string): string[] =>
  readdirSync(join(packageRoot, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${name}/`)

test('the drawing of the layout has every folder, and no other', () => {
  const text = readFileSync(join(packageRoot, 'CONTRIBUTING.md'), 'utf8')
  const drawn = text.split('```')[1]!.trim().split('\n')
  const below = new Map<string, string[]>([['', []]])
  let top = ''
  for (const line of drawn) {
    const [, space = '', name = ''] = /^( *)(\S+)/.exec(line) ?? []
    if (space === '') top = name
    below.set(space === '' ? '' : top, [...(below.get(space === '' ? '' : top) ?? []), name])
  }
  expect(below.size, 'folders that are drawn with what is in them').toBeGreaterThan(2)
  const { '': all = [], ...parts } = Object.fromEntries(below)
  // Beside the project's own folders there may be some that a tool or a person has made.
  expect(foldersIn('')).toEqual(expect.arrayContaining(all))
  expect(all).toEqual(expect.arrayContaining(FOLDERS.map((folder) => `${folder}/`)))
  for (const [folder, names] of Object.entries(parts)) expect([...names].sort(), folder).toEqual(foldersIn(folder).sort())
})

test('an answer is marked as learned from where it is learned from, and nowhere else', () => {
  const marking = sources.filter((path) => !isOfTests(path) && !path.includes('/testing/'))
  const casts = /\bas (?:unknown as )?(?:WireAnswer|Learned|Exchange|NumberedExchange|Preparation)\b/
  const found = marking.filter((path) => casts.test(readFileSync(join(packageRoot, 'harness', path), 'utf8')))
  // The client's own queue hands its answers back without their type.
  expect(found.sort()).toEqual(['target/http.ts', 'target/learned.ts'])
})

/** The texts of a module's string literals, templates included. */
const literalsOf = (path: string): string[] => {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) found.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, readFileSync(join(packageRoot, 'harness', path), 'utf8'), ts.ScriptTarget.Latest))
  return found
}

/** Programs, protocols and formats that happen to be called like an engine, where they are what is meant. */
const NAMESAKES: Record<string, readonly string[]> = { oracles: ['ssh'], backends: ['ssh'] }

/** Literals that name one of these: the whole text, or the beginning of an id such as `kv/reads`, `kv1.read` or `KV-V1-01`. */
const naming = (contract: Contract, path: string): string[] => {
  const namesakes = NAMESAKES[path.split('/')[0]!] ?? []
  const types = [...contract.operations.values()].flatMap(({ mount }) => mount ?? [])
  // The command line is a contract that names the APIs; nothing else may.
  const apis = path.startsWith('cli/') ? [] : [...contract.apis.keys()]
  const names = [...contract.engines.keys(), ...types, ...apis].filter((name) => !namesakes.includes(name))
  const pattern = new RegExp(`^(${[...new Set(names)].join('|')})($|[/.]\\w)`)
  return literalsOf(path).filter((text) => pattern.test(text) || contract.clauses.has(text) || contract.operations.has(text))
}

test('nothing in the harness names an engine, a mount type, an operation or a clause, and only the command line an API', async () => {
  const contract = await loadContract()
  const found = sources.filter((path) => !isOfTests(path)).flatMap((path) => naming(contract, path).map((text) => `${path}: ${text}`))
  expect(found).toEqual([])
})

test('the search for names finds those that the suites are full of', async () => {
  const contract = await loadContract()
  expect(naming(contract, '../suites/kv/kv1.sample.ts')).toContain('kv1.write')
})
