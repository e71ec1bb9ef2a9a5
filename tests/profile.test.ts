/** Profiles: what they demand, whom they certify, and that nothing but the results is needed to say so again. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Contract } from '../harness/contract/contract.ts'
import { loadContract } from '../harness/contract/load.ts'
import { certifiedFor } from '../harness/outcomes/certified.ts'
import { imagine } from '../harness/outcomes/testing/imagined.ts'
import { profileNames, readProfile } from '../harness/planning/profiles.ts'
import { contradictionsIn } from '../harness/results/contradictions.ts'
import { renderMarkdown, terminalSummary } from '../reports/index.ts'
import { renderPage } from '../reports/page/document.tsx'
import type { Results } from '../specs/meta/results.ts'
import { assay, temporaryFolder } from './support/cli.ts'

let contract: Contract
beforeAll(async () => {
  contract = await loadContract()
})

const written = (lines: string[]): string => {
  const file = join(temporaryFolder(), 'own.yaml')
  writeFileSync(file, lines.join('\n'))
  return file
}

const PROFILE = {
  name: 'own',
  title: 'a profile of ours',
  digest: 'ab'.repeat(32),
  engines: ['kv'],
  levels: ['required' as const],
  deviations: [],
}

test('those that ship name what the contract has, each under the name of its file', () => {
  expect(profileNames().length).toBeGreaterThan(2)
  for (const name of profileNames()) expect(readProfile(name, contract)).toMatchObject({ name, levels: ['required'] })
})

test('the digest is of what a profile demands, not of how its file is written', () => {
  const digest = (lines: string[]) => readProfile(written(lines), contract).digest
  const plain = digest(['profile: own', 'title: Ours', 'engines: [kv, core]'])
  expect(digest(['# a comment', 'title: "Ours"', 'profile: own', 'engines:', '  - core', '  - kv', 'levels: [required]'])).toBe(plain)
  expect(digest(['profile: own', 'title: Ours', 'engines: [kv]'])).not.toBe(plain)
  expect(digest(['profile: own', 'title: Ours', 'engines: [kv, core]', 'levels: [required, advised]'])).not.toBe(plain)
})

test.each([
  [['profile: own', 'title: Ours', 'engines: [kw]'], /unknown engine in the profile .*kw/],
  [['profile: own', 'title: Ours', 'engines: [kv]', 'deviations: [{ clause: KV-NO-01, reason: so }]'], /unknown clause in the profile/],
  [['profile: own', 'title: Ours', 'engines: [kv]', 'level: [required]'], /level: unknown key/],
  [['profile: own', 'title: Ours', 'engines: [kv]', 'levels: [advised]'], /levels/],
  [['profile: ['], /not readable YAML/],
] as const)('one that cannot be used is refused: %#', (lines, message) => {
  expect(() => readProfile(written([...lines]), contract)).toThrow(message)
})

describe('a target', () => {
  const conformant = imagine({ engines: { kv: [{ seen: 'verified' }, { seen: 'verified' }, { seen: 'violated', level: 'advised' }] } })
  const failing = imagine({ engines: { kv: [{ seen: 'verified' }, { seen: 'violated' }] } })

  test('is certified when all that counts holds, and only then', () => {
    expect(certifiedFor(PROFILE, conformant)).toEqual({ holds: true, reasons: [] })
    expect(certifiedFor({ ...PROFILE, levels: ['required', 'advised'] }, conformant)).toEqual({
      holds: false,
      reasons: ['KV-C-03 does not hold'],
    })
    expect(certifiedFor(PROFILE, failing).reasons).toEqual(['KV-C-02 does not hold'])
    expect(certifiedFor({ ...PROFILE, deviations: [{ clause: 'KV-C-02', reason: 'old storage' }] }, failing).holds).toBe(true)
    expect(certifiedFor({ ...PROFILE, engines: ['kv', 'pki'] }, conformant).reasons).toContain('the engine pki was not tested')
    expect(certifiedFor(PROFILE, { ...conformant, scope: { ...conformant.scope, part: true } }).holds).toBe(false)
    expect(certifiedFor(PROFILE, { ...conformant, scope: { ...conformant.scope, shard: { index: 1, of: 2 } } }).holds).toBe(false)
    expect(certifiedFor(PROFILE, imagine({ engines: { kv: [{ seen: 'verified' }, { seen: 'blocked' }] } })).reasons).toEqual([
      'KV-C-02 was not decided',
    ])
  })

  test('is said to be on page, Markdown and terminal, and to be by no results whose parts say otherwise', () => {
    const honest: Results = { ...failing, profile: { ...PROFILE, certified: certifiedFor(PROFILE, failing) } }
    for (const text of [renderPage(honest), renderMarkdown(honest), terminalSummary(honest)]) expect(text).toMatch(/Not certified for own/)
    expect(contradictionsIn(honest)).toEqual([])
    const made: Results = { ...failing, profile: { ...PROFILE, certified: { holds: true, reasons: [] } } }
    expect(contradictionsIn(made)).toEqual([expect.stringContaining('certified for own')])
  })
})

test('a run for a profile tests its engines, says so and is repeated by the same words', { timeout: 240_000 }, async () => {
  const folder = temporaryFolder()
  const run = ['certify', '--embedded', '--profile', 'run-management', '--effort', 'quick']
  const ran = await assay(run, { folder })
  expect(ran.code, ran.all).toBe(0)
  expect(ran.stdout).toContain('Certified for run-management')
  const results = JSON.parse(readFileSync(join(folder, 'assay-report/results.json'), 'utf8')) as Results
  expect(results.profile).toMatchObject({
    name: 'run-management',
    digest: readProfile('run-management', contract).digest,
    certified: { holds: true },
  })
  expect(results.environment.command).toContain('--profile run-management')
  expect(results.environment.command).not.toContain('--engine')
  const [unknown, both] = await Promise.all([
    assay(['certify', '--embedded', '--profile', 'run-managment']),
    assay(['certify', '--embedded', '--profile', 'run-management', '--engine', 'kv']),
  ])
  expect([unknown.code, both.code]).toEqual([2, 2])
  expect(unknown.stderr).toMatch(/unknown profile "run-managment"; did you mean run-management/)
  expect(both.stderr).toMatch(/leave out --engine, or --profile/)
})
