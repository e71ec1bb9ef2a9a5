import { asObject, check, type Json } from '../../harness/checks/index.ts'
import {
  aCheck,
  aRun,
  attributesOf,
  COUNTS,
  itemsOf,
  list,
  relatedId,
  show,
  statusOf,
  TIMESTAMPS,
  timeOf,
  timestampsOf,
} from './fixtures.ts'
import { inEach, listings, mapped, showings } from './readings.ts'

const STATES = ['readable-check', 'passed-check', 'queued-check', 'hard-failed-check']

check('policy-checks/run-of-check', 'POLICY-CHECKS-FIELD-18', 'a policy check names the run it belongs to', async ({ bench, expect }) => {
  const { id, run } = await aCheck(bench, 'readable-check')
  expect(relatedId((await show(bench, id)).data, 'run')).toBe(run)
  const other = await aRun(bench, 'run')
  const items = itemsOf(await list(bench, other.id))
  const forms = await listings(bench, other.id, other.checks.length)
  for (const [form, listed] of Object.entries(forms))
    for (const item of listed) expect(relatedId(item, 'run'), `the run of a check in the list, ${form}`).toBe(other.id)
  // Checks of two runs by turns: none is shown with what the one before it had.
  for (const item of items.slice(0, 2))
    for (const [one, its] of [
      [id, run],
      [String(item.id), other.id],
    ] as const)
      expect(relatedId((await show(bench, one)).data, 'run'), 'the run of a check that is shown after one of another').toBe(its)
})

check(
  'policy-checks/output-link',
  'POLICY-CHECKS-FIELD-19',
  'the output link is the path of the check itself',
  async ({ bench, expect }) => {
    const { id } = await aCheck(bench, 'readable-check')
    expect(asObject((await show(bench, id)).data.links).output).toBe(`/api/v2/policy-checks/${id}/output`)
    for (const item of itemsOf(await list(bench, (await aRun(bench, 'run')).id))) {
      expect(asObject(item.links).output).toBe(`/api/v2/policy-checks/${String(item.id)}/output`)
    }
  },
)

check('policy-checks/can-override', 'POLICY-CHECKS-FIELD-24', 'can-override is true for who may override', async ({ bench, expect }) => {
  const { id } = await aCheck(bench, 'readable-check')
  expect(asObject(attributesOf((await show(bench, id)).data).permissions)['can-override']).toBe(true)
})

check(
  'policy-checks/cannot-override',
  'POLICY-CHECKS-FIELD-25',
  'can-override is false for who may only read',
  async ({ bench, expect }) => {
    const as = bench.named('reader')
    for (const purpose of STATES) {
      const { id, run } = await aCheck(bench, purpose)
      const seen = [(await bench.given('policyChecks.show', { path: { id }, as })).data, ...itemsOf(await list(bench, run, {}, as))]
      for (const item of seen) expect(asObject(attributesOf(item).permissions)['can-override'], `of the ${purpose}`).toBe(false)
    }
  },
)

check(
  'policy-checks/can-override-by-reader',
  ['POLICY-CHECKS-FIELD-24', 'POLICY-CHECKS-FIELD-25'],
  'can-override speaks of the caller who reads, in any order of callers',
  async ({ bench, expect }) => {
    const reader = bench.named('reader')
    const readers = {
      'POLICY-CHECKS-FIELD-24': { as: 'root', may: true },
      'POLICY-CHECKS-FIELD-25': { as: reader, may: false },
    } as const
    for (const order of [
      ['POLICY-CHECKS-FIELD-24', 'POLICY-CHECKS-FIELD-25', 'POLICY-CHECKS-FIELD-24'],
      ['POLICY-CHECKS-FIELD-25', 'POLICY-CHECKS-FIELD-24', 'POLICY-CHECKS-FIELD-25'],
    ] as const) {
      const { id, run } = await aCheck(bench, 'readable-check')
      for (const clause of order) {
        const { as, may } = readers[clause]
        const listed = Object.entries(await listings(bench, run, 1, as)).flatMap(([form, items]) =>
          items.filter((item) => item.id === id).map((item) => [form, item] as const),
        )
        const seen = { ...(await showings(bench, id, as)), ...Object.fromEntries(listed) }
        await bench.decide(clause, () =>
          expect(
            mapped(seen, (item) => asObject(attributesOf(item).permissions)['can-override'] ?? null),
            'can-override, shown and listed',
          ).toEqual(inEach(seen, may)),
        )
      }
    }
  },
)

check('policy-checks/counts', 'POLICY-CHECKS-FIELD-23', 'counts and duration are not negative', async ({ bench, expect }) => {
  for (const purpose of ['readable-check', 'passed-check', 'hard-failed-check']) {
    const result = asObject(attributesOf((await show(bench, (await aCheck(bench, purpose)).id)).data).result)
    for (const count of COUNTS) expect(result[count], count).toBeGreaterThanOrEqual(0)
  }
})

