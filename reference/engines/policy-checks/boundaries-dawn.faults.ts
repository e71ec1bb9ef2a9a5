/** Faults at the edges: no item, one, the first, the last, a full page, many. */
import { faultsOf } from '../../mutations/declare.ts'
import { changedDocument, changedQuery } from '../../run-management/answer-changes.ts'
import { underRules } from './dawn-help.ts'
import { policyChecks } from './engine.ts'

const { rule, route } = faultsOf(policyChecks)

rule('dawn-pages-overlap', 'POLICY-CHECKS-PAGE-06', 'pages after the first begin one item too early (002 4: page[number], page[size])', {
  slice: (original) => (items, page) => {
    if (page.number === 1) return original(items, page)
    const start = (page.number - 1) * page.size - 1
    return items.slice(start, start + page.size)
  },
})

rule('dawn-partial-last-page-empty', 'POLICY-CHECKS-PAGE-05', 'a last page that is not full is empty (002 4: page[number])', {
  slice: (original) => (items, page) => (page.number > Math.max(1, Math.floor(items.length / page.size)) ? [] : original(items, page)),
})

rule(
  'dawn-number-alone-is-no-page',
  'POLICY-CHECKS-PAGE-04',
  'a page number without a size gives all items (002 4: page[size] is 20 items per page by default)',
  {
    paged: (original) => (query) => original(query) && query.has('page[size]'),
  },
)

rule(
  'dawn-size-alone-second-page',
  'POLICY-CHECKS-LIST-04',
  'a page size without a number gives the second page (002 4: page[number] is the first page by default)',
  {
    page: (original) => (query, defaultSize) => {
      const page = original(query, defaultSize)
      return query.has('page[number]') ? page : { ...page, number: page.number + 1 }
    },
  },
)

route(
  'dawn-hundred-at-most',
  'POLICY-CHECKS-PAGE-01',
  'a list without paging parameters ends after 100 items (002 4: not paginated and contains all items)',
  'policyChecks.list',
  underRules(({ paged, checksOf }, { query }) => (paged(query) ? {} : { checksOf: (world, run) => checksOf(world, run).slice(0, 100) })),
)

route(
  'dawn-later-pages-to-the-end',
  'POLICY-CHECKS-PAGE-04',
  'a later page without a size goes on to the end of the list (002 8: default page size 20)',
  'policyChecks.list',
  underRules(({ slice }, { query }) => ({
    slice: (items, page) =>
      page.number === 1 || query.has('page[size]') ? slice(items, page) : items.slice((page.number - 1) * page.size),
  })),
)

route(
  'dawn-empty-list-null',
  'POLICY-CHECKS-LIST-02',
  'the list of a run without checks has null as its data (002 4: `data` is an array of policy checks)',
  'policyChecks.list',
  changedDocument((body) => (Array.isArray(body.data) && body.data.length === 0 ? { ...body, data: null } : body)),
)

route(
  'dawn-only-check-not-in-array',
  'POLICY-CHECKS-LIST-02',
  'a list of one check has that check as its data, not an array (002 4: `data` is an array of policy checks)',
  'policyChecks.list',
  changedDocument((body) => (Array.isArray(body.data) && body.data.length === 1 ? { ...body, data: body.data[0] ?? null } : body)),
)

route(
  'dawn-page-number-one-digit',
  'POLICY-CHECKS-PAGE-05',
  'of a page number only the first digit is read, so page 10 is page 1 (002 4: page[number] is an int)',
  'policyChecks.list',
  changedQuery((query) => {
    const digit = /^[0-9]/.exec(query.get('page[number]') ?? '')?.[0]
    if (digit !== undefined) query.set('page[number]', digit)
    return query
  }),
)

route(
  'dawn-include-means-pages',
  'POLICY-CHECKS-PAGE-01',
  'a list with related resources is cut to a page though none is asked for (002 4: neither pagination parameter, all items)',
  'policyChecks.list',
  changedQuery((query, { rules }) => {
    if (query.has('include') && !rules.paged(query)) query.set('page[number]', '1')
    return query
  }),
)

rule(
  'dawn-run-without-open-checks-empty',
  'POLICY-CHECKS-OVERRIDE-11',
  'once the last check of a run is overridden, the run lists none (002 4: lists the checks of a run)',
  {
    checksOf: (original) => (world, run) => {
      const found = original(world, run)
      return found.every(({ status }) => status === 'overridden') ? [] : found
    },
  },
)

rule('dawn-full-last-page-loses-one', 'POLICY-CHECKS-PAGE-05', 'a last page that is exactly full lacks its last item (002 4: page[size])', {
  slice: () => (items, page) => {
    const start = (page.number - 1) * page.size
    // One more is read to learn whether there is a next page.
    const rows = items.slice(start, start + page.size + 1)
    if (rows.length >= page.size) rows.pop()
    return rows
  },
})
