import { asObject, check, type JsonObject, namedIfAny } from '../../harness/checks/index.ts'
import {
  aCheck,
  aRun,
  attributesOf,
  idsOf,
  itemsOf,
  list,
  override,
  progressOf,
  show,
  softFailed,
  statusOf,
  unlessOverridden,
  wholeRun,
} from './fixtures.ts'
import { judgeOverride, OVERRIDE_CLAUSES, overridden, saysOverridable } from './overridden.ts'
import { inEach, listings, mapped, page, showings } from './readings.ts'

/** How many checks of one run are overridden one after the other. */
const MOST = 4

/** The soft-failed checks of a run, the last one first, then the first one, then those between. */
const outerFirst = (items: readonly JsonObject[]): string[] => {
  const ids = items.filter((item) => statusOf(item) === 'soft_failed').map(({ id }) => String(id))
  return [...new Set([...ids.slice(-1), ...ids])].slice(0, MOST)
}

check(
  'policy-checks/override-each',
  [...OVERRIDE_CLAUSES, 'POLICY-CHECKS-OVERRIDE-22'],
  'each check of a run is overridden alone, whichever was before it, and the answer is about it',
  async (context) => {
    const { bench, expect } = context
    const run = await aRun(bench, 'run-to-override')
    const order = outerFirst(itemsOf(await list(bench, run.id)))
    if (order.length === 0) bench.blocked('the fixture run-to-override has no soft-failed check', 'see specs/run-management/fixtures.yaml')
    const others = async (id: string) =>
      Object.fromEntries(Object.entries(await wholeRun(bench, run.id, run.checks)).filter(([place]) => !place.endsWith(` ${id}`)))
    for (const [at, id] of order.entries()) {
      // Whether a check can be overridden after another of its run is for the server to say, which is held to what it says.
      if (at > 0 && !saysOverridable((await show(bench, id)).data)) continue
      const before = await others(id)
      await overridden(context, id)
      const after = await others(id)
      await bench.decide('POLICY-CHECKS-OVERRIDE-22', () => expect(after, 'the other checks of the run').toEqual(before))
    }
  },
)

check(
  'policy-checks/override-by-turns',
  OVERRIDE_CLAUSES,
  'checks of one run are overridden by one caller after the other, where each reads that they may',
  { kind: 'security' },
  async (context) => {
    const { bench } = context
    const run = await aRun(bench, 'run-to-override')
    const order = outerFirst(itemsOf(await list(bench, run.id)))
    if (order.length === 0) bench.blocked('the fixture run-to-override has no soft-failed check', 'see specs/run-management/fixtures.yaml')
    const callers = [namedIfAny(bench, 'colleague') ?? 'root', 'root'] as const
    for (const [at, id] of order.entries()) {
      // Nothing says that the colleague may override: a reading that they may counts, after other callers too.
      const turns = [callers[at % 2]!, 'root'] as const
      // Whose turn it is does not go by who has read the check first.
      await show(bench, id, { as: callers[(at + 1) % 2]! })
      for (const as of turns) {
        const { data } = await show(bench, id, { as })
        if (!saysOverridable(data) && (at > 0 || as !== 'root')) continue
        await overridden(context, id, as)
        break
      }
    }
  },
)

/** Status and timestamps by id, in an order of their own: that of a list may change with an override. */
const progressById = (items: readonly JsonObject[]): [string, JsonObject][] =>
  items.map((item): [string, JsonObject] => [String(item.id), progressOf(item)]).sort(([one], [other]) => (one < other ? -1 : 1))

