/** What is kept of a check, and what is not. */
import { expect, test } from 'vitest'
import { createReference } from '../../reference/index.ts'
import { collectGarbage } from '../base/collect-garbage.ts'
import type { RunnableCheck } from '../checks/vocabulary.ts'
import { loadContract } from '../contract/load.ts'
import { completeRun, completeTarget } from '../target/run-configuration.ts'
import type { CheckRun } from './check-run.ts'
import { closeRun, openRun } from './open-run.ts'
import { executeCheck } from './repeat.ts'
import { removeShared } from './run.ts'

const TOKEN = 'root-token-of-the-check-run-test'
const CHECKS = 20

test('what a good check exchanged is let go of, while what became of it is kept', async () => {
  const reference = await createReference({ rootToken: TOKEN, tls: false }).listen()
  const target = completeTarget({ api: 'secrets', url: reference.url, engines: ['core', 'kv'] }, process.cwd())
  const config = { ...completeRun({}, process.cwd()), targets: [target] }
  const options = { seed: 1, effort: 'quick', token: TOKEN, signal: new AbortController().signal } as const
  const { context } = await openRun(await loadContract(), config, options)
  try {
    const exchanged: WeakRef<object>[] = []
    const check = (at: number): RunnableCheck => ({
      id: `kv/kept-${at}`,
      engine: 'kv',
      clauses: ['KV-V1-02'],
      title: '',
      kind: 'scenario',
      needs: { mounts: { kv1: { type: 'kv1' } } },
      deadline: 10_000,
      async body({ bench, expect: assert, notes }) {
        const answer = await bench.call('kv1.read', { path: { path: `none-${at}` } })
        // Who can count the exchanges holds on to them.
        exchanged.push(new WeakRef(notes.exchanges))
        assert(answer.status).toBe(404)
      },
    })
    const runs: CheckRun[] = []
    for (let at = 0; at < CHECKS; at += 1) runs.push(await executeCheck(context, check(at)))
    await removeShared(context)
    expect(runs.map(({ outcome }) => outcome)).toEqual(runs.map(() => 'passed'))
    // A weak reference holds its value for the rest of the turn in which it was made.
    await new Promise((done) => setImmediate(done))
    collectGarbage()
    expect(exchanged.filter((one) => one.deref() !== undefined).length).toBeLessThanOrEqual(2)
  } finally {
    await closeRun(context)
    await reference.close()
  }
})
