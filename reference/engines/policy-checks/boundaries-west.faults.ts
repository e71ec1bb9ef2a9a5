/** Faults at the edges: no check, one, many, the first and the last page, exactly the limit, zero failures. */
import { faultsOf } from '../../mutations/declare.ts'
import { changedDocument } from '../../run-management/answer-changes.ts'
import type { Page } from '../../run-management/paging.ts'
import type { PolicyCheckRules } from './checks.rules.ts'
import { policyChecks } from './engine.ts'
import { withRules } from './west-help.ts'

const { rule, route } = faultsOf(policyChecks)

const SIZE = 'page[size]'

route(
  'west-lone-check-bare',
  'POLICY-CHECKS-LIST-02',
  'a whole list of one check has the check itself as data (002 4: `data` is an array)',
  'policyChecks.list',
  changedDocument<PolicyCheckRules>((body, { rules, query }) => {
    const { data } = body
    return Array.isArray(data) && data.length === 1 && !rules.paged(query) ? { ...body, data: data[0]! } : body
  }),
)

route(
  'west-no-checks-null',
  'POLICY-CHECKS-LIST-02',
  'a run without checks has null as data (002 4: `data` is an array)',
  'policyChecks.list',
  changedDocument((body) => (Array.isArray(body.data) && body.data.length === 0 ? { ...body, data: null } : body)),
)

route(
  'west-later-pages-open-ended',
  'POLICY-CHECKS-PAGE-04',
  'without a size, the second page and those after it hold all the rest (002 8: default page size 20)',
  'policyChecks.list',
  withRules((rules, { query }) => ({
    slice: <T>(items: readonly T[], page: Page): T[] =>
      page.number > 1 && !query.has(SIZE) ? items.slice((page.number - 1) * page.size) : rules.slice(items, page),
  })),
)

rule('west-size-one-is-default', 'POLICY-CHECKS-PAGE-06', 'a page size of 1 counts as not given (002 4: page[size])', {
  page: (original) => (query, defaultSize) => {
    const page = original(query, defaultSize)
    return page.size > 1 ? page : { ...page, size: defaultSize }
  },
})

rule(
  'west-full-last-page-short',
  'POLICY-CHECKS-PAGE-05',
  'the last page lacks its last item when it is exactly full (002 4: page[size])',
  {
    slice:
      () =>
      (items, { number, size }) => {
        const start = (number - 1) * size
        // One more than asked for is looked up, to know whether a page follows.
        const found = items.slice(start, start + size + 1)
        return found.length >= size ? found.slice(0, -1) : found
      },
  },
)

route(
  'west-whole-list-hundred',
  'POLICY-CHECKS-PAGE-01',
  'a list without pages ends after 100 checks (002 4: not paginated and contains all items)',
  'policyChecks.list',
  withRules((rules, { query }) => ({
    checksOf: (world, run) => {
      const all = rules.checksOf(world, run)
      return rules.paged(query) ? all : all.slice(0, 100)
    },
  })),
)

rule(
  'west-offset-by-default-size',
  'POLICY-CHECKS-PAGE-06',
  'later pages begin where pages of 20 would, whatever size is asked for (002 4: page[number], page[size])',
  {
    slice:
      () =>
      (items, { number, size }) => {
        const start = (number - 1) * 20
        return items.slice(start, start + size)
      },
  },
)

rule(
  'west-only-timestamp-lost',
  'POLICY-CHECKS-STATE-05',
  'a check that has reached one status only has no timestamps (002 2.1: status-timestamps, a key is present once reached)',
  {
    timestamps: (original) => (check) => {
      const given = original(check)
      return Object.keys(given).length > 1 ? given : {}
    },
  },
)

const failsSoftly: PolicyCheckRules['overridable'] = ({ status, result }) => status === 'soft_failed' && result.softFailed > 0

rule(
  'west-warnings-not-overridable',
  'POLICY-CHECKS-OVERRIDE-12',
  'a check without soft failures, with a warning only, cannot be overridden (002 3: soft-mandatory or a warning)',
  {
    overridable: () => failsSoftly,
    isOverridable: () => failsSoftly,
  },
)

const failsNotHard: PolicyCheckRules['overridable'] = ({ status, result }) => status !== 'overridden' && result.hardFailed === 0

rule(
  'west-no-failures-overridable',
  'POLICY-CHECKS-OVERRIDE-13',
  'whatever has no hard failure can be overridden, a passed check too (002 3: from soft_failed)',
  {
    overridable: () => failsNotHard,
    isOverridable: () => failsNotHard,
  },
)

route(
  'west-related-of-one-only',
  'POLICY-CHECKS-INCLUDE-02',
  'a list of several checks has no related resources (002 4: list accepts include)',
  'policyChecks.list',
  withRules((rules) => ({
    included: (world, checks, paths) => (checks.length === 1 ? rules.included(world, checks, paths) : []),
  })),
)

route(
  'west-size-compared-as-text',
  'POLICY-CHECKS-PAGE-05',
  'a size whose digits sort behind those of the total gives all items, such as 20 of 105 (002 4: page[size])',
  'policyChecks.list',
  withRules((rules, { query, world, params }) => ({
    paged: (asked) => rules.paged(asked) && !((query.get(SIZE) ?? '') > String(rules.checksOf(world, params.run_id!).length)),
  })),
)