for (const who of ['root', 'reader'] as const) {
  check(
    `policy-checks/override-seen-by-${who}`,
    ['POLICY-CHECKS-OVERRIDE-10', 'POLICY-CHECKS-OVERRIDE-11', 'POLICY-CHECKS-OVERRIDE-22'],
    `after an override ${who === 'root' ? 'who may override' : 'a reader'} sees it in every form of list and show, and only it`,
    async ({ bench, expect }) => {
      const as = who === 'root' ? who : bench.named(who)
      const run = await aRun(bench, 'run-to-override')
      const id = outerFirst(itemsOf(await list(bench, run.id)))[0] ?? ''
      if (id === '') bench.blocked('the fixture run-to-override has no soft-failed check', 'see specs/run-management/fixtures.yaml')
      // What was read before in some form is read so again.
      const lists = async () => mapped(await listings(bench, run.id, run.checks.length, as), progressById)
      const [listedBefore] = [await lists(), await showings(bench, id, as)]
      const at = Math.max(0, idsOf(await list(bench, run.id, {}, as)).indexOf(id))
      const pages = [page(at + 1, 1), page(Math.floor(at / 2) + 1, 2)]
      for (const query of [page(1, 1), page(1, 2), ...pages]) await list(bench, run.id, query, as)
      const wanted = progressOf((await bench.given('policyChecks.override', { path: { id } })).data)
      const own = (items: [string, JsonObject][]) => items.filter(([item]) => item === id)
      // First the page that held the check, alone: reading those before it could renew it. The check may be on another by then.
      await bench.decide('POLICY-CHECKS-OVERRIDE-11', async () => {
        for (const query of pages) {
          await bench.eventually(
            async () => {
              const held = own(progressById(itemsOf(await list(bench, run.id, query, as))))
              expect(held, `the check on its page, with ${JSON.stringify(query)}`).toEqual(held.map(() => [id, wanted]))
            },
            { because: 'the page reports the override' },
          )
        }
      })
      await bench.decide('POLICY-CHECKS-OVERRIDE-10', async () => {
        await bench.eventually(
          async () => {
            const shown = mapped(await showings(bench, id, as), progressOf)
            expect(shown, 'the check, shown').toEqual(inEach(shown, wanted))
          },
          { because: 'show reports the override in every form' },
        )
      })
      let listed = listedBefore
      await bench.decide('POLICY-CHECKS-OVERRIDE-11', async () => {
        await bench.eventually(
          async () => {
            listed = await lists()
            expect(mapped(listed, own), 'the check, listed').toEqual(inEach(listed, [[id, wanted]]))
          },
          { because: 'the list reports the override in every form' },
        )
      })
      const others = (items: [string, JsonObject][]) => items.filter(([item]) => item !== id)
      await bench.decide('POLICY-CHECKS-OVERRIDE-22', () => expect(mapped(listed, others)).toEqual(mapped(listedBefore, others)))
    },
  )
}

for (const { caller, who, clause } of [
  { caller: 'reader', who: 'a caller who may not override', clause: 'POLICY-CHECKS-OVERRIDE-17' },
  { caller: 'stranger', who: 'a stranger', clause: 'POLICY-CHECKS-OVERRIDE-18' },
  { caller: 'none', who: 'a caller without a token', clause: 'POLICY-CHECKS-AUTH-05' },
] as const) {
  check(
    `policy-checks/override-after-${caller}`,
    [...OVERRIDE_CLAUSES, clause],
    `${who} is refused after others have read the check, which takes nothing from one who may`,
    { kind: 'security' },
    async (context) => {
      const { bench, expect } = context
      const { id, run } = await aCheck(bench, 'soft-failed-check')
      const as = caller === 'none' ? caller : bench.named(caller)
      // Before anybody has read the check, after they have read it first, and after who may override has read it too.
      for (const reading of [
        async () => {},
        async () => [await show(bench, id, { as }), await list(bench, run, {}, as)],
        async () => unlessOverridden(bench, 'soft-failed-check', id),
      ]) {
        await reading()
        const answer = await override(bench, id, as)
        await bench.decide(clause, () => expect(answer, `an override by ${who}`).toBeRefused())
        if (answer.ok) return
      }
      const { data } = await bench.given('policyChecks.show', { path: { id } })
      await bench.decide('POLICY-CHECKS-FIELD-24', () => expect(asObject(attributesOf(data).permissions)['can-override']).toBe(true))
      await judgeOverride(context, data, await override(bench, id))
    },
  )
}

check(
  'policy-checks/override-after-refusals',
  [...OVERRIDE_CLAUSES, 'POLICY-CHECKS-OVERRIDE-13', 'POLICY-CHECKS-OVERRIDE-15'],
  'overrides that were refused for the state of a check, read or not, take nothing from others',
  async (context) => {
    const { bench, expect } = context
    const { id } = await softFailed(bench, 'soft-failed-check')
    for (const { purpose, clause } of [
      { purpose: 'passed-check', clause: 'POLICY-CHECKS-OVERRIDE-13' },
      { purpose: 'hard-failed-check', clause: 'POLICY-CHECKS-OVERRIDE-15' },
    ]) {
      const answer = await override(bench, (await aCheck(bench, purpose)).id)
      await bench.decide(clause, () => expect(answer, `an override of the ${purpose}`).toBeRefused())
    }
    // It may be evaluated at any time.
    await override(bench, (await aCheck(bench, 'queued-check')).id)
    await overridden(context, id)
  },
)
