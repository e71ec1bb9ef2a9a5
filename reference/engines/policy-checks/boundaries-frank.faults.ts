/** Faults at the edges: no item, one, many, first and last pages, sizes, zeros. */
import { faultsOf } from '../../mutations/declare.ts'
import { changedDocument } from '../../run-management/answer-changes.ts'
import { policyChecks } from './engine.ts'

const { rule, route } = faultsOf(policyChecks)

route(
  'frank-single-check-not-in-array',
  'POLICY-CHECKS-LIST-02',
  'a list of one is that one, not an array (002 4: data is an array of policy checks)',
  'policyChecks.list',
  changedDocument((body) => (Array.isArray(body.data) && body.data.length === 1 ? { ...body, data: body.data[0] ?? null } : body)),
)

rule(
  'frank-full-last-page-empty',
  'POLICY-CHECKS-PAGE-05',
  'a last page that is full is empty (002 4: list query parameters page[number], page[size])',
  {
    slice: (original) => (items, page) => (page.number > 1 && page.number * page.size === items.length ? [] : original(items, page)),
  },
)

rule(
  'frank-incomplete-last-page-lost',
  'POLICY-CHECKS-PAGE-05',
  'a last page that is not full is empty (002 4: list query parameters page[number], page[size])',
  {
    slice: (original) => (items, page) => (page.number > 1 && page.number * page.size > items.length ? [] : original(items, page)),
  },
)

rule(
  'frank-page-size-of-one-is-default',
  'POLICY-CHECKS-PAGE-06',
  'page[size] of 1 counts as none and gives 20 items (002 4: page[size])',
  {
    page: (original) => (query, defaultSize) => {
      const page = original(query, defaultSize)
      return page.size > 1 ? page : { ...page, size: defaultSize }
    },
  },
)

rule(
  'frank-large-pages-leave-gaps',
  'POLICY-CHECKS-PAGE-05',
  'pages of more than 20 have 20, yet begin by their size: what lies between is on none (002 4: page[size])',
  {
    slice: (original) => (items, page) => original(items, page).slice(0, 20),
  },
)

rule(
  'frank-pages-overlap',
  'POLICY-CHECKS-PAGE-06',
  'pages after the first begin with the last item of the page before (002 4: page[number])',
  {
    slice: (original) => (items, page) => {
      if (page.number < 2) return original(items, page)
      const from = (page.number - 1) * page.size - 1
      return items.slice(from, from + page.size)
    },
  },
)

rule(
  'frank-first-page-by-number-is-all',
  'POLICY-CHECKS-PAGE-04',
  'page[number]=1 alone gives all items (002 4: page[size] defaults to 20 items per page)',
  {
    paged: () => (query) => Number(query.get('page[number]')) > 1 || query.has('page[size]'),
  },
)

rule(
  'frank-size-alone-ignored',
  'POLICY-CHECKS-INCLUDE-12',
  'page[size] without page[number] gives all items (002 4: page[number] is optional and defaults to the first page)',
  {
    paged: () => (query) => query.has('page[number]'),
  },
)

route(
  'frank-unpaged-list-ends-at-100',
  'POLICY-CHECKS-PAGE-01',
  'a list without paging parameters ends after 100 items (002 4: not paginated and contains all items)',
  'policyChecks.list',
  (original) => (call) => {
    if (call.rules.paged(call.query)) return original(call)
    const checksOf: typeof call.rules.checksOf = (world, run) => call.rules.checksOf(world, run).slice(0, 100)
    return original({ ...call, rules: { ...call.rules, checksOf } })
  },
)

rule(
  'frank-page-number-first-digit',
  'POLICY-CHECKS-PAGE-05',
  'of a page number of two digits the first counts (002 4: page[number] is an int)',
  {
    page: (original) => (query, defaultSize) => {
      const number = query.get('page[number]')
      const read = new URLSearchParams(query)
      if (number) read.set('page[number]', number.slice(0, 1))
      return original(read, defaultSize)
    },
  },
)

rule(
  'frank-zero-duration-null',
  'POLICY-CHECKS-FIELD-09',
  'a duration of zero is null, as of a queued check (002 2.1: result.duration-ms is an int)',
  {
    result: (original) => (check) => ({ ...original(check), 'duration-ms': check.result.durationMs || null }),
  },
)

rule(
  'frank-warning-without-soft-failures-stays',
  'POLICY-CHECKS-OVERRIDE-12',
  'a warning cannot be overridden, its soft failures being 0 (002 4: soft-mandatory or warning)',
  {
    overridable: (original) => (check) => original(check) && check.result.softFailed > 0,
  },
)