check(
  'policy-checks/soft-failed-times',
  ['POLICY-CHECKS-STATE-01', 'POLICY-CHECKS-STATE-02', 'POLICY-CHECKS-STATE-03', 'POLICY-CHECKS-STATE-04'],
  'a soft-failed check was queued, then soft-failed, and not overridden',
  async ({ bench, expect }) => {
    const { data } = await show(bench, (await aCheck(bench, 'readable-check')).id)
    if (statusOf(data) !== 'soft_failed')
      bench.blocked(`the fixture readable-check is ${String(statusOf(data))}`, 'see specs/run-management/fixtures.yaml')
    const times = timestampsOf(data)
    await bench.decide('POLICY-CHECKS-STATE-01', () => expect(times['queued-at'], 'queued-at').toEqual(expect.any(String)))
    await bench.decide('POLICY-CHECKS-STATE-02', () => expect(times['soft-failed-at'], 'soft-failed-at').toEqual(expect.any(String)))
    const [queued, failed] = [timeOf(data, 'queued-at'), timeOf(data, 'soft-failed-at')]
    await bench.decide('POLICY-CHECKS-STATE-03', () => {
      expect(queued === undefined || failed === undefined || queued <= failed, 'queued no later than soft-failed').toBe(true)
    })
    await bench.decide('POLICY-CHECKS-STATE-04', () => expect(times['overridden-at'] ?? null).toBeNull())
  },
)

check(
  'policy-checks/not-overridden-times',
  'POLICY-CHECKS-STATE-04',
  'no state but overridden shows overridden-at',
  async ({ bench, expect }) => {
    for (const purpose of ['passed-check', 'hard-failed-check', 'queued-check', 'soft-failed-warning-check']) {
      const { data } = await bench.given('policyChecks.show', { path: { id: (await aCheck(bench, purpose)).id } })
      if (statusOf(data) === 'overridden') bench.blocked(`the fixture ${purpose} is overridden`, 'see specs/run-management/fixtures.yaml')
      expect(timestampsOf(data)['overridden-at'] ?? null, `overridden-at of the ${purpose}`).toBeNull()
    }
  },
)

check(
  'policy-checks/times-not-null',
  'POLICY-CHECKS-FIELD-27',
  'no key of status-timestamps holds null, and what passed or failed hard shows no soft failure',
  async ({ bench, expect }) => {
    for (const purpose of STATES) {
      const { id, run } = await aCheck(bench, purpose)
      for (const item of [(await show(bench, id)).data, ...itemsOf(await list(bench, run))]) {
        const times = asObject(attributesOf(item)['status-timestamps'])
        expect(
          TIMESTAMPS.filter((key) => times[key] === null),
          `keys that hold null, of the ${purpose}`,
        ).toEqual([])
        if (item.id === id && ['passed-check', 'hard-failed-check'].includes(purpose))
          expect('soft-failed-at' in times, `soft-failed-at of the ${purpose}`).toBe(false)
      }
    }
  },
)

check('policy-checks/queued-times', 'POLICY-CHECKS-STATE-05', 'a queued check has not soft-failed yet', async ({ bench, expect }) => {
  const { data } = await show(bench, (await aCheck(bench, 'queued-check')).id)
  if (['soft_failed', 'overridden'].includes(String(statusOf(data))))
    bench.blocked('the fixture queued-check was evaluated meanwhile', 'give one that waits for longer')
  const times = timestampsOf(data)
  expect(times['queued-at']).toEqual(expect.any(String))
  expect(times['soft-failed-at'] ?? null).toBeNull()
})

check(
  'policy-checks/open-values',
  ['POLICY-CHECKS-FIELD-20', 'POLICY-CHECKS-FIELD-21', 'POLICY-CHECKS-FIELD-22', 'POLICY-CHECKS-FIELD-26', 'POLICY-CHECKS-STATE-06'],
  'values that the document leaves open, by state',
  async ({ bench }) => {
    const seen: Record<string, Record<string, Json>> = { keys: {}, scope: {}, result: {}, overridable: {}, status: {} }
    for (const purpose of STATES) {
      const attributes = attributesOf((await show(bench, (await aCheck(bench, purpose)).id)).data)
      const result = asObject(attributes.result)
      seen.keys![purpose] = Object.keys(result).concat(Object.keys(asObject(result['policy-engine'])))
      seen.scope![purpose] = attributes.scope ?? null
      seen.result![purpose] = Object.fromEntries(['result', ...COUNTS].map((key) => [key, result[key] ?? null]))
      seen.overridable![purpose] = asObject(attributes.actions)['is-overridable'] ?? null
      seen.status![purpose] = attributes.status ?? null
    }
    bench.observe('POLICY-CHECKS-FIELD-20', seen.keys!)
    bench.observe('POLICY-CHECKS-FIELD-21', seen.scope!)
    bench.observe('POLICY-CHECKS-FIELD-22', seen.result!)
    bench.observe('POLICY-CHECKS-FIELD-26', seen.overridable!)
    bench.observe('POLICY-CHECKS-STATE-06', seen.status!)
  },
)
