/** Faults at the ends of lists and pages, and of nothing, one and zero. */
import { faultsOf } from '../../mutations/declare.ts'
import { changedDocument } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { PolicyCheckRules } from './checks.rules.ts'
import { mapped } from './dusk-help.ts'
import { policyChecks } from './engine.ts'

const { rule, route } = faultsOf(policyChecks)

route(
  'dusk-whole-list-ends-at-100',
  'POLICY-CHECKS-PAGE-01',
  'a list without paging holds the first 100 checks (002 4: not paginated and contains all items)',
  'policyChecks.list',
  changedDocument<PolicyCheckRules>((body, { rules, query }) =>
    Array.isArray(body.data) && !rules.paged(query) ? { ...body, data: body.data.slice(0, 100) } : body,
  ),
)

rule(
  'dusk-run-without-checks-missing',
  'POLICY-CHECKS-LIST-05',
  'the list of a run without checks is 404 (002 4: data is an array of policy checks)',
  {
    checksOf: (original) => (world, run) => {
      const checks = original(world, run)
      if (checks.length === 0) throw new Refusal(404, 'no policy checks')
      return checks
    },
  },
)

route(
  'dusk-only-item-not-in-array',
  'POLICY-CHECKS-LIST-02',
  'a list of one check shows it without an array around it (002 4: data is an array of policy checks)',
  'policyChecks.list',
  changedDocument((body) => (Array.isArray(body.data) && body.data.length === 1 ? { ...body, data: body.data[0] ?? null } : body)),
)

rule(
  'dusk-full-last-page-short',
  'POLICY-CHECKS-PAGE-05',
  'a last page that is exactly full lacks its last check (002 4: page[size], lists the policy checks of a run)',
  {
    slice: (original) => (items, page) => {
      const cut = original(items, page)
      return page.number * page.size === items.length ? cut.slice(0, -1) : cut
    },
  },
)

rule(
  'dusk-pages-overlap',
  'POLICY-CHECKS-PAGE-06',
  'from the second page on, a page begins with the last check of the page before (002 4: page[number])',
  {
    slice: (original) => (items, page) => {
      if (page.number === 1) return original(items, page)
      const start = (page.number - 1) * page.size - 1
      return items.slice(start, start + page.size)
    },
  },
)

rule(
  'dusk-last-part-page-empty',
  'POLICY-CHECKS-PAGE-05',
  'a last page that is not full is empty, unless it is the first (002 4: lists the policy checks of a run)',
  {
    slice: (original) => (items, page) => (page.number > Math.max(1, Math.floor(items.length / page.size)) ? [] : original(items, page)),
  },
)

rule(
  'dusk-defaults-sent-count-as-none',
  'POLICY-CHECKS-PAGE-04',
  'paging parameters that equal the defaults give all items (002 4: page[size], 20 items per page)',
  {
    paged: (original) => (query) =>
      original(query) && ((query.get('page[number]') ?? '1') !== '1' || (query.get('page[size]') ?? '20') !== '20'),
  },
)

rule(
  'dusk-pages-end-at-100',
  'POLICY-CHECKS-PAGE-05',
  'pages show nothing behind the hundredth check (002 4: page[number], lists the policy checks of a run)',
  {
    slice: (original) => (items, page) => original(items.slice(0, 100), page),
  },
)

rule(
  'dusk-warnings-alone-refused',
  'POLICY-CHECKS-OVERRIDE-12',
  'a check with warnings and no soft failure cannot be overridden (002 3: soft-mandatory or a warning)',
  {
    overridable: (original) => (check) => original(check) && check.result.softFailed > 0,
  },
)

rule('dusk-zero-counts-null', 'POLICY-CHECKS-FIELD-04', 'counts of zero are null (002 2.1: attributes.result.hard-failed, int)', {
  result: (original) => (check) => mapped(original(check), (value) => (value === 0 ? null : value)),
})

rule(
  'dusk-lone-timestamp-hidden',
  'POLICY-CHECKS-STATE-05',
  'a check that reached one status only has no timestamps (002 2.1: a key is present once that status was reached)',
  {
    timestamps: (original) => (check) => {
      const times = original(check)
      return Object.keys(times).length > 1 ? times : {}
    },
  },
)

rule(
  'dusk-size-alone-gives-nothing',
  'POLICY-CHECKS-LIST-04',
  'page[size] without page[number] gives an empty page (002 4: page[number], default first page)',
  {
    page: (original) => (query, defaultSize) => {
      const page = original(query, defaultSize)
      return query.has('page[number]') ? page : { ...page, number: 0 }
    },
  },
)
