import { asObject, check } from '../../harness/checks/index.ts'
import { aCheck, aRun, documented, idsOf, includedOf, itemsOf, list, otherId, show } from './fixtures.ts'
import { listedAsShown } from './listed.ts'
import { INCLUDES, page } from './readings.ts'

check(
  'policy-checks/list',
  ['POLICY-CHECKS-LIST-01', 'POLICY-CHECKS-LIST-02', 'POLICY-CHECKS-LIST-03', 'POLICY-CHECKS-LIST-06'],
  'a run lists its policy checks',
  async ({ bench, expect }) => {
    const run = await aRun(bench, 'run')
    const answer = await list(bench, run.id)
    await bench.decide('POLICY-CHECKS-LIST-01', () => expect(answer).toSucceed())
    await bench.decide('POLICY-CHECKS-LIST-06', () => expect(answer).toHaveStatus(200))
    await bench.decide('POLICY-CHECKS-LIST-02', () => expect(Array.isArray(asObject(answer.body).data), 'data is an array').toBe(true))
    await bench.decide('POLICY-CHECKS-LIST-03', () => expect(idsOf(answer)).toEqual(expect.arrayContaining(run.checks)))
  },
)

check('policy-checks/list-own', 'POLICY-CHECKS-LIST-04', 'a run lists no policy checks of others', async ({ bench, expect }) => {
  const run = await aRun(bench, 'run')
  const stray = await aCheck(bench, 'readable-check')
  const answer = await list(bench, run.id)
  // Nothing says that the two fixtures are of different runs.
  if (stray.run !== run.id) expect(idsOf(answer)).not.toContain(stray.id)
  expect(run.checks).toEqual(expect.arrayContaining(idsOf(answer)))
  for (const query of [{ 'page[size]': '19' }, { 'page[number]': '1' }] as Record<string, string>[])
    expect([...idsOf(await list(bench, run.id, query))].sort(), 'a page larger than the run').toEqual([...idsOf(answer)].sort())
})

check(
  'policy-checks/lists-by-turns',
  'POLICY-CHECKS-LIST-04',
  'a run lists its own policy checks, whichever run was listed before by the same parameters',
  async ({ bench, expect }) => {
    const runs = [await aRun(bench, 'run'), await aRun(bench, 'large-run'), await aRun(bench, 'empty-run')]
    for (const query of [{}, page(1, 2), page(2, 2), page(1, 20)] as Record<string, string>[])
      for (const { id, checks } of [...runs, ...runs.toReversed()]) {
        const listed = idsOf(await list(bench, id, query))
        expect(
          listed.filter((one) => !checks.includes(one)),
          `checks of another run, with ${JSON.stringify(query)}`,
        ).toEqual([])
      }
  },
)

check('policy-checks/list-again', 'POLICY-CHECKS-PAGE-11', 'the order of a list stays', async ({ bench, expect }) => {
  const { id, checks } = await aRun(bench, 'run')
  const [first, second] = [await list(bench, id), await list(bench, id)]
  expect(idsOf(first).length, 'listed checks').toBe(checks.length)
  expect(idsOf(second)).toEqual(idsOf(first))
})

check('policy-checks/list-items', 'POLICY-CHECKS-LIST-09', 'a list shows a check as its own route does', async ({ bench, expect }) => {
  const run = await aRun(bench, 'run')
  // A check may go on between the two reads.
  await bench.eventually(async () => {
    const items = itemsOf(await list(bench, run.id))
    expect(items.length, 'listed checks').toBeGreaterThan(0)
    for (const item of items) expect(documented(item)).toEqual(documented((await show(bench, String(item.id))).data))
  })
})

for (const purpose of ['readable-check', 'passed-check', 'hard-failed-check', 'queued-check']) {
  check(
    `policy-checks/listed-${purpose}`,
    ['POLICY-CHECKS-LIST-03', 'POLICY-CHECKS-LIST-09', 'POLICY-CHECKS-INCLUDE-01', 'POLICY-CHECKS-INCLUDE-03'],
    `a ${purpose.replace('-check', '')} check is in every list of its run, and leads to the run and its workspace`,
    async (context) => {
      const { bench, expect } = context
      const { id, run, workspace } = await aCheck(bench, purpose)
      await listedAsShown(context, id, run)
      for (const [clause, include, wanted] of [
        ['POLICY-CHECKS-INCLUDE-01', 'run', run],
        ['POLICY-CHECKS-INCLUDE-03', 'run.workspace', workspace],
      ] as const) {
        const included = includedOf(await show(bench, id, { include })).map((resource) => resource.id)
        if (wanted !== undefined) await bench.decide(clause, () => expect(included, `ids included as ${include}`).toContain(wanted))
      }
    },
  )
}

check(
  'policy-checks/list-empty',
  'POLICY-CHECKS-LIST-05',
  'a run without policy checks lists an empty array',
  async ({ bench, expect }) => {
    const { id } = await aRun(bench, 'empty-run')
    const other = await aRun(bench, 'run')
    for (const include of bench.few(INCLUDES, 1)) {
      for (const query of [include, { ...page(1), ...include }, { 'page[size]': '2', ...include }]) {
        // There are checks that could be listed in place of none, and the same caller has just listed them.
        await list(bench, other.id, query)
        const answer = await list(bench, id, query)
        expect(answer).toSucceed()
        expect(asObject(answer.body).data, `the list with ${JSON.stringify(query)}`).toEqual([])
      }
    }
  },
)

check(
  'policy-checks/list-unknown-run',
  ['POLICY-CHECKS-LIST-07', 'POLICY-CHECKS-LIST-08', 'POLICY-CHECKS-LIST-10'],
  'a run that does not exist lists nothing',
  async ({ bench, expect }) => {
    const run = await aRun(bench, 'run')
    const answer = await list(bench, otherId(bench, run.id))
    await bench.decide('POLICY-CHECKS-LIST-07', () => {
      if (!answer.ok) expect(answer).toBeRefused()
      expect(itemsOf(answer)).toEqual([])
    })
    if (answer.ok) bench.observe('POLICY-CHECKS-LIST-08', 'the run is not refused')
    else await bench.decide('POLICY-CHECKS-LIST-08', () => expect(answer).toHaveStatus(404))
    bench.observe('POLICY-CHECKS-LIST-10', answer.status)
    await bench.given('policyChecks.list', { path: { run_id: run.id } })
  },
)
