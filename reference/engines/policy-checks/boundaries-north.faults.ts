/** Faults at boundaries: none, one, many, the last, exactly full pages, large page numbers, zero counts. */
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { changedDocument } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { PolicyCheckRules } from './checks.rules.ts'
import { policyChecks } from './engine.ts'
import { deciding, inRun, LIST } from './north-help.ts'

const { rule, route } = faultsOf(policyChecks)

const itemsOf = (data: Json | undefined): Json[] => (Array.isArray(data) ? data : [])

route(
  'north-hundred-without-paging',
  'POLICY-CHECKS-PAGE-01',
  'a list without paging parameters ends after 100 checks (002 4: not paginated, contains all items)',
  LIST,
  (original) => (call) => {
    if (call.rules.paged(call.query)) return original(call)
    return original(deciding(call, { checksOf: (world, run) => call.rules.checksOf(world, run).slice(0, 100) }))
  },
)

rule(
  'north-orphan-joins',
  'POLICY-CHECKS-PAGE-06',
  'a single check that is left for the last page comes with the page before, too (002 4: page[size])',
  {
    slice: (original) => (items, page) => {
      const left = items.length - page.number * page.size
      return left === 1 ? items.slice((page.number - 1) * page.size) : original(items, page)
    },
  },
)

rule(
  'north-full-last-page-empty',
  'POLICY-CHECKS-PAGE-05',
  'a last page that is exactly full is empty, unless it is the first (002 4: page[number])',
  {
    slice: (original) => (items, page) => (page.number > 1 && page.number * page.size === items.length ? [] : original(items, page)),
  },
)

route(
  'north-one-check-no-array',
  'POLICY-CHECKS-LIST-02',
  'a list or a page with just one check has it as an object (002 4: data is an array of policy checks)',
  LIST,
  changedDocument<PolicyCheckRules>((body) => {
    const [first, ...others] = itemsOf(body.data)
    return first === undefined || others.length > 0 ? body : { ...body, data: first }
  }),
)

route(
  'north-no-checks-null',
  'POLICY-CHECKS-LIST-05',
  'a list or a page without checks has null as data (002 4: data is an array of policy checks)',
  LIST,
  changedDocument<PolicyCheckRules>((body) => (itemsOf(body.data).length > 0 ? body : { ...body, data: null })),
)

rule(
  'north-include-wants-a-check',
  'POLICY-CHECKS-LIST-05',
  'the list of a run without checks is refused when something is to be included (002 4: list accepts query parameter include)',
  {
    included: (original) => (world, checks, paths) => {
      if (checks.length === 0) throw new Refusal(404, 'the run of the checks is not known')
      return original(world, checks, paths)
    },
  },
)

route(
  'north-later-pages-include-nothing',
  'POLICY-CHECKS-INCLUDE-12',
  'pages after the first include no related resources (002 4: list accepts include to return related resources)',
  LIST,
  (original) => (call) => {
    const later = Number(call.query.get('page[number]') ?? 1) > 1
    return original(later ? deciding(call, { includePaths: () => [] }) : call)
  },
)

route(
  'north-page-filled-with-null',
  'POLICY-CHECKS-LIST-04',
  'a page that has fewer checks than its size is filled up with null (002 4: data is an array of policy checks)',
  LIST,
  changedDocument<PolicyCheckRules>((body, { rules, query }) => {
    if (!rules.paged(query)) return body
    const items = itemsOf(body.data)
    const { size } = rules.page(query, rules.defaultPageSize())
    return { ...body, data: Array.from({ length: Math.max(size, items.length) }, (_, index) => items[index] ?? null) }
  }),
)

rule(
  'north-page-numbers-of-one-digit',
  'POLICY-CHECKS-PAGE-05',
  'of a page number with several digits the first one counts (002 4: page[number])',
  {
    page: (original) => (query, defaultSize) => {
      const { number, size } = original(query, defaultSize)
      return { number: Number(String(number).slice(0, 1)), size }
    },
  },
)

rule(
  'north-last-of-run-stays',
  'POLICY-CHECKS-OVERRIDE-01',
  'the last of several checks of a run cannot be overridden (002 3: soft_failed, override operation)',
  {
    override: (original) => (check, now, overridable, world) => {
      const checks = inRun(world, check.runId)
      return (checks.length === 1 || checks.at(-1) !== check) && original(check, now, overridable, world)
    },
  },
)

rule(
  'north-nothing-failed-yet',
  'POLICY-CHECKS-OVERRIDE-14',
  'a queued check, of which no policy failed yet, is overridden (002 3: state soft_failed)',
  {
    overridable: (original) => (check) => {
      const { passed, hardFailed } = check.result
      return original(check) || (passed === 0 && hardFailed === 0 && check.status !== 'overridden')
    },
  },
)

route(
  'north-offset-of-other-default',
  'POLICY-CHECKS-PAGE-05',
  'pages that are asked for by number alone lie 25 checks apart, so that some are on none (002 4: page[size], default 20 items per page)',
  LIST,
  (original) => (call) => {
    if (call.query.has('page[size]')) return original(call)
    return original(deciding(call, { slice: (items, { number, size }) => items.slice((number - 1) * 25, (number - 1) * 25 + size) }))
  },
)
