/** The checks as tests of Vitest: the same outcomes as a run of our own, in the files that declare them, without secrets. */
import { expect, test } from 'vitest'
import { runEmbedded } from './support/embedded-checks.ts'
import { authoring } from './support/vitest.ts'

const SLOW = 300_000
const ENGINE = 'policy-checks'

test('every check has the outcome that certify finds on the same seed', { timeout: SLOW }, async () => {
  const fault = 'policy-checks/override-by-anybody'
  const [{ runs }, { tests, code }] = await Promise.all([
    runEmbedded(({ engine }) => engine === ENGINE, { fault, engines: [ENGINE], seed: 7 }),
    authoring([`suites/${ENGINE}`, 'authoring', '-t', `^${ENGINE}/`], { ASSAY_FAULT: fault, ASSAY_SEED: '7' }),
  ])
  const certified = Object.fromEntries(runs.map(({ check, outcome }) => [check.id, outcome]))
  const tested = Object.fromEntries(
    tests.flatMap(({ status, meta }) => (status === 'skipped' || meta.assay === undefined ? [] : [[meta.assay.id, meta.assay.outcome]])),
  )
  expect(Object.values(certified)).toContain('failed')
  expect(tested).toEqual(certified)
  expect(code).toBe(1)
})

test('a failure stands at its check, and shows no secret', { timeout: SLOW }, async () => {
  const { tests, output } = await authoring(['suites/kv/values/v1.check'], { ASSAY_FAULT: 'kv/v1-first-write-wins' })
  const failed = tests.find(({ meta }) => meta.assay?.id === 'kv/v1-put-stores')
  expect(failed).toMatchObject({ status: 'failed', file: 'suites/kv/values/v1.check.ts', location: { line: expect.any(Number) } })
  expect(failed?.title).toMatch(/^kv\/v1-put-stores: .* \[KV-V1-03\]$/)
  expect(failed?.failureMessages[0]).toContain('[redacted]')
  expect(failed?.failureMessages[0]).toContain(`suites/kv/values/v1.check.ts:${failed?.location?.line}:`)
  expect(output).toContain('[redacted]')
})

test('what is misspelled in the environment is named, and nothing is tested', { timeout: SLOW }, async () => {
  const { code, tests, output } = await authoring(['suites/kv/values/v1.check'], { ASSAY_FAULT: 'kv-v1-first-write-win' })
  expect([code, tests]).toEqual([1, []])
  expect(output).toContain('unknown fault "kv-v1-first-write-win"; did you mean kv/v1-first-write-wins?')
})
