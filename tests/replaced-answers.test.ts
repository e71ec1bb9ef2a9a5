/**
 * No check goes wrong by itself, whatever a target answers: with the answers to all of its operations replaced, and with those to one. A seeded sample of
 * the checks of each engine; `ASSAY_TEST_REPLACED=pki,kv` takes every check of some engines, `ASSAY_TEST_REPLACED=all` every check and every operation of it,
 * `ASSAY_TEST_SEED` another sample.
 */
import PQueue from 'p-queue'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isRunnable } from '../harness/checks/check.ts'
import { seededRandom } from '../harness/checks/seeded-random.ts'
import type { RunnableCheck } from '../harness/checks/vocabulary.ts'
import { type Embedded, operatorSettings, startEmbedded } from '../harness/cli/embedded.ts'
import { loadContract } from '../harness/contract/load.ts'
import { catalogue } from '../harness/planning/catalogue.ts'
import { backendsOf } from '../harness/planning/plan.ts'
import { closeRun, openRun } from '../harness/running/open-run.ts'
import { removeShared } from '../harness/running/run.ts'
import { addSettings, serverSettingsOf } from '../harness/running/server-settings.ts'
import { startForRun } from '../harness/running/used-backends.ts'
import type { RunContext } from '../harness/sending/context.ts'
import { ReplacedTarget, replacements } from './support/replaced.ts'

const WHOLE = process.env.ASSAY_TEST_REPLACED ?? ''
const ALL = WHOLE === 'all'
const isSample = WHOLE === ''
const SEED = Number(process.env.ASSAY_TEST_SEED ?? 1)
/** Checks of each engine. */
const SAMPLE = 2
/** Checks at once, for each kind of answer. The kinds run beside one another, since the checks mostly wait. */
const AT_ONCE = 8
const PATIENCE = isSample ? 240_000 : 3_600_000

const random = seededRandom(SEED, 'replaced answers')
const abort = new AbortController()
let embedded: Embedded
let context: RunContext
let target: ReplacedTarget
let checks: RunnableCheck[]
/** Operations that a check uses when all goes well. */
const used = new Map<string, string[]>()
let stopBackends = async (): Promise<void> => undefined

const isOwn = (check: RunnableCheck): boolean => check.needs.allow !== 'seal'
const isWanted = ({ engine }: RunnableCheck): boolean => isSample || ALL || WHOLE.split(',').includes(engine)
const isAtHand = (check: RunnableCheck): boolean => (check.needs.backends ?? []).every((name) => context.backends[name] !== undefined)

const each = async (work: (check: RunnableCheck) => Promise<void>): Promise<void> => {
  const queue = new PQueue({ concurrency: AT_ONCE })
  await Promise.all(checks.map((check) => queue.add(() => work(check))))
}

beforeAll(async () => {
  const contract = await loadContract()
  embedded = await startEmbedded(contract)
  embedded.config.timing.grace = 300
  context = (await openRun(contract, embedded.config, { seed: SEED, effort: 'quick', signal: abort.signal })).context
  const engines = [...contract.engines.keys()]
  const own = (await catalogue(contract, engines)).filter(isRunnable).filter(isOwn).filter(isWanted)
  const sampled = engines.flatMap((engine) => random.shuffle(own.filter((check) => check.engine === engine)).slice(0, SAMPLE))
  const chosen = isSample ? sampled : own
  const { handles, stop } = await startForRun(context, backendsOf(chosen), false, () => undefined)
  stopBackends = stop
  const settings = serverSettingsOf(handles)
  addSettings({ targets: [...context.targets.values()].map((one) => one.config) }, settings)
  await embedded.reference.operate(operatorSettings(settings))
  checks = chosen.filter(isAtHand)
  target = new ReplacedTarget(context)
  await each(async (check) => void used.set(check.id, [...(await target.run(check)).used]))
}, PATIENCE)

afterAll(async () => {
  await removeShared(context)
  await closeRun(context)
  await stopBackends()
  await embedded.reference.close()
}, 60_000)

test.runIf(isSample)('the sample is of every engine whose systems can be had', () => {
  const missing = Object.keys(context.missingBackends)
  const sampled = new Set(checks.map(({ engine }) => engine))
  for (const engine of context.contract.engines.keys()) expect(sampled.has(engine) || missing.length > 0, engine).toBe(true)
})

test.concurrent.each(Object.keys(replacements))(
  'answers replaced by %s',
  async (kind) => {
    const errored: string[] = []
    await each(async (check) => {
      const operations = used.get(check.id) ?? []
      const alone = ALL || operations.length === 0 ? operations : [seededRandom(SEED, `${kind} ${check.id}`).pick(operations)]
      for (const operation of [undefined, ...alone]) {
        const { outcome, reason } = await target.run(check, replacements[kind], operation)
        if (outcome === 'errored') errored.push(`${check.id}, ${operation ?? 'every operation'}: ${reason}`)
      }
    })
    expect(errored).toEqual([])
  },
  PATIENCE,
)
