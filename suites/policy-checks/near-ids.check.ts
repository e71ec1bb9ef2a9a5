import { type Answer, check, nearIds } from '../../harness/checks/index.ts'
import { aCheck, idsOf, list, override, show, softFailed, stateOf } from './fixtures.ts'

check(
  'policy-checks/near-ids',
  ['POLICY-CHECKS-SHOW-05', 'POLICY-CHECKS-OVERRIDE-21'],
  'an id that is near to that of a policy check, or the one of its run, shows and overrides nothing',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const { id, run } = await softFailed(bench, 'soft-failed-check')
    const before = await stateOf(bench, id)
    const overrides: [how: string, answer: Answer][] = []
    for (const [how, near, open] of [...nearIds(bench, id), ['replaced by the one of its run', run, false] as const]) {
      const shown = await show(bench, near)
      // Somebody's check has this very id, or it is another spelling of the same one.
      if (shown.ok && (shown.data.id === near || (open && shown.data.id === id))) continue
      await bench.decide('POLICY-CHECKS-SHOW-05', () => expect(shown, `the id of a check ${how}`).toBeRefused())
      overrides.push([how, await override(bench, near)])
    }
    const after = await stateOf(bench, id)
    await bench.decide('POLICY-CHECKS-OVERRIDE-21', () => {
      for (const [how, answer] of overrides) expect(answer, `an override by the id of a check ${how}`).toBeRefused()
      expect(after, 'the check after overrides by ids near to its own').toEqual(before)
    })
  },
)

check(
  'policy-checks/near-runs',
  'POLICY-CHECKS-LIST-07',
  'an id that is near to that of a run, or the one of its policy check, lists nothing',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const { id, run } = await aCheck(bench, 'readable-check')
    // Somebody may have a run with this very id: what it lists is not of this one.
    for (const [how, near, open] of [...nearIds(bench, run), ['replaced by the one of its check', id, false] as const])
      if (!open) expect(idsOf(await list(bench, near)), `what the id of a run ${how} lists`).not.toContain(id)
    await bench.given('policyChecks.list', { path: { run_id: run } })
  },
)
