/** Noise between the checks and a target: never a violation, while what the target does itself stays one. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createReference, type Reference } from '../../reference/index.ts'
import { seededRandom } from '../checks/seeded-random.ts'
import type { CheckBody, CheckKind, RunnableCheck } from '../checks/vocabulary.ts'
import { loadContract } from '../contract/load.ts'
import { catalogue } from '../planning/catalogue.ts'
import { closeRun, openRun } from '../running/open-run.ts'
import { executeCheck, isUnstable } from '../running/repeat.ts'
import { removeShared, runChecks } from '../running/run.ts'
import type { Received, WireAnswer } from '../target/http.ts'
import { learnedAnswer } from '../target/learned.ts'
import { completeRun, completeTarget } from '../target/run-configuration.ts'
import type { WireRequest } from '../target/wire.ts'
import type { RunContext } from './context.ts'

const TOKEN = 'root-token-of-the-noise-test'
const learned = (answer: Received): WireAnswer => learnedAnswer(answer, () => undefined)
const BAD_GATEWAY = learned({ status: 502, headers: { 'content-type': 'text/html' }, bytes: Buffer.from('<h1>Bad Gateway</h1>') })
const THROTTLED = learned({ status: 429, headers: { 'retry-after': '0.01' }, bytes: Buffer.from('{"errors":[]}') })
const PROBE = '/v1/'

/** What comes of a request instead of an answer, or after the target has done it. */
type Disturbance = (request: WireRequest) => WireAnswer | Error | undefined

let reference: Reference
let context: RunContext
let before: Disturbance
let after: Disturbance

beforeAll(async () => {
  reference = await createReference({ rootToken: TOKEN, tls: false }).listen()
  const target = completeTarget({ api: 'secrets', url: reference.url, engines: ['core', 'kv'] }, process.cwd())
  const config = { ...completeRun({ timing: { grace: '5s' } }, process.cwd()), targets: [target] }
  context = (await openRun(await loadContract(), config, { seed: 1, effort: 'quick', token: TOKEN, signal: new AbortController().signal }))
    .context
  const { http } = context.targets.get('secrets')!
  const send = http.send.bind(http)
  const orThrow = (result: WireAnswer | Error): WireAnswer => {
    if (result instanceof Error) throw result
    return result
  }
  http.send = async (request, timeout, subject) => {
    const early = before(request)
    if (early !== undefined) return orThrow(early)
    const answer = await send(request, timeout, subject)
    return orThrow(after(request) ?? answer)
  }
})
beforeEach(() => {
  before = () => undefined
  after = () => undefined
  context.ledger.clauses.clear()
})
afterAll(async () => {
  before = () => undefined
  after = () => undefined
  await removeShared(context)
  await closeRun(context)
  await reference.close()
})

const times = (count: number, result: WireAnswer | Error, applies: (request: WireRequest) => boolean): Disturbance => {
  let left = count
  return (request) => {
    if (left === 0 || !applies(request)) return undefined
    left -= 1
    return result
  }
}
const isOf = (method: string) => (request: WireRequest) =>
  request.method === method && !request.path.includes('/sys/') && request.path !== PROBE
const broken = (): Error => Object.assign(new Error('reset'), { code: 'ECONNRESET' })

const run = (body: CheckBody, kind: CheckKind = 'scenario') => {
  const check: RunnableCheck = { id: 'kv/noise', engine: 'kv', clauses: ['KV-V1-02'], title: '', kind, needs: {}, deadline: 60_000, body }
  return executeCheck(context, check)
}
const roundTrip: CheckBody = async ({ bench, expect: check }) => {
  const path = { path: bench.fresh() }
  await bench.given('kv1.write', { path, body: { a: '1' } })
  const answer = await bench.call('kv1.read', { path })
  check(answer).toHaveStatus(200)
  check(answer.data).toEqual({ a: '1' })
}
const findings = (): number => [...context.ledger.clauses.values()].reduce((sum, { findings: found }) => sum + found.size, 0)

test.each([
  ['a gateway answers', () => BAD_GATEWAY],
  ['the connection breaks', broken],
])('a safe request is sent again where %s', async (_, disturbance) => {
  before = times(4, disturbance(), isOf('GET'))
  const done = await run(roundTrip)
  expect(done).toMatchObject({ outcome: 'passed', noise: expect.any(String) })
  expect(isUnstable(done)).toBe(false)
  expect(findings()).toBe(0)
})

