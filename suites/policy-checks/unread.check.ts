import { asObject, check } from '../../harness/checks/index.ts'
import { aCheck, itemsOf, list, override, progressOf, show, statusOf, timestampsOf } from './fixtures.ts'

for (const { purpose, clause } of [
  { purpose: 'soft-failed-check', clause: 'POLICY-CHECKS-OVERRIDE-01' },
  { purpose: 'soft-failed-warning-check', clause: 'POLICY-CHECKS-OVERRIDE-12' },
]) {
  check(
    `policy-checks/override-unread-${purpose}`,
    [
      clause,
      'POLICY-CHECKS-OVERRIDE-04',
      'POLICY-CHECKS-OVERRIDE-05',
      'POLICY-CHECKS-OVERRIDE-06',
      'POLICY-CHECKS-OVERRIDE-09',
      'POLICY-CHECKS-OVERRIDE-10',
      'POLICY-CHECKS-OVERRIDE-11',
    ],
    `a ${purpose} is overridden before anybody has read it`,
    async ({ bench, expect }) => {
      const { id, run } = await aCheck(bench, purpose)
      const answer = await override(bench, id)
      // Only now is it looked at: a check that has not soft-failed is rightly refused.
      if (!answer.ok && statusOf((await bench.given('policyChecks.show', { path: { id } })).data) !== 'soft_failed')
        bench.blocked(`the fixture ${purpose} is not soft-failed`, 'each need takes one: list many, or use the command provisioner')
      await bench.decide(clause, () => {
        expect(answer).toSucceed()
        expect(answer.data).toEqual(expect.objectContaining({ type: 'policy-checks' }))
      })
      if (!answer.ok) return
      const { data } = answer
      await bench.decide('POLICY-CHECKS-OVERRIDE-04', () => expect(data.id).toBe(id))
      await bench.decide('POLICY-CHECKS-OVERRIDE-05', () => expect(statusOf(data)).toBe('overridden'))
      await bench.decide('POLICY-CHECKS-OVERRIDE-06', () => expect(timestampsOf(data)['overridden-at']).toEqual(expect.any(String)))
      await bench.decide('POLICY-CHECKS-OVERRIDE-09', () =>
        expect('run' in asObject(data.relationships), 'the answer relates to a run').toBe(false),
      )
      const wanted = { status: 'overridden', timestamps: timestampsOf(data) }
      await bench.decide('POLICY-CHECKS-OVERRIDE-10', () =>
        bench.eventually(async () => expect(progressOf((await show(bench, id)).data)).toEqual(wanted), {
          because: 'show reports the override',
        }),
      )
      await bench.decide('POLICY-CHECKS-OVERRIDE-11', () =>
        bench.eventually(
          async () => expect(progressOf(itemsOf(await list(bench, run)).find((item) => item.id === id) ?? {})).toEqual(wanted),
          { because: 'the list reports the override' },
        ),
      )
    },
  )
}
