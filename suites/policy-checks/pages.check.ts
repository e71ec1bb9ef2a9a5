import { asObject, type Bench, check, oddPages, property } from '../../harness/checks/index.ts'
import { aRun, idsOf, includedOf, list } from './fixtures.ts'
import { INCLUDES, page, pagesFor } from './readings.ts'

/** Page sizes, 20 at most, whose last page of so many checks is full, and is not; one by which pages have numbers of two digits. */
const sizesFor = (count: number): number[] => {
  const sizes = Array.from({ length: 12 }, (_, at) => at + 9)
  const full = sizes.find((size) => count % size === 0)
  const most = sizes.find((size) => count % size === size - 1)
  const least = sizes.find((size) => count % size === 1)
  const manyPages = Math.min(20, Math.floor((count - 1) / 10))
  return [...new Set([full, most, least, 15, 16, manyPages].filter((size) => size !== undefined))]
}

/**
 * The checks on pages of a size that a server need not give: read until they are as many as the run has, or a page holds none. Undefined where such a
 * size is refused.
 */
const onLargePages = async (bench: Bench, run: string, count: number, size: number): Promise<string[] | undefined> => {
  const found: string[] = []
  for (let number = 1; found.length < count; number += 1) {
    const answer = await list(bench, run, page(number, size))
    if (number === 1 && !answer.ok) return undefined
    if (idsOf(answer).length === 0) break
    found.push(...idsOf(answer))
  }
  return found
}

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
    const wanted = [...checks].sort()
    // Twice: the pages in between leave the whole list whole.
    const decideWhole = async () => {
      for (const include of INCLUDES) {
        const whole = await list(bench, id, include)
        await bench.decide('POLICY-CHECKS-PAGE-01', () => {
          expect(idsOf(whole).length, `items without paging parameters, ${include.include ?? 'nothing'} included`).toBe(checks.length)
          expect(idsOf(whole).sort()).toEqual(wanted)
        })
      }
    }
    await decideWhole()
    // Twice as well: a size that was asked for in between is not that of later requests.
    const decideDefault = async () => {
      const pages = [await list(bench, id, page(1)), await list(bench, id, page(2))]
      await bench.decide('POLICY-CHECKS-PAGE-04', () => expect(pages.map((answer) => idsOf(answer).length)).toEqual([20, 20]))
    }
    await decideDefault()
    for (const size of [undefined, ...bench.few(sizesFor(checks.length), 2)]) {
      const parts: string[] = []
      for (const query of pagesFor(checks.length, size)) parts.push(...idsOf(await list(bench, id, query)))
      await bench.decide('POLICY-CHECKS-PAGE-05', () => {
        expect(parts.length, `checks on all pages of ${size ?? 'the default size'}`).toBe(checks.length)
        expect(parts.sort(), `checks on all pages of ${size ?? 'the default size'}`).toEqual(wanted)
      })
    }
    for (const size of [25, checks.length - 1]) {
      const found = await onLargePages(bench, id, checks.length, size)
      if (found === undefined) continue
      await bench.decide('POLICY-CHECKS-PAGE-05', () => expect(found.sort(), `checks on all pages of ${size}`).toEqual(wanted))
    }
    await decideDefault()
    await decideWhole()
  },
)

check(
  'policy-checks/large-run-by-reader',
  'POLICY-CHECKS-PAGE-01',
  'a large run is listed whole to who may only read it',
  async ({ bench, expect }) => {
    const { id, checks } = await largeRun(bench)
    expect(idsOf(await list(bench, id, {}, bench.named('reader'))).sort()).toEqual([...checks].sort())
  },
)

check(
  'policy-checks/full-pages',
  'POLICY-CHECKS-PAGE-12',
  'a page holds as many checks as asked for while there are more, also where that is more than by default',
  async ({ bench, expect }) => {
    const { id, checks } = await largeRun(bench)
    for (const size of [19, 21, 25, 40, 51, 100]) {
      for (const number of [1, 2]) {
        const items = Math.max(0, Math.min(size, checks.length - (number - 1) * size))
        // What a page beyond the last is answered with is open.
        if (items === 0) continue
        expect(idsOf(await list(bench, id, page(number, size))).length, `items of page ${number} with size ${size}`).toBe(items)
      }
    }
  },
)

