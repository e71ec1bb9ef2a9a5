import { expect, test } from 'vitest'
import { imagine } from './testing/imagined.ts'

const PASSWORD = 'Zk3mPq9LwX71vBtR'

test('no words of the target reach the results with a secret in them, wherever they stand', () => {
  const results = imagine({
    engines: { kv: [{ seen: 'violated' }, { seen: 'blocked' }, { seen: 'errored' }, { seen: 'observed' }, { seen: 'unstable' }] },
    said: `the server quoted ${PASSWORD}`,
    secrets: [PASSWORD],
  })
  const text = JSON.stringify(results)
  expect(text).not.toContain(PASSWORD)
  // Of each outcome, and of the clauses that it explains.
  expect(results.checks.map(({ outcome, reason }) => `${outcome}: ${reason}`)).toEqual([
    'failed: the server quoted [redacted]',
    'blocked: the server quoted [redacted]',
    'errored: the server quoted [redacted]',
    'observed: undefined',
    'passed: undefined',
  ])
  expect(text.split('the server quoted [redacted]').length).toBeGreaterThan(6)
})

test('words of our own stay as they are, although a secret is spelled like one of them', () => {
  const results = imagine({ engines: { kv: [{ seen: 'violated' }] }, secrets: ['KV-C-01', 'decides KV-C-01'] })
  expect(results.clauses[0]).toMatchObject({ id: 'KV-C-01', checks: ['kv/c-01'] })
  expect(results.checks[0]).toMatchObject({ id: 'kv/c-01', title: 'decides KV-C-01', clauses: ['KV-C-01'] })
})

test('a text whose search for secrets takes too long is hidden whole, and the notes say so', () => {
  const name = 'assay-abc000-'
  const secrets = Array.from({ length: 20 }, (_, at) => `${name.repeat(400 + at)}x7f9k2q${at}`)
  const results = imagine({ engines: { kv: [{ seen: 'violated' }] }, said: name.repeat(1_400), secrets })
  expect(results.checks[0]!.reason).toBe('[redacted]')
  expect(results.target.notes).toEqual([expect.stringMatching(/^texts that are hidden whole, .*: \d+$/)])
})

test('a whole run lists engines that the target does not claim, a narrowed one only what was asked for', () => {
  const table = { engines: { kv: [{ seen: 'verified' as const }], ssh: [{ seen: 'notExercised' as const }] }, claimed: ['kv'] }
  const listed = (more: Parameters<typeof imagine>[0]) => imagine(more).engines.map(({ id }) => id)
  expect(listed(table)).toEqual(['kv', 'ssh'])
  expect(listed({ ...table, asked: ['kv'] })).toEqual(['kv'])
  expect(listed({ ...table, narrowedWithin: true })).toEqual(['kv'])
  expect(listed({ ...table, asked: ['kv', 'ssh'] })).toEqual(['kv', 'ssh'])
})

test('what leaves most clauses undecided comes first at the gate', () => {
  const { gateReasons } = imagine({ engines: { kv: [{ seen: 'notExercised' }, { seen: 'blocked' }, { seen: 'blocked' }] } })
  expect(gateReasons.map(({ subject }) => subject)).toEqual(['KV-C-02', 'KV-C-03', 'KV-C-01'])
})
