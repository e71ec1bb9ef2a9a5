/** What a run keeps of large answers once its checks are over: pieces of them, never a whole. */
import PQueue from 'p-queue'
import { expect, test } from 'vitest'
import { collectGarbage } from '../harness/base/collect-garbage.ts'
import { isRunnable } from '../harness/checks/check.ts'
import { seededRandom } from '../harness/checks/seeded-random.ts'
import { startEmbedded } from '../harness/cli/embedded.ts'
import { loadContract } from '../harness/contract/load.ts'
import { catalogue } from '../harness/planning/catalogue.ts'
import { closeRun, openRun } from '../harness/running/open-run.ts'
import { removeShared } from '../harness/running/run.ts'
import { ReplacedTarget, type Replacement } from './support/replaced.ts'

const MB = 1024 * 1024
const LARGE = 1.25 * MB
const SAMPLE = 16
const AT_ONCE = 4
/** Whole answers that may be held: one that a check has looked at last, and the like. */
const MOST = 6 * LARGE

/** Bytes in use once memory is cleared. */
const held = async (): Promise<number> => {
  // What ended just now lets go of its values in the next turn.
  await new Promise((done) => setImmediate(done))
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

test('of answers of more than 1 MB to all operations no more than pieces are kept', { timeout: 240_000 }, async () => {
  const contract = await loadContract()
  const embedded = await startEmbedded(contract)
  embedded.config.timing.grace = 300
  const signal = new AbortController().signal
  const { context } = await openRun(contract, embedded.config, { seed: 1, effort: 'quick', signal })
  const target = new ReplacedTarget(context)
  let answers = 0
  const large: Replacement = ({ headers }) => {
    answers += 1
    const value = `answer ${answers} `.padEnd(LARGE, 'large ')
    const body = [{ data: value }, { data: { id: `answer-${answers}`, filler: value } }, { errors: value }][answers % 3]
    const bytes = Buffer.from(JSON.stringify(body))
    return { status: 200, headers: { ...headers, 'content-type': 'application/json' }, bytes }
  }
  const random = seededRandom(1, 'held answers')
  const ready = (await catalogue(contract, [...contract.engines.keys()]))
    .filter(isRunnable)
    .filter(({ kind, needs }) => kind === 'scenario' && needs.allow === undefined && (needs.backends ?? []).length === 0)
  // Code that is loaded and compiled once does not count as memory that answers leave.
  for (const check of random.shuffle(ready).slice(0, AT_ONCE)) await target.run(check)
  const before = await held()
  const queue = new PQueue({ concurrency: AT_ONCE })
  const runs = await Promise.all(
    random
      .shuffle(ready)
      .slice(0, SAMPLE)
      .map((check) => queue.add(() => target.run(check, large))),
  )
  // What timers of the last exchanges hold goes with them; what is kept stays for good.
  const kept = async () => (await held()) - before
  await expect.poll(kept, { timeout: 20_000, interval: 200 }).toBeLessThan(MOST)
  await removeShared(context)
  await closeRun(context)
  await embedded.reference.close()
  expect(runs).toHaveLength(SAMPLE)
  expect(answers).toBeGreaterThan(SAMPLE)
})
