/** What becomes of checks when the time of a run is over. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReference, type Reference } from '../../reference/index.ts'
import type { CheckBody, RunnableCheck } from '../checks/vocabulary.ts'
import { loadContract } from '../contract/load.ts'
import { completeRun, completeTarget } from '../target/run-configuration.ts'
import type { LimitedTime } from './limited-time.ts'
import { closeRun, openRun } from './open-run.ts'
import { removeShared, runChecks } from './run.ts'

const TOKEN = 'root-token-of-the-test-of-time'
let reference: Reference

beforeAll(async () => {
  reference = await createReference({ rootToken: TOKEN, tls: false }).listen()
})
afterAll(() => reference.close())

const check = (name: string, body: CheckBody): RunnableCheck => ({
  id: `kv/${name}`,
  engine: 'kv',
  clauses: ['KV-V1-02'],
  title: '',
  kind: 'scenario',
  needs: {},
  deadline: 60_000,
  body,
})

const never = (): Promise<never> => new Promise(() => undefined)

/** Runs checks, and ends the time once `over` is called. */
const certified = async (checks: (over: () => void) => RunnableCheck[], fits: LimitedTime['fits'] = () => true) => {
  const target = completeTarget({ api: 'secrets', url: reference.url, engines: ['kv'] }, process.cwd())
  const config = { ...completeRun({}, process.cwd()), targets: [target] }
  const options = { seed: 1, effort: 'quick' as const, token: TOKEN, signal: new AbortController().signal }
  const { context } = await openRun(await loadContract(), config, options)
  const ended = new AbortController()
  const time: LimitedTime = {
    ms: 1000,
    inOrder: (all) => [...all],
    fits,
    took: () => undefined,
    isOver: () => ended.signal.aborted,
    end: () => ended.signal,
  }
  try {
    const runs = await runChecks(
      context,
      checks(() => ended.abort()),
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
