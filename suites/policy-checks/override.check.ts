import { type Answer, asObject, type Bench, check, type JsonObject, namedIfAny } from '../../harness/checks/index.ts'
import {
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
  timestampsOf,
  wholeRun,
} from './fixtures.ts'
import { listedAsShown } from './listed.ts'
import { keptOf, OVERRIDE_CLAUSES, overridden } from './overridden.ts'

check(
  'policy-checks/override',
  [...OVERRIDE_CLAUSES, 'POLICY-CHECKS-OVERRIDE-24'],
  'a soft-failed check is overridden',
  async (context) => {
    const { bench } = context
    const { id } = await softFailed(bench, 'soft-failed-check')
    const { actions, permissions } = attributesOf((await overridden(context, id)).data)
    bench.observe('POLICY-CHECKS-OVERRIDE-24', { actions: actions ?? null, permissions: permissions ?? null })
  },
)

check(
  'policy-checks/override-persists',
  ['POLICY-CHECKS-OVERRIDE-10', 'POLICY-CHECKS-OVERRIDE-11', 'POLICY-CHECKS-OVERRIDE-22', 'POLICY-CHECKS-OVERRIDE-23'],
  'an override is there for every later reader, and changes nothing else',
  async ({ bench, expect }) => {
    const run = await aRun(bench, 'run-to-override')
    const before = itemsOf(await list(bench, run.id))
    const chosen = before.find((item) => statusOf(item) === 'soft_failed')
    if (chosen === undefined)
      bench.blocked('the fixture run-to-override has no soft-failed check', 'see specs/run-management/fixtures.yaml')
    const id = String(chosen?.id)
    // What was read with its relations before is read so again.
    const withRun = () => list(bench, run.id, { include: 'run' })
    await withRun()
    await show(bench, id, { include: 'run' })
    const { data } = await bench.given('policyChecks.override', { path: { id } })
    const reports = async (read: () => Promise<JsonObject | undefined>, because: string) => {
      const wanted = { status: 'overridden', timestamps: timestampsOf(data) }
      await bench.eventually(async () => expect(progressOf((await read()) ?? {})).toEqual(wanted), { because })
    }
    await bench.decide('POLICY-CHECKS-OVERRIDE-10', async () => {
      await reports(async () => (await show(bench, id)).data, 'show reports the override')
      await reports(async () => (await show(bench, id, { include: 'run' })).data, 'show with the run reports the override')
    })
    let after = await list(bench, run.id)
    await bench.decide('POLICY-CHECKS-OVERRIDE-11', async () => {
      await reports(async () => {
        after = await list(bench, run.id)
        return itemsOf(after).find((item) => item.id === id)
      }, 'the list reports the override')
      await reports(async () => itemsOf(await withRun()).find((item) => item.id === id), 'the list with the run reports the override')
    })
    const listed = itemsOf(after).find((item) => item.id === id)
    if (listed)
      await bench.decide('POLICY-CHECKS-OVERRIDE-23', () => expect(keptOf(listed), 'result and scope in the list').toEqual(keptOf(chosen!)))
    await bench.decide('POLICY-CHECKS-OVERRIDE-22', () => {
      expect(idsOf(after).length).toBe(before.length)
      const others = (items: typeof before) =>
        Object.fromEntries(items.filter((item) => item.id !== id).map((item) => [String(item.id), progressOf(item)]))
      expect(others(itemsOf(after))).toEqual(others(before))
    })
  },
)

const overrideOne = async (bench: Bench, run: string): Promise<{ id: string; act: () => Promise<Answer> }> => {
  const chosen = itemsOf(await list(bench, run)).find((item) => statusOf(item) === 'soft_failed')
  if (chosen === undefined) bench.blocked('the fixture run-to-override has no soft-failed check', 'see specs/run-management/fixtures.yaml')
  const id = String(chosen?.id)
  return { id, act: () => bench.given('policyChecks.override', { path: { id } }) }
}

check(
  'policy-checks/override-neighbours',
  'POLICY-CHECKS-OVERRIDE-22',
  'an override changes no other check, by any route',
  async ({ bench, expect }) => {
    const [run, other] = [await aRun(bench, 'run-to-override'), await aRun(bench, 'run')]
    const { id, act } = await overrideOne(bench, run.id)
    const read = async () => {
      const own = Object.entries(await wholeRun(bench, run.id, run.checks)).filter(([place]) => !place.endsWith(` ${id}`))
      return { own: Object.fromEntries(own), other: await wholeRun(bench, other.id, other.checks) }
    }
    const before = await read()
    const { data } = await act()
    expect(await read()).toEqual(before)
    // Whether another one may be overridden by then is open; where it is, the first one stays as its override left it.
    const second = itemsOf(await list(bench, run.id)).find((item) => item.id !== id && statusOf(item) === 'soft_failed')
    if (second === undefined) return
    const first = { status: 'overridden', timestamps: timestampsOf(data) }
    await override(bench, String(second.id))
    await bench.eventually(
      async () => expect(progressOf((await show(bench, id)).data), 'the first one, after a second override in its run').toEqual(first),
      { because: 'show reports the override' },
    )
    expect((await read()).other, 'another run, after the second override').toEqual(before.other)
  },
)

check(
  'policy-checks/denied-neighbours',
  'POLICY-CHECKS-OVERRIDE-17',
  'a caller whose read denies overriding a check cannot override it, after an override in its run too',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const run = await aRun(bench, 'run-to-override')
    const { id, act } = await overrideOne(bench, run.id)
    await act()
    const neighbours = run.checks.filter((one) => one !== id)
    for (const as of ['root', bench.named('reader')] as const) {
      for (const neighbour of neighbours) {
        const { data } = await show(bench, neighbour, { as })
        const mayNot = asObject(attributesOf(data).permissions)['can-override'] === false
        if (statusOf(data) !== 'soft_failed' || !mayNot) continue
        expect(await override(bench, neighbour, as), 'an override that can-override denies').toBeRefused()
        expect(statusOf((await show(bench, neighbour)).data), 'status after the refusal').toBe('soft_failed')
      }
    }
  },
)

check(
  'policy-checks/override-warning',
  ['POLICY-CHECKS-OVERRIDE-12', ...OVERRIDE_CLAUSES, 'POLICY-CHECKS-FIELD-25', 'POLICY-CHECKS-LIST-03', 'POLICY-CHECKS-LIST-09'],
  'a warning that soft-failed is listed and overridden too, by whom it says that they may',
  async (context) => {
    const { bench, expect } = context
    const { id, run } = await softFailed(bench, 'soft-failed-warning-check')
    await listedAsShown(context, id, run)
    const as = namedIfAny(bench, 'reader')
    if (as !== undefined) {
      const seen = [(await show(bench, id, { as })).data, ...itemsOf(await list(bench, run, {}, as))]
      await bench.decide('POLICY-CHECKS-FIELD-25', () => {
        for (const item of seen) expect(asObject(attributesOf(item).permissions)['can-override']).toBe(false)
      })
    }
    const answer = await overridden(context, id)
    await bench.decide('POLICY-CHECKS-OVERRIDE-12', () => {
      expect(answer).toSucceed()
      expect(statusOf(answer.data)).toBe('overridden')
    })
  },
)
