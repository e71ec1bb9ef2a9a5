import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Contract } from '../harness/contract/contract.ts'
import { loadContract } from '../harness/contract/load.ts'
import { packageRoot } from '../harness/contract/package-root.ts'
import { checkFile, engineFiles } from './scaffold.ts'

let contract: Contract
beforeAll(async () => {
  contract = await loadContract()
})

test('a new engine has its place in specs, reference and suites, and changes no existing file', () => {
  const files = engineFiles(contract, packageRoot, 'key-store')
  expect([...files.keys()].sort()).toEqual([
    'reference/engines/key-store/engine.ts',
    'reference/engines/key-store/entries.faults.ts',
    'reference/engines/key-store/entries.rules.ts',
    'reference/engines/key-store/entries.ts',
    'reference/engines/key-store/entries.variants.ts',
    'reference/engines/key-store/state.ts',
    'specs/secrets/key-store/clauses.yaml',
    'specs/secrets/key-store/openapi.yaml',
    'specs/secrets/key-store/schemas/entry-write.json',
    'specs/secrets/key-store/schemas/entry.json',
    'suites/key-store/entries.check.ts',
    'suites/key-store/fixtures.ts',
    'suites/key-store/key-store.sample.ts',
  ])
  expect([...files.values()].join('')).not.toContain('{{')
  for (const path of files.keys()) expect(existsSync(join(packageRoot, path)), path).toBe(false)
})

test.each([
  ['Key', 'is not a name of an engine: expected lower-case words and hyphens'],
  ['../kv', 'is not a name of an engine'],
  ['key_store', 'is not a name of an engine'],
  ['', 'is not a name of an engine'],
  ['kv', 'called kv already'],
  ['policy', 'called policy already'],
])('the name %j of an engine is refused', (name, message) => {
  expect(() => engineFiles(contract, packageRoot, name)).toThrow(message)
})

test('a new check stands beside its neighbours and decides a clause of its engine', () => {
  const [[path, text] = []] = [...checkFile(contract, packageRoot, 'kv/values/odd-keys', { ids: [], clause: 'KV-V1-04' })]
  expect(path).toBe('suites/kv/values/odd-keys.check.ts')
  expect(text).toContain("from '../../../harness/checks/index.ts'")
  expect(text).toContain("check('kv/odd-keys', 'KV-V1-04'")
})

test.each([
  ['kv', undefined, 'is not a place of a check'],
  ['kv/a/b/c', undefined, 'is not a place of a check'],
  ['kw/odd', undefined, 'unknown engine "kw"; did you mean kv?'],
  ['kv/Odd', undefined, 'is not a name of a check'],
  ['kv/nowhere/odd', undefined, 'suites/kv/nowhere does not exist'],
  ['kv/taken', undefined, 'a check is called kv/taken already'],
  ['kv/odd', 'KV-V1-99', 'kv has no clause KV-V1-99; did you mean'],
])('the place %j of a check is refused', (place, clause, message) => {
  const more = clause === undefined ? {} : { clause }
  expect(() => checkFile(contract, packageRoot, place, { ids: ['kv/taken'], ...more })).toThrow(message)
})
