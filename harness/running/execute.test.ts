/** What becomes of checks: each outcome from its cause, on the real reference server. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allFaults } from '../../reference/faults/index.ts'
import { createReference, type Reference } from '../../reference/index.ts'
import type { CheckBody, CheckOptions, RunnableCheck } from '../checks/vocabulary.ts'
import { loadContract } from '../contract/load.ts'
import type { RunContext } from '../sending/context.ts'
import { completeRun, completeTarget } from '../target/run-configuration.ts'
import { closeRun, openRun } from './open-run.ts'
import { executeCheck } from './repeat.ts'
import { removeShared } from './run.ts'

const TOKEN = 'root-token-of-the-execute-test'
let reference: Reference
let context: RunContext

const openOn = async ({ url }: Reference) => {
  const target = completeTarget({ api: 'secrets', url, engines: ['core', 'kv'] }, process.cwd())
  const config = { ...completeRun({ timing: { grace: '1s' } }, process.cwd()), targets: [target] }
  return openRun(await loadContract(), config, { seed: 1, effort: 'quick', token: TOKEN, signal: new AbortController().signal })
}

beforeAll(async () => {
  reference = await createReference({ rootToken: TOKEN, tls: false }).listen()
  context = (await openOn(reference)).context
})
afterAll(async () => {
  await removeShared(context)
  await closeRun(context)
  await reference.close()
})

let serial = 0
const run = (clauses: string[], body: CheckBody, options: CheckOptions = {}, within = context) => {
  serial += 1
  const check: RunnableCheck = {
    id: `kv/test-${serial}`,
    engine: 'kv',
    clauses,
    title: '',
    kind: options.kind ?? 'scenario',
    needs: options.needs ?? {},
    deadline: options.deadline ?? 10_000,
    body,
  }
  return executeCheck(within, check)
}
const ONE = ['KV-V1-02']
const TWO = ['KV-V1-02', 'KV-V1-04']

test('what a check keeps is made once, and never what another check kept', async () => {
  let made = 0
  const use = () =>
    run(ONE, async ({ bench, expect: check }) => {
      const place = bench.memo('place', () => ({ number: ++made }))
      check(bench.memo('place', () => ({ number: ++made }))).toBe(place)
      check(bench.memo('other', () => 'other')).toBe('other')
    })
  expect([(await use()).outcome, (await use()).outcome, made]).toEqual(['passed', 'passed', 2])
})

describe('outcomes', () => {
  test('an assertion that holds verifies the only clause', async () => {
    const done = await run(ONE, async ({ expect: check }) => check(1).toBe(1))
    expect(done.outcome).toBe('passed')
    expect(done.decisions).toMatchObject([{ clause: 'KV-V1-02', outcome: 'verified' }])
  })
  test('an assertion that does not hold violates it, with what was expected and seen', async () => {
    const done = await run(ONE, async ({ expect: check }) => check(1, 'the count').toBe(2))
    expect(done.outcome).toBe('failed')
    expect(done.decisions).toMatchObject([{ outcome: 'violated', expected: 2, seen: 1, message: expect.stringContaining('the count') }])
  })
  test('a violated clause keeps the request that violated it, among many others', async () => {
    const done = await run(TWO, async ({ bench, expect: check }) => {
      const early = await bench.call('kv1.read', { path: { path: 'early' } })
      for (let more = 0; more < 70; more += 1) await bench.call('kv1.read', { path: { path: `later-${more}` } })
      await bench.decide('KV-V1-02', () => check(early.data.anything, 'of the first answer').toBe(1))
      for (let more = 0; more < 70; more += 1) await bench.call('kv1.read', { path: { path: `last-${more}` } })
      await bench.decide('KV-V1-04', () => check(1).toBe(1))
    })
    expect(done.decisions[0]).toMatchObject({ outcome: 'violated', exchange: 1 })
    expect(done.exchanges.find(({ number }) => number === 1)?.request.path).toMatch(/early$/)
  })
  test('a check that asserts nothing is an internal error', async () => {
    expect(await run(ONE, async ({ bench }) => void (await bench.call('kv1.read', { path: { path: 'x' } })))).toMatchObject({
      outcome: 'errored',
      reason: 'the check asserts nothing',
    })
  })
  test('so is a failure that belongs to no clause and to no answer', async () => {
    expect((await run(TWO, async ({ expect: check }) => check(1).toBe(2))).outcome).toBe('errored')
  })
  test('one about what the target answered blocks: the check rests on it', async () => {
    const done = await run(TWO, async ({ bench, expect: check }) => {
      check(await bench.call('kv1.read', { path: { path: 'x' } }), 'what is granted').toSucceed()
    })
    expect(done).toMatchObject({
      outcome: 'blocked',
      reason: expect.stringContaining('rests on does not hold: what is granted: expected success'),
    })
  })
  test('and a clause that was named and not decided', async () => {
    const done = await run(TWO, async ({ bench, expect: check }) => bench.decide('KV-V1-02', () => check(1).toBe(1)))
    expect(done).toMatchObject({ outcome: 'errored', reason: expect.stringContaining('KV-V1-04') })
  })
  test('and an exception, and a request that breaks its own schema', async () => {
    const thrown = await run(ONE, async () => {
      throw new TypeError('oops')
    })
    expect(thrown).toMatchObject({ outcome: 'errored', reason: 'TypeError: oops' })
    const invalid = await run(ONE, async ({ bench }) => void (await bench.call('kv2.write', { path: { path: 'x' }, body: 'text' })))
    expect(invalid).toMatchObject({ outcome: 'errored', reason: expect.stringContaining('breaks its own schema') })
  })
  test('one violation among several decisions fails that clause only', async () => {
    const done = await run(TWO, async ({ bench, expect: check }) => {
      await bench.decide('KV-V1-02', () => check(1).toBe(2))
      await bench.decide('KV-V1-04', () => check(1).toBe(1))
    })
    expect(done.outcome).toBe('failed')
    expect(done.decisions.map(({ outcome }) => outcome)).toEqual(['violated', 'verified'])
  })
  test('a set-up that fails blocks', async () => {
    const done = await run(ONE, async ({ bench }) => void (await bench.given('kv1.read', { path: { path: bench.fresh() } })))
    expect(done).toMatchObject({ outcome: 'blocked', reason: expect.stringContaining('kv1.read answered 404') })
  })
  test('a missing backend, fixture or permission blocks with its remedy', async () => {
    const backend = await run(ONE, async () => undefined, { needs: { backends: ['postgres'] } })
    expect(backend).toMatchObject({ outcome: 'blocked', remedy: expect.any(String) })
    const fixture = await run(ONE, async ({ bench }) => void (await bench.fixture('pool')))
    expect(fixture).toMatchObject({ outcome: 'blocked', remedy: 'set fixtures.pool in the configuration' })
    const allow = await run(ONE, async () => undefined, { needs: { allow: 'seal' } })
    expect(allow).toMatchObject({ outcome: 'blocked', remedy: expect.stringContaining('seal') })
  })
  test('the wait for a fixture that another check works in does not count as a check’s own time', async () => {
    context.targets.get('secrets')!.config.fixtures.bench = { id: 'only' }
    const order: string[] = []
    const work = (name: string, ms: number, deadline: number) =>
      run(
        ONE,
        async ({ bench, expect: check }) => {
          check((await bench.reserve('bench')).id).toBe((await bench.reserve('bench')).id)
          order.push(`${name} begins`)
          bench.defer(async () => order.push(`${name} has cleared away`))
          await new Promise((done) => setTimeout(done, ms))
        },
        { deadline },
      )
    const done = await Promise.all([work('one', 400, 10_000), work('two', 0, 200)])
    expect(done.map(({ outcome }) => outcome)).toEqual(['passed', 'passed'])
    expect(order).toEqual(['one begins', 'one has cleared away', 'two begins', 'two has cleared away'])
  })
  test('a check that never ends is blocked at its deadline', async () => {
    const done = await run(ONE, () => new Promise<void>(() => undefined), { deadline: 100 })
    expect(done).toMatchObject({ outcome: 'blocked', reason: 'not done within 0.1 s' })
  })
  test('a check that is answered all the while has more time, and not for ever', async () => {
    const ask = (times: number) =>
      run(
        ONE,
        async ({ bench, expect: check }) => {
          for (let turn = 0; turn < times; turn += 1) {
            await bench.call('kv1.read', { path: { path: 'absent' } })
            await new Promise((done) => setTimeout(done, 80))
          }
          check(times).toBe(times)
        },
        { deadline: 2000 },
      )
    expect(await ask(35)).toMatchObject({ outcome: 'passed' })
    expect(await ask(1000)).toMatchObject({ outcome: 'blocked', reason: 'not done within 8 s' })
  })
  test('observations decide open clauses', async () => {
    expect((await run(ONE, async ({ bench }) => bench.observe('KV-V1-02', 'seen'))).outcome).toBe('observed')
  })
})

describe('refusals', () => {
  const path = { path: 'refusal' }
  const refuse = (bad: object, control: object, more: object = {}) =>
    run(ONE, async ({ bench }) => {
      await bench.given('kv1.write', { path, body: { a: '1' } })
      await bench.refuses('kv1.write', { bad, control, unchanged: { operation: 'kv1.read', input: { path } }, ...more } as never)
    })

  test('with a control that succeeds and a state that stays', async () => {
    expect((await refuse({ path, rawBody: '{' }, { path, body: { a: '2' } })).outcome).toBe('passed')
  })
  test('what is not refused is a violation, shown by the bad request', async () => {
    const done = await refuse({ path, body: { a: '3' } }, { path, body: { a: '2' } })
    expect(done).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('expected a refusal') })
    expect(done.decisions[0]?.exchange).toBe(3)
  })
  test('another status than the contract fixes is a violation', async () => {
    expect((await refuse({ path, rawBody: '{' }, { path, body: {} }, { status: 418 })).reason).toMatch(/the contract says 418/)
  })
  test('a control that is refused too proves nothing', async () => {
    expect((await refuse({ path, rawBody: '{' }, { path, rawBody: '[', invalid: true })).outcome).toBe('blocked')
  })
  test('a refusal with 500 is a violation that says so, unless the control fails as well', async () => {
    const faults = allFaults.filter(({ id }) => id === 'core/not-json-500')
    const broken = await createReference({ rootToken: TOKEN, tls: false, faults }).listen()
    const { context: within } = await openOn(broken)
    const unchanged = { operation: 'kv1.read', input: { path } }
    const refusing = (control: object): CheckBody => {
      return async ({ bench }) => void (await bench.refuses('kv1.write', { bad: { path, rawBody: '{' }, control, unchanged } as never))
    }
    const refused = (control: object) => run(ONE, refusing(control), {}, within)
    expect(await refused({ path, body: { a: '2' } })).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('refused, but with 500'),
    })
    expect(await refused({ path, rawBody: '[', invalid: true })).toMatchObject({
      outcome: 'blocked',
      reason: expect.stringContaining('500'),
    })
    await removeShared(within)
    await closeRun(within)
    await broken.close()
  })
  test('a set-up that is refused leaves the clauses of a drawn check to others, and those of a written one undecided', async () => {
    const setUp: CheckBody = async ({ bench }) => {
      await bench.given('kv1.write', { path, rawBody: '{' })
    }
    expect(await run(ONE, setUp, { kind: 'model' })).toMatchObject({ outcome: 'blocked', leftToOthers: true })
    expect(await run(ONE, setUp)).not.toHaveProperty('leftToOthers')
  })
  test('a state that changes is a violation although the request was refused', async () => {
    let reads = 0
    const done = await run(ONE, async ({ bench }) => {
      const unchanged = async () => {
        reads += 1
        return reads
      }
      await bench.refuses('kv1.write', { bad: { path, rawBody: '{' }, control: { path, body: {} }, unchanged })
    })
    expect(done).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('changed the state') })
  })
})

describe('waiting', () => {
  test('ends as soon as the condition holds', async () => {
    let tries = 0
    const done = await run(ONE, async ({ bench, expect: check }) =>
      bench.eventually(async () => {
        tries += 1
        check(tries).toBe(3)
      }),
    )
    expect(done.outcome).toBe('passed')
    expect(tries).toBe(3)
  })
  test('fails with the last reason when time is over', async () => {
    const done = await run(ONE, async ({ bench, expect: check }) =>
      bench.eventually(async () => check('a').toBe('b'), { within: 150, because: 'it expires' }),
    )
    expect(done).toMatchObject({ outcome: 'failed', reason: expect.stringMatching(/it expires: not within 0.15 s; last: /) })
  })
})

test('the same seed gives the same numbers, another check others, and no two have a name in common', async () => {
  const draws: string[] = []
  const names = new Set<string>()
  const body: CheckBody = async ({ bench, expect: check }) => {
    draws.push(`${bench.random.integer(0, 1e9)} ${bench.random.word(8)}`)
    names.add(bench.fresh('x'))
    check(1).toBe(1)
  }
  const check = (id: string): RunnableCheck => ({
    id,
    engine: 'kv',
    clauses: ONE,
    title: '',
    kind: 'scenario',
    needs: {},
    deadline: 1000,
    body,
  })
  for (const id of ['kv/a', 'kv/a', 'kv/b']) await executeCheck(context, check(id))
  expect(draws[0]).toBe(draws[1])
  expect(draws[0]).not.toBe(draws[2])
  expect(names.size).toBe(3)
})
