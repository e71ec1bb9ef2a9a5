import { expect, test } from 'vitest'
import type { CheckRun } from '../harness/running/check-run.ts'
import { SecretRegistry } from '../harness/secrets/secrets.ts'
import { judge } from './judgement.ts'

const SECRET = 'f3b1c09a77d2e6458b90'

const contextWith = (level: string): Parameters<typeof judge>[0] => {
  const secrets = new SecretRegistry()
  secrets.add(SECRET)
  return { seed: 3, secrets, contract: { clauses: new Map([['A-B-01', { level }]]) } } as unknown as Parameters<typeof judge>[0]
}

const runOf = (outcome: CheckRun['outcome'], more: Partial<CheckRun> = {}): CheckRun =>
  ({
    check: { id: 'a/b' },
    outcome,
    decisions:
      outcome === 'failed' ? [{ clause: 'A-B-01', outcome: 'violated', message: 'm', expected: `${SECRET}!`, seen: { x: SECRET } }] : [],
    notes: {},
    ...more,
  }) as unknown as CheckRun

test('what violates a required clause fails, and shows what was expected and seen without secrets', () => {
  const judged = judge(contextWith('required'), runOf('failed', { reason: `saw ${SECRET}` }))
  expect(judged).toMatchObject({ test: 'failed', outcome: 'failed', expected: '[redacted]!', seen: { x: '[redacted]' } })
  expect(JSON.stringify(judged)).not.toContain(SECRET)
})

test.each([
  ['advised', 'warned'],
  ['open', 'observed'],
])('what violates a clause that is %s is %s, and fails nothing', (level, outcome) => {
  expect(judge(contextWith(level), runOf('failed'))).toMatchObject({ test: 'passed', outcome })
})

test('what is blocked or went wrong by itself is not green, and says what to do', () => {
  const blocked = judge(contextWith('required'), runOf('blocked', { reason: 'no mount', remedy: 'name one' }))
  expect(blocked).toMatchObject({ test: 'failed', outcome: 'blocked' })
  expect(blocked.note).toContain('no mount\nname one\n')
  expect(blocked.note).toContain('--check a/b --seed 3')
  expect(judge(contextWith('required'), runOf('errored'))).toMatchObject({ test: 'failed', outcome: 'errored' })
})

test('what the target does not serve or claim is skipped with the reason', () => {
  expect(judge(contextWith('required'), undefined)).toMatchObject({ test: 'skipped', outcome: 'notClaimed' })
  expect(judge(contextWith('required'), runOf('blocked', { leftToOthers: true, reason: 'none' }))).toMatchObject({ test: 'skipped' })
})
