/** Faults at the ends: no check, one, as many as a page, more than a page, numbers that are 0. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { Refusal } from '../../run-management/documents.ts'
import { policyChecks } from './engine.ts'

const { rule } = faultsOf(policyChecks)

rule(
  'unpaged-first-twenty',
  ['POLICY-CHECKS-PAGE-01'],
  'a list without paging parameters ends after 20 checks (002 4, not paginated and contains all items)',
  {
    paged: () => () => true,
  },
)

rule(
  'unpaged-ends-at-hundred',
  ['POLICY-CHECKS-PAGE-01'],
  'a list ends after 100 checks, asked for pages or not (002 4, contains all items)',
  {
    checksOf: (original) => (world, run) => original(world, run).slice(0, 100),
  },
)

rule('default-page-of-thirty', ['POLICY-CHECKS-PAGE-04'], 'a page without page[size] has 30 checks (002 8, default page size 20)', {
  defaultPageSize: () => () => 30,
})

rule('page-one-too-many', ['POLICY-CHECKS-PAGE-06'], 'a page holds one check more than page[size] (002 4, page[size])', {
  slice: (original) => (items, page) => {
    const next = items[page.number * page.size]
    const own = original(items, page)
    return next === undefined ? own : [...own, next]
  },
})

rule('last-page-dropped', ['POLICY-CHECKS-PAGE-05'], 'a last page that is not full is empty (002 4, page[number])', {
  slice: (original) => (items, page) => {
    const own = original(items, page)
    return page.number > 1 && own.length < page.size ? [] : own
  },
})

rule('small-pages-raised', ['POLICY-CHECKS-PAGE-06'], 'a page[size] below 5 is taken for 5 (002 4, page[size])', {
  page: (original) => (query, fallback) => {
    const page = original(query, fallback)
    return { ...page, size: Math.max(5, page.size) }
  },
})

rule('third-page-is-second', ['POLICY-CHECKS-PAGE-05'], 'page 3 and those after it show page 2 (002 4, page[number])', {
  slice: (original) => (items, page) => original(items, { ...page, number: Math.min(2, page.number) }),
})

rule('exact-page-empty', ['POLICY-CHECKS-PAGE-05'], 'a page as large as the list is empty (002 4, page[size])', {
  slice: (original) => (items, page) => (items.length === page.size ? [] : original(items, page)),
})

rule('single-check-lost', ['POLICY-CHECKS-LIST-03'], 'a run with one check lists none (002 4, lists the policy checks of a run)', {
  checksOf: (original) => (world, run) => {
    const own = original(world, run)
    return own.length === 1 ? [] : own
  },
})

rule(
  'empty-run-missing',
  ['POLICY-CHECKS-LIST-05'],
  'a run without checks is answered as an unknown one (002 4, data is an array of policy checks)',
  {
    checksOf: (original) => (world, run) => {
      const own = original(world, run)
      if (own.length === 0) throw new Refusal(404, 'no policy checks')
      return own
    },
  },
)

rule(
  'zero-counts-null-anew',
  ['POLICY-CHECKS-FIELD-04', 'POLICY-CHECKS-FIELD-05'],
  'counts and durations of 0 are shown as null (002 2.1, int)',
  {
    result: (original) => (check) =>
      Object.fromEntries(Object.entries(original(check)).map(([name, value]) => [name, value === 0 ? null : value])) as JsonObject,
  },
)

rule(
  'warnings-not-overridden',
  ['POLICY-CHECKS-OVERRIDE-12', 'POLICY-CHECKS-OVERRIDE-01'],
  'a check with nothing but warnings cannot be overridden (002 3, soft-mandatory or a warning)',
  {
    overridable: (original) => (check) => original(check) && check.result.softFailed > 0,
  },
)
