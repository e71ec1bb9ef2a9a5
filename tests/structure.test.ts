/** What the structure promises and no import shows: names of files, and what the harness must not know. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import type { Contract } from '../harness/contract/contract.ts'
import { loadContract } from '../harness/contract/load.ts'
import { packageRoot } from '../harness/contract/root.ts'

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

test('no two files of the harness share a name', () => {
  const places = new Map<string, string[]>()
  for (const path of sources) places.set(basename(path), [...(places.get(basename(path)) ?? []), path])
  expect([...places.values()].filter((paths) => paths.length > 1)).toEqual([])
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