check(
  'policy-checks/pages-of-a-small-run',
  ['POLICY-CHECKS-PAGE-02', 'POLICY-CHECKS-PAGE-03', 'POLICY-CHECKS-PAGE-05'],
  'the pages of a small run are the whole list, whether or not the last one is full',
  async ({ bench, expect }) => {
    const { id, checks } = await aRun(bench, 'run')
    for (let size = 1; size <= checks.length + 1; size += 1) {
      const pages: string[][] = []
      // From the last to the first, and then in order: a page is what it is, whichever was read before.
      const backwards: string[] = []
      for (const query of pagesFor(checks.length, size).reverse()) backwards.push(...idsOf(await list(bench, id, query)))
      for (const query of pagesFor(checks.length, size)) pages.push(idsOf(await list(bench, id, query)))
      await bench.decide('POLICY-CHECKS-PAGE-02', () =>
        expect(Math.max(...pages.map((items) => items.length)), `items of the longest page of size ${size}`).toBeLessThanOrEqual(size),
      )
      await bench.decide('POLICY-CHECKS-PAGE-05', () =>
        expect([backwards.sort(), pages.flat().sort()], `checks on all pages of size ${size}`).toEqual([
          checks.toSorted(),
          checks.toSorted(),
        ]),
      )
      if (size > 1) continue
      // The number of the last page is not that of later requests.
      const alone = idsOf(await list(bench, id, { 'page[size]': String(size) }))
      await bench.decide('POLICY-CHECKS-PAGE-03', () => expect(alone, 'a page without a number, after the last one').toEqual(pages[0]))
    }
  },
)

property(
  'policy-checks/page-size',
  ['POLICY-CHECKS-PAGE-02', 'POLICY-CHECKS-PAGE-03'],
  'a page holds at most as many checks as asked for, beginning with the first',
  { runs: [3, 6], first: [1, 2, 20] },
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
  'policy-checks/order-of-parameters',
  ['POLICY-CHECKS-PAGE-02', 'POLICY-CHECKS-PAGE-05', 'POLICY-CHECKS-INCLUDE-12'],
  'the parameters of a list are understood in whichever order they come',
  async ({ bench, expect }) => {
    const { id } = await aRun(bench, 'run')
    const first = idsOf(await list(bench, id, page(1, 1)))
    const [number, size] = [{ 'page[number]': '2' }, { 'page[size]': '1' }]
    const include = { include: 'run' }
    for (const [how, query] of [
      ['size, number', { ...size, ...number }],
      ['size, number, include', { ...size, ...number, ...include }],
      ['size, include, number', { ...size, ...include, ...number }],
      ['number, include, size', { ...number, ...include, ...size }],
      ['include, size, number', { ...include, ...size, ...number }],
      ['include, number, size', { ...include, ...number, ...size }],
    ] satisfies [string, Record<string, string>][]) {
      const answer = await list(bench, id, query)
      await bench.decide('POLICY-CHECKS-PAGE-02', () =>
        expect(idsOf(answer).length, `items of a page with size 1, asked for by ${how}`).toBeLessThanOrEqual(1),
      )
      await bench.decide('POLICY-CHECKS-PAGE-05', () => {
        expect(idsOf(answer).length, `items of the second page, asked for by ${how}`).toBeGreaterThan(0)
        expect(first, `the first page, which the second, asked for by ${how}, does not repeat`).not.toEqual(
          expect.arrayContaining(idsOf(answer)),
        )
      })
      if (!('include' in query)) continue
      await bench.decide('POLICY-CHECKS-INCLUDE-12', () =>
        expect(
          includedOf(answer).map((resource) => resource.id),
          `ids included, asked for by ${how}`,
        ).toContain(id),
      )
    }
  },
)

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