test.each([
  ['a gateway answers', () => BAD_GATEWAY],
  ['the connection breaks', broken],
])('where %s a request that may have been carried out, the check is repeated on fresh names', async (_, disturbance) => {
  after = times(2, disturbance(), isOf('POST'))
  expect(await run(roundTrip)).toMatchObject({ outcome: 'passed', noise: expect.any(String) })
  expect(findings()).toBe(0)
})

test('what asks for patience gets it', async () => {
  before = times(3, THROTTLED, isOf('POST'))
  expect((await run(roundTrip)).outcome).toBe('passed')
})

test.each(['GET', 'POST'])('what answers %s so every time is the target, and is judged', async (method) => {
  before = times(Number.POSITIVE_INFINITY, BAD_GATEWAY, isOf(method))
  const judged: CheckBody = async ({ bench, expect: check }) => {
    const path = { path: bench.fresh() }
    const write = await bench.call('kv1.write', { path, body: { a: '1' } })
    check(write).toSucceed()
    check(await bench.call('kv1.read', { path })).toSucceed()
  }
  expect(await run(judged)).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('502') })
  expect(findings()).toBeGreaterThan(0)
})

test('a gateway that reaches nothing blocks and violates nothing', async () => {
  before = (request) => (request.path.includes('/sys/') ? undefined : BAD_GATEWAY)
  expect(await run(roundTrip)).toMatchObject({ outcome: 'blocked', reason: expect.stringContaining('a gateway answered 502') })
  expect(findings()).toBe(0)
}, 30_000)

/** Fails as often as told, after a read that met noise or not. */
const failing = (count: number, seen: unknown, wanted: unknown, status?: number): CheckBody => {
  let left = count
  return async ({ bench, expect: check }) => {
    const path = { path: bench.fresh() }
    await bench.given('kv1.write', { path, body: { a: '1' } })
    const read = await bench.call('kv1.read', { path })
    left -= 1
    if (status !== undefined && left >= 0) check(read).toBeRefused()
    check(left >= 0 ? seen : wanted).toBe(wanted)
  }
}

test('a check that fails once amid noise and holds when it is repeated is unstable, and its evidence is kept', async () => {
  before = times(1, BAD_GATEWAY, isOf('GET'))
  const done = await run(failing(1, 1, 2))
  expect(done).toMatchObject({ outcome: 'passed', decisions: [{ outcome: 'verified' }], reason: expect.stringContaining('failed once') })
  expect(isUnstable(done)).toBe(true)
  expect(done.exchanges.length).toBeGreaterThan(0)
})

test('a failure that comes again, or without noise, is a violation', async () => {
  before = times(1, BAD_GATEWAY, isOf('GET'))
  expect((await run(failing(9, 1, 2))).outcome).toBe('failed')
  before = () => undefined
  expect((await run(failing(1, 1, 2))).outcome).toBe('failed')
})

test.each(['race', 'model', 'security'] as const)('a %s check counts at first sight', async (kind) => {
  before = times(1, BAD_GATEWAY, isOf('GET'))
  expect((await run(failing(1, 1, 2), kind)).outcome).toBe('failed')
})

test('what was accepted that had to be refused counts at first sight', async () => {
  before = times(1, BAD_GATEWAY, isOf('GET'))
  expect((await run(failing(1, 1, 2, 404))).outcome).toBe('failed')
})

test('amid noise at three of a hundred requests no check violates anything', async () => {
  const random = seededRandom(7, 'noise')
  const some =
    (result: () => WireAnswer | Error): Disturbance =>
    () =>
      random.integer(1, 200) <= 1 ? result() : undefined
  const kinds = [some(() => BAD_GATEWAY), some(broken), some(() => THROTTLED)]
  before = (request) => kinds.map((kind) => kind(request)).find((result) => result !== undefined)
  after = (request) =>
    kinds
      .slice(0, 2)
      .map((kind) => kind(request))
      .find((result) => result !== undefined)
  const checks = (await catalogue(context.contract, ['kv'])).filter(({ engine }) => engine === 'kv')
  const runs = await runChecks(context, checks, {}, { concurrency: 16 })
  const wrong = runs.filter(({ outcome }) => outcome === 'failed' || outcome === 'errored')
  expect(wrong.map(({ check, reason }) => `${check.id}: ${reason}`)).toEqual([])
  expect(runs.filter(({ noise }) => noise !== undefined).length).toBeGreaterThan(0)
}, 240_000)
