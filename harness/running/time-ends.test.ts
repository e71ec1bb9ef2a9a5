/** What becomes of checks when the time of a run is over, or when it has met its limit of failures. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReference, type Reference } from '../../reference/index.ts'
import type { CheckBody, RunnableCheck } from '../checks/vocabulary.ts'
import { failureLimit } from '../outcomes/failure-limit.ts'
import type { LimitedTime } from './limited-time.ts'
import { closeRun } from './open-run.ts'
import { removeShared, runChecks } from './run.ts'
import { openedRun } from './testing/opened.ts'

const TOKEN = 'root-token-of-the-test-of-time'
let reference: Reference

beforeAll(async () => {
  reference = await createReference({ rootToken: TOKEN, tls: false }).listen()
})
afterAll(() => reference.close())

const check = (name: string, body: CheckBody, needs: RunnableCheck['needs'] = {}): RunnableCheck => ({
  id: `kv/${name}`,
  engine: 'kv',
  clauses: ['KV-V1-02'],
  title: '',
  kind: 'scenario',
  needs,
  deadline: 60_000,
  body,
})

const never = (): Promise<never> => new Promise(() => undefined)

/** Runs checks, and ends the time, or half of it, once that is called. */
const certified = async (checks: (over: () => void, half: () => void) => RunnableCheck[], fits: LimitedTime['fits'] = () => true) => {
  const context = await openedRun(reference.url, TOKEN)
  const target = context.targets.get('secrets')!
  // As where mounts are fixed: what changes one as a whole has to run alone.
  const { provisioner } = target
  target.provisioner = Object.assign(Object.create(provisioner), {
    features: new Set([...provisioner.features].filter((one) => one !== 'mounts')),
  })
  const [halved, ended] = [new AbortController(), new AbortController()]
  const time: LimitedTime = {
    ms: 1000,
    limit: performance.now() + 60_000,
    inOrder: (all) => [...all],
    fits,
    took: () => undefined,
    isOver: () => ended.signal.aborted,
    end: () => ended.signal,
    half: () => ({ ...time, end: () => halved.signal }),
  }
  try {
    const runs = await runChecks(
      context,
      checks(
        () => ended.abort(),
        () => halved.abort(),
      ),
      {},
      { time },
    )
    return { runs: runs.map((run) => [run.check.id, run.outcome]), left: context.leftovers }
  } finally {
    await removeShared(context)
    await closeRun(context)
  }
}

test('a check that goes on when time is over is left out, and what it made is removed; one that has failed by then counts', async () => {
  const made: string[] = []
  const { runs, left } = await certified((over) => [
    check('holds', async ({ expect: that }) => that(1).toBe(1)),
    check('fails', async ({ bench, expect: that }) => {
      await bench.decide('KV-V1-02', () => that(1).toBe(2)).catch(() => undefined)
      await never()
    }),
    check('goes-on', async ({ bench }) => {
      const path = { path: bench.fresh() }
      await bench.given('kv1.write', { path, body: { a: '1' } })
      made.push(path.path)
      over()
      await never()
    }),
  ])
  expect(runs).toEqual([
    ['kv/holds', 'passed'],
    ['kv/fails', 'failed'],
  ])
  expect([made.length, left]).toEqual([1, []])
})

test('a check that would not end in time does not begin', async () => {
  const { runs } = await certified(
    () => ['one', 'other'].map((name) => check(name, async ({ expect: that }) => that(1).toBe(1))),
    ({ id }) => id === 'kv/one',
  )
  expect(runs).toEqual([['kv/one', 'passed']])
})

test('a check that takes the server away has to fit as well', async () => {
  const { runs } = await certified(
    () => [check('takes', async ({ expect: that }) => that(1).toBe(1), { allow: 'seal' })],
    () => false,
  )
  expect(runs).toEqual([])
})

test('checks that have to run alone have a time of their own, whatever the others take', async () => {
  const alone = { mounts: { own: { type: 'kv1', exclusive: true } } }
  const { runs } = await certified((_, half) => [
    check('goes-on', async () => {
      half()
      await never()
    }),
    check('alone', async ({ expect: that }) => that(1).toBe(1), alone),
  ])
  expect(runs).toEqual([['kv/alone', 'passed']])
})

test('the limit of violated clauses leaves out what has not ended by then', async () => {
  const context = await openedRun(reference.url, TOKEN)
  const known = [{ clause: 'KV-V1-02', check: 'kv/known', reason: 'known', owner: 'us' }]
  const limit = failureLimit(context, 1, known, '2026-01-01')
  const fails = (name: string) => check(name, async ({ expect: that }) => that(1).toBe(2))
  const checks = [fails('known'), fails('fails'), check('goes-on', never)]
  try {
    const runs = await runChecks(context, checks, {}, { limit })
    expect(runs.map((run) => [run.check.id, run.outcome])).toEqual([
      ['kv/known', 'failed'],
      ['kv/fails', 'failed'],
    ])
    expect(await runChecks(context, [fails('later')], {}, { limit })).toEqual([])
  } finally {
    await closeRun(context)
  }
})
