/** What a run says of servers that are wrong, of tokens that are, and of what was only partly tested. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { allFaults } from '../reference/faults/index.ts'
import { createReference, type Reference } from '../reference/index.ts'
import type { Results } from '../specs/meta/results.ts'
import { assay, temporaryFolder } from './support/cli.ts'

const TOKEN = 'root-token-of-the-verdict-test'
let reference: Reference
afterEach(() => reference.close())

const start = async (fault?: string): Promise<void> => {
  reference = await createReference({ tls: false, rootToken: TOKEN, faults: allFaults.filter(({ id }) => id === fault) }).listen()
}
const folderWith = (config: string): string => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'assay.config.yaml'), config)
  return folder
}
const resultsIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'assay-report', 'results.json'), 'utf8')) as Results

test('what only another engine shows of an engine that is not claimed is violated, in the verdict too', { timeout: 120_000 }, async () => {
  await start('core/read-needs-list')
  const folder = folderWith(
    `targets:\n  - { api: secrets, url: '${reference.url}', engines: [kv], identities: { root: { token: ${TOKEN} } } }\n`,
  )
  const ran = await assay(['certify', '--effort', 'thorough'], { folder })
  expect(ran.code, ran.all).toBe(1)
  const { verdict, clauses, gateReasons } = resultsIn(folder)
  expect(verdict).toBe('nonConformant')
  expect(gateReasons).toContainEqual({ gate: 'failed', kind: 'violated', subject: 'CORE-CAP-03', message: 'CORE-CAP-03 is violated' })
  expect(clauses.find(({ id }) => id === 'CORE-CAP-03')?.outcome).toBe('violated')
})

test('a replayed case is one of one check, and never conformant', { timeout: 120_000 }, async () => {
  await start()
  const folder = folderWith(
    `targets:\n  - { api: secrets, url: '${reference.url}', engines: [kv], identities: { root: { token: ${TOKEN} } } }\n`,
  )
  const many = await assay(['certify', '--replay', '0'], { folder })
  expect(many.code, many.all).toBe(2)
  expect(many.all).toContain('name that with --check')
  const ran = await assay(['certify', '--replay', '0', '--check', 'kv/v1-callers-model'], { folder })
  expect(ran.code, ran.all).toBe(0)
  expect(resultsIn(folder).verdict).toBe('partial')
  expect(ran.all).toMatch(/again .*--replay 0/)
})

test('a run of limited time is partial if something did not fit; what it left out is not a gap', { timeout: 120_000 }, async () => {
  await start()
  const folder = folderWith(
    `targets:\n  - { api: secrets, url: '${reference.url}', engines: [kv], identities: { root: { token: ${TOKEN} } } }\n`,
  )
  const split = await assay(['certify', '--within', '10s', '--shard', '1/2'], { folder })
  expect(split.code, split.all).toBe(2)
  expect(split.all).toContain('leave out --shard')
  const within = ['--within', '10s', '--effort', 'thorough']
  const planned = await assay(['certify', ...within, '--plan'], { folder })
  expect(planned.all).toMatch(/of \d+ checks about as many as fit/)
  const ran = await assay(['certify', ...within], { folder })
  expect(ran.code, ran.all).toBe(0)
  const { verdict, gate, scope } = resultsIn(folder)
  expect([verdict, gate]).toEqual(['partial', 'passed'])
  expect(scope.sample).toMatchObject({ seconds: 10 })
  expect(scope.sample!.checks).toBeLessThan(scope.sample!.of)
  expect(ran.all).toMatch(/A sample:\s+[^.]*checks\s+fitted\s+into\s+10\.0\s+s/)
})

test('a run ends after the violated clauses that it may meet, and says what it left out', { timeout: 120_000 }, async () => {
  await start('kv/v1-merged')
  const folder = temporaryFolder()
  const ran = await assay(['certify', reference.url, '--token', TOKEN, '--engine', 'kv', '--max-failures', '1'], { folder })
  expect(ran.code, ran.all).toBe(1)
  const { scope } = resultsIn(folder)
  expect(scope).toMatchObject({ part: true, sample: { failures: 1 } })
  expect(scope.sample!.checks).toBeLessThan(scope.sample!.of)
  expect(ran.all).toMatch(/Ended\s+after\s+1\s+violated\s+clause:/)
  expect(ran.all).toMatch(/again .*--max-failures 1/)
})

test('headers that a user adds are secret', { timeout: 120_000 }, async () => {
  await start('kv/v1-merged')
  const folder = temporaryFolder()
  const basic = Buffer.from('user:proxy-password').toString('base64')
  const headers = ['--header', 'X-Gateway-Key: gateway-key-1', '--header', `Proxy-Authorization: Basic ${basic}`]
  const ran = await assay(['certify', reference.url, '--token', TOKEN, '--engine', 'kv', '--check', 'kv/v1-*', ...headers], { folder })
  expect(ran.code, ran.all).toBe(1)
  const written = ['results.json', 'report.html', 'junit.xml', 'summary.md'].map((file) =>
    readFileSync(join(folder, 'assay-report', file), 'utf8'),
  )
  for (const text of [...written, ran.all]) {
    for (const secret of ['gateway-key-1', basic, 'proxy-password', TOKEN]) expect(text).not.toContain(secret)
  }
})

test('a token that a static target refuses is named before anything is judged', { timeout: 120_000 }, async () => {
  await start()
  await fetch(`${reference.url}/v1/sys/mounts/mine`, {
    method: 'POST',
    headers: { 'X-Service-Token': TOKEN },
    body: JSON.stringify({ type: 'kv', options: { version: '1' } }),
  })
  const target = `api: secrets, url: '${reference.url}', engines: [kv], provisioner: { kind: static }, mounts: { kv1: { path: mine } }`
  const ran = await assay(['certify', '--token', 'another-token'], { folder: folderWith(`targets:\n  - { ${target} }\n`) })
  expect(ran.code, ran.all).toBe(3)
  expect(ran.all).toMatch(/refuses the token \(403\)/)
})
