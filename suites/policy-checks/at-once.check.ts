/** Two runs of a server: overrides at the same time, and pages of one beside those of the other. */
import { check } from '../../harness/checks/index.ts'
import { aRun, idsOf, list, override, softFailed } from './fixtures.ts'
import { page, pagesFor } from './readings.ts'

check(
  'policy-checks/overrides-at-once',
  ['POLICY-CHECKS-OVERRIDE-01', 'POLICY-CHECKS-OVERRIDE-04', 'POLICY-CHECKS-OVERRIDE-12'],
  'checks of two runs that are overridden at the same time are both overridden, and each answer is about its own',
  async ({ bench, expect }) => {
    const checks = [await softFailed(bench, 'soft-failed-check'), await softFailed(bench, 'soft-failed-warning-check')]
    // Which checks of a run may be overridden after an override in it is open.
    if (checks[0]!.run === checks[1]!.run) bench.blocked('both soft-failed checks are of one run', 'give checks of two runs')
    const answers = await Promise.all(checks.map(({ id }) => override(bench, id)))
    for (const [index, clause] of ['POLICY-CHECKS-OVERRIDE-01', 'POLICY-CHECKS-OVERRIDE-12'].entries())
      await bench.decide(clause, () => expect(answers[index]!, 'an override at the same time as another').toSucceed())
    if (answers.every(({ ok }) => ok))
      await bench.decide('POLICY-CHECKS-OVERRIDE-04', () =>
        expect(
          answers.map(({ data }) => data.id),
          'the checks that two overrides at once answer with',
        ).toEqual(checks.map(({ id }) => id)),
      )
  },
)

check(
  'policy-checks/pages-beside-another-run',
  'POLICY-CHECKS-PAGE-05',
  'the pages of a run are its whole list, whichever run was there first',
  async ({ bench, expect }) => {
    const large = { ...(await aRun(bench, 'large-run')), size: 20 }
    const small = { ...(await aRun(bench, 'run')), size: 1 }
    for (const { id, checks, size } of [large, small, large]) {
      const found: string[] = []
      for (const query of pagesFor(checks.length, size)) found.push(...idsOf(await list(bench, id, query)))
      expect(found.sort(), `checks on all pages of size ${size}`).toEqual(checks.toSorted())
      expect(idsOf(await list(bench, id, page(1, size))).length, `items of the first page of size ${size}`).toBe(
        Math.min(size, checks.length),
      )
    }
  },
)
