import { asObject, type Bench, check, oddPages, property } from '../../harness/checks/index.ts'
import { aRun, idsOf, list } from './fixtures.ts'

const page = (number: number | string, size: number | string) => ({ 'page[number]': String(number), 'page[size]': String(size) })

const largeRun = async (bench: Bench) => {
  const run = await aRun(bench, 'large-run')
  if (run.checks.length <= 40) bench.blocked(`the fixture large-run has ${run.checks.length} checks`, 'give a run with more than 40')
  return run
}

check(
  'policy-checks/large-run',
  ['POLICY-CHECKS-PAGE-01', 'POLICY-CHECKS-PAGE-04', 'POLICY-CHECKS-PAGE-05'],
  'a large run is listed whole, or in pages of 20',
  async ({ bench, expect }) => {
    const { id, checks } = await largeRun(bench)
    const whole = await list(bench, id)
    await bench.decide('POLICY-CHECKS-PAGE-01', () => {
      expect(idsOf(whole).length, 'items without paging parameters').toBe(checks.length)
      expect(idsOf(whole).sort()).toEqual([...checks].sort())
    })
    const pages = [
      await list(bench, id, { 'page[number]': '1' }),
      await list(bench, id, { 'page[number]': '2' }),
      await list(bench, id, { 'page[number]': '3' }),
    ]
    await bench.decide('POLICY-CHECKS-PAGE-04', () => expect(pages.slice(0, 2).map((answer) => idsOf(answer).length)).toEqual([20, 20]))
    const parts: string[] = []
    for (let number = 1; number <= Math.ceil(checks.length / 15); number += 1) parts.push(...idsOf(await list(bench, id, page(number, 15))))
    await bench.decide('POLICY-CHECKS-PAGE-05', () => {
      expect([...parts].sort()).toEqual(idsOf(whole).sort())
      expect(new Set(parts).size, 'different checks on all pages').toBe(checks.length)
    })
  },
)

property(
  'policy-checks/page-size',
  ['POLICY-CHECKS-PAGE-02', 'POLICY-CHECKS-PAGE-03'],
  'a page holds at most as many checks as asked for, beginning with the first',
  { runs: [3, 6, 20], first: [1, 2, 20] },
  ({ fc }) => fc.integer({ min: 1, max: 20 }),
  async ({ bench, expect }, size) => {
    const { id } = await aRun(bench, 'run')
    const alone = await list(bench, id, { 'page[size]': String(size) })
    const first = await list(bench, id, page(1, size))
    await bench.decide('POLICY-CHECKS-PAGE-02', () => {
      for (const answer of [alone, first]) {
        expect(idsOf(answer).length, `items of a page with size ${size}`).toBeGreaterThan(0)
        expect(idsOf(answer).length, `items of a page with size ${size}`).toBeLessThanOrEqual(size)
      }
    })
    await bench.decide('POLICY-CHECKS-PAGE-03', () => expect(idsOf(alone)).toEqual(idsOf(first)))
  },
)

check('policy-checks/encoded-brackets', 'POLICY-CHECKS-PAGE-06', 'percent-encoded brackets are understood', async ({ bench, expect }) => {
  const { id } = await aRun(bench, 'run')
  const pages = [await list(bench, id, page(1, 1)), await list(bench, id, page(2, 1))]
  for (const answer of pages) {
    expect(answer).toSucceed()
    expect(idsOf(answer).length, 'items of a page with size 1').toBe(1)
  }
  expect(idsOf(pages[1]!), 'the second page').not.toEqual(idsOf(pages[0]!))
})

check(
  'policy-checks/raw-brackets',
  'POLICY-CHECKS-PAGE-07',
  'brackets that are not percent-encoded are understood',
  async ({ bench, expect }) => {
    const { id } = await aRun(bench, 'run')
    const answer = await bench.call('policyChecks.list', { path: { run_id: id }, pathSuffix: '?page[size]=1&page[number]=1' })
    expect(answer).toSucceed()
    expect(idsOf(answer).length, 'items of a page with size 1').toBe(1)
  },
)

check(
  'policy-checks/odd-pages',
  ['POLICY-CHECKS-PAGE-08', 'POLICY-CHECKS-PAGE-09', 'POLICY-CHECKS-PAGE-10'],
  'paging values that make no sense break nothing',
  async ({ bench, expect }) => {
    const { id } = await aRun(bench, 'run')
    const paged = asObject((await list(bench, id, page(1, 1))).body)
    const whole = asObject((await list(bench, id)).body)
    bench.observe('POLICY-CHECKS-PAGE-08', { paged: Object.keys(paged), whole: Object.keys(whole) })
    await oddPages(
      { bench, expect },
      { failed: 'POLICY-CHECKS-PAGE-10', answered: 'POLICY-CHECKS-PAGE-09' },
      (number, size) => list(bench, id, page(number, size)),
      (answer) => idsOf(answer).length,
    )
  },
)
