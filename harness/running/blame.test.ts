/** Whose fault it is when a check cannot go on: the target's, where an answer was not what its schema says. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReference, type Reference } from '../../reference/index.ts'
import type { CheckBody, RunnableCheck } from '../checks/vocabulary.ts'
import { loadContract } from '../contract/load.ts'
import type { RunContext } from '../sending/context.ts'
import type { WireAnswer } from '../target/http.ts'
import { completeRun, completeTarget } from '../target/run-configuration.ts'
import { closeRun, openRun } from './open-run.ts'
import { executeCheck } from './repeat.ts'
import { removeShared } from './run.ts'

const TOKEN = 'root-token-of-the-blame-test'
let reference: Reference
let context: RunContext
/** What every answer to a check's request is replaced by. */
let replaced: string | undefined

beforeAll(async () => {
  reference = await createReference({ rootToken: TOKEN, tls: false }).listen()
  const target = completeTarget({ api: 'secrets', url: reference.url, engines: ['kv'] }, process.cwd())
  const config = { ...completeRun({ timing: { grace: '1s' } }, process.cwd()), targets: [target] }
  context = (await openRun(await loadContract(), config, { seed: 1, effort: 'quick', token: TOKEN, signal: new AbortController().signal }))
    .context
  const { http } = context.targets.get('secrets')!
  const send = http.send.bind(http)
  http.send = async (request, timeout, subject): Promise<WireAnswer> => {
    const answer = await send(request, timeout, subject)
    return replaced === undefined || request.path.includes('/sys/')
      ? answer
      : { ...answer, status: 200, headers: { 'content-type': 'application/json' }, bytes: Buffer.from(replaced) }
  }
})
afterAll(async () => {
  await removeShared(context)
  await closeRun(context)
  await reference.close()
})

const run = (answer: string | undefined, clauses: string[], body: CheckBody) => {
  const check: RunnableCheck = { id: 'kv/blame', engine: 'kv', clauses, title: '', kind: 'scenario', needs: {}, deadline: 10_000, body }
  replaced = answer
  return executeCheck(context, check)
}

const read: CheckBody = async ({ bench, expect: check }) => {
  const { data } = await bench.call('kv2.read', { path: { path: 'x' } })
  check(data.data).toEqual({})
}

const NOT_AN_OBJECT = [
  'null',
  '[]',
  '"text"',
  'no JSON',
  '{"data":null}',
  '{"data":[]}',
  `${'{"data":'.repeat(200_000)}1${'}'.repeat(200_000)}`,
]

test('a promised `data` that is not there is never read as an empty one', async () => {
  for (const answer of NOT_AN_OBJECT) {
    const done = await run(answer, ['KV-V1-02'], read)
    expect(done.outcome, answer.slice(0, 40)).toBe('blocked')
    expect(done.reason).toMatch(/^kv2\.read answered 200.*; [A-Z0-9-]+ has to hold first$/)
  }
})

test('a check that names the clause of that shape violates it', async () => {
  const blocked = await run('{"data":null}', ['KV-V1-02'], read)
  const clause = /; ([A-Z0-9-]+) has to hold first$/.exec(blocked.reason ?? '')![1]!
  const done = await run('{"data":null}', ['KV-V1-02', clause], read)
  expect(done.outcome).toBe('failed')
  expect(done.decisions).toMatchObject([{ clause, outcome: 'violated' }])
})

test('an exception after such an answer is not an internal error', async () => {
  const hollow = '{"data":{"data":null,"metadata":7}}'
  const crash: CheckBody = async ({ bench }) => {
    const { data } = await bench.call('kv2.read', { path: { path: 'x' } })
    ;(data.metadata as unknown as { version: { of: string } }).version.of.trim()
  }
  const done = await run(hollow, ['KV-V1-02'], crash)
  expect(done).toMatchObject({ outcome: 'blocked', reason: expect.stringContaining('has to hold first') })
  const sends: CheckBody = async ({ bench }) => {
    const { data } = await bench.call('kv2.read', { path: { path: 'x' } })
    await bench.call('kv2.write', { path: { path: data.metadata as unknown as string }, body: null })
  }
  expect((await run(hollow, ['KV-V1-02'], sends)).outcome).toBe('blocked')
})

test('a check that goes wrong by itself is still an internal error', async () => {
  const crash: CheckBody = async ({ bench }) => {
    await bench.given('kv1.write', { path: { path: bench.fresh() }, body: { a: '1' } })
    throw new TypeError('oops')
  }
  expect(await run(undefined, ['KV-V1-02'], crash)).toMatchObject({ outcome: 'errored', reason: 'TypeError: oops' })
})

test('an exchange sent to observe is judged by no schema', async () => {
  const reached = () => context.ledger.clauses.get('KV-V2-02')?.reached ?? 0
  const asked =
    (observing: boolean): CheckBody =>
    async ({ bench, expect: check }) => {
      check((await bench.call('kv2.read', { path: { path: 'x' }, observing })).status).toBe(200)
    }
  const [before, findings] = [reached(), () => [...context.ledger.clauses.values()].flatMap((entry) => [...entry.findings.values()]).length]
  const known = findings()
  await run('{"data":[1]}', ['KV-V2-02'], asked(true))
  expect([reached(), findings()]).toEqual([before, known])
  await run('{"data":[1]}', ['KV-V2-02'], asked(false))
  expect([reached(), findings()]).not.toEqual([before, known])
})
