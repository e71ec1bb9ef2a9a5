/** What the answer to an override is judged by, whichever check it is about. */
import { type Answer, asObject, type Caller, type CheckContext, type JsonObject, targetNow } from '../../harness/checks/index.ts'
import { attributesOf, documented, override, progressOf, show, statusOf, timeOf, timestampsOf } from './fixtures.ts'

/** Seconds that clocks and transport may add to the grace period. */
const TOLERANCE = 45

/** Seconds from which a soft failure lies well before an override, whatever the clocks of one service differ by. */
const WELL_BEFORE = 20

/** The clauses that `judgeOverride` decides. */
export const OVERRIDE_CLAUSES = [
  'POLICY-CHECKS-OVERRIDE-01',
  'POLICY-CHECKS-OVERRIDE-02',
  'POLICY-CHECKS-OVERRIDE-03',
  'POLICY-CHECKS-OVERRIDE-04',
  'POLICY-CHECKS-OVERRIDE-05',
  'POLICY-CHECKS-OVERRIDE-06',
  'POLICY-CHECKS-OVERRIDE-07',
  'POLICY-CHECKS-OVERRIDE-08',
  'POLICY-CHECKS-OVERRIDE-09',
  'POLICY-CHECKS-OVERRIDE-10',
  'POLICY-CHECKS-OVERRIDE-23',
  'POLICY-CHECKS-FIELD-19',
  'POLICY-CHECKS-FIELD-24',
]

/** What an override leaves as it is; whether the result as a whole counts as good by then is open. */
export const keptOf = (resource: JsonObject): JsonObject => {
  const { counts, scope = null } = documented(resource)
  const { result: _, ...rest } = asObject(counts)
  return { ...rest, scope }
}

/** Judges the answer to an override of a check that was `before`, soft-failed, as the same caller was shown it; and what it is shown as then. */
export const judgeOverride = async ({ bench, expect }: CheckContext, before: JsonObject, answer: Answer): Promise<void> => {
  const { data } = answer
  const id = String(before.id)
  for (const clause of ['POLICY-CHECKS-OVERRIDE-01', 'POLICY-CHECKS-OVERRIDE-03']) {
    await bench.decide(clause, () => {
      expect(answer).toSucceed()
      expect(data).toEqual(expect.objectContaining({ type: 'policy-checks' }))
    })
  }
  await bench.decide('POLICY-CHECKS-OVERRIDE-02', () => expect(answer).toHaveStatus(200))
  await bench.decide('POLICY-CHECKS-OVERRIDE-05', () => expect([statusOf(before), statusOf(data)]).toEqual(['soft_failed', 'overridden']))
  // What was refused shows no check to look at.
  if (!answer.ok) return
  // Who overrides a check may do so, whichever kind it is of, and was told that they may.
  await bench.decide('POLICY-CHECKS-FIELD-24', () => expect(asObject(attributesOf(before).permissions)['can-override']).toBe(true))
  await bench.decide('POLICY-CHECKS-OVERRIDE-04', () => expect(data.id).toBe(id))
  await bench.decide('POLICY-CHECKS-OVERRIDE-06', () => expect(timestampsOf(data)['overridden-at']).toEqual(expect.any(String)))
  await bench.decide('POLICY-CHECKS-OVERRIDE-07', () => {
    const { 'overridden-at': _, ...earlier } = timestampsOf(before)
    expect(timestampsOf(data)).toEqual(expect.objectContaining(earlier))
  })
  await bench.decide('POLICY-CHECKS-OVERRIDE-08', () => {
    const overridden = (timeOf(data, 'overridden-at') ?? 0) / 1000
    const now = targetNow(bench)
    expect(Math.abs(now - overridden), 'seconds between overridden-at and the override').toBeLessThan(bench.grace / 1000 + TOLERANCE)
    const failed = (timeOf(before, 'soft-failed-at') ?? Number.POSITIVE_INFINITY) / 1000
    if (failed < now - 2 * WELL_BEFORE) expect(overridden, 'overridden-at, after a soft failure that was earlier').toBeGreaterThan(failed)
  })
  await bench.decide('POLICY-CHECKS-OVERRIDE-09', () =>
    expect('run' in asObject(data.relationships), 'the answer relates to a run').toBe(false),
  )
  await bench.decide('POLICY-CHECKS-OVERRIDE-23', () => expect(keptOf(data)).toEqual(keptOf(before)))
  await bench.decide('POLICY-CHECKS-FIELD-19', () => expect(asObject(data.links).output).toBe(`/api/v2/policy-checks/${id}/output`))
  await bench.decide('POLICY-CHECKS-OVERRIDE-10', () =>
    bench.eventually(
      async () => expect(progressOf((await show(bench, id)).data), 'the check, shown afterwards').toEqual(progressOf(data)),
      {
        because: 'show reports the override',
      },
    ),
  )
  const { data: shown } = await show(bench, id)
  await bench.decide('POLICY-CHECKS-OVERRIDE-23', () => expect(keptOf(shown), 'result and scope, shown afterwards').toEqual(keptOf(before)))
}

/** Whether a check says of itself that it may be overridden: which ones do after an override in their run is open. */
export const saysOverridable = (resource: JsonObject): boolean => {
  const { actions, permissions } = attributesOf(resource)
  return (
    statusOf(resource) === 'soft_failed' && asObject(actions)['is-overridable'] === true && asObject(permissions)['can-override'] === true
  )
}

/** Overrides a check that says that it may be, judges the answer, and waits until the override is shown. */
export const overridden = async (context: CheckContext, id: string, as: Caller = 'root'): Promise<Answer> => {
  const before = (await context.bench.given('policyChecks.show', { path: { id }, as })).data
  const answer = await override(context.bench, id, as)
  await judgeOverride(context, before, answer)
  return answer
}
