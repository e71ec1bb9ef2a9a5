import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sampleResults } from '../../reports/testing/sample-results.ts'
import { temporaryFolder } from '../../tests/support/cli.ts'
import type { CertifyOptions } from './certify-flags.ts'
import { withFailed } from './failed-before.ts'

const folder = temporaryFolder()
const options = { out: folder, failed: true } as unknown as CertifyOptions
const results = sampleResults()
writeFileSync(join(folder, 'results.json'), JSON.stringify(results))

test('what failed before is selected by its clauses, from a folder or a file', async () => {
  const violated = results.clauses.filter(({ outcome }) => outcome === 'violated').map(({ id }) => id)
  const { clause } = await withFailed(options)
  expect(clause).toEqual(expect.arrayContaining(violated))
  expect(clause).not.toContain(results.clauses.find(({ outcome }) => outcome === 'verified')!.id)
  expect((await withFailed({ ...options, failed: join(folder, 'results.json') })).clause).toEqual(clause)
})

test('a run of some engines is tried again with these, unless others are named', async () => {
  const some = join(folder, 'some.json')
  writeFileSync(some, JSON.stringify({ ...results, scope: { ...results.scope, claimed: ['core', 'kv', 'ssh'], engines: ['kv'] } }))
  expect((await withFailed({ ...options, failed: some })).engine).toEqual(['kv'])
  expect((await withFailed({ ...options, failed: some, engine: ['ssh'] })).engine).toEqual(['ssh'])
})

test('a report without failures, another selection or no report at all is said', async () => {
  const green = join(folder, 'green.json')
  writeFileSync(green, JSON.stringify({ ...results, checks: [], clauses: results.clauses.filter(({ outcome }) => outcome === 'verified') }))
  await expect(withFailed({ ...options, failed: green })).rejects.toThrow(`nothing failed in ${green}`)
  await expect(withFailed({ ...options, check: ['kv/*'] })).rejects.toThrow('leave out --clause and --check')
  await expect(withFailed({ ...options, failed: '/nope' })).rejects.toThrow('/nope does not exist')
  await expect(withFailed({ ...options, failed: 'http://127.0.0.1:8200' })).rejects.toThrow('give the URL before the flags')
})
