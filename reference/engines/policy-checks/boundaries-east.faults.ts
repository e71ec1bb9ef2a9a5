/** Faults at the edges: no check, one, many, the first and the last page, exact limits, zero. */
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { changedDocument, without } from '../../run-management/answer-changes.ts'
import { whoAsks } from './east-help.ts'
import { policyChecks } from './engine.ts'

const { rule, route } = faultsOf(policyChecks)

const items = (body: JsonObject): Json[] => (Array.isArray(body.data) ? body.data : [])

rule(
  'east-page-limit-and-offset',
  'POLICY-CHECKS-PAGE-05',
  'a page has 20 checks at most, but starts by the size asked, so that some are on none (002 4: page[size])',
  {
    slice:
      () =>
      (all, { number, size }) => {
        const start = (number - 1) * size
        return all.slice(start, start + Math.min(size, 20))
      },
  },
)

rule('east-page-last-exactly-full', 'POLICY-CHECKS-PAGE-05', 'a last page that is exactly full comes empty (002 4: page[number])', {
  slice: (original) => (all, page) => (page.number * page.size === all.length ? [] : original(all, page)),
})

rule('east-page-size-one', 'POLICY-CHECKS-PAGE-06', 'a page size of 1 counts as none (002 4: page[size])', {
  page: (original) => (query, defaultSize) => {
    const page = original(query, defaultSize)
    return page.size > 1 ? page : { ...page, size: defaultSize }
  },
})

rule('east-page-one-alone-unpaged', 'POLICY-CHECKS-PAGE-04', 'page[number]=1 without a size gives all checks (002 4: 20 items per page)', {
  paged: () => (query) => Number(query.get('page[number]')) > 1 || query.has('page[size]'),
})

rule('east-page-first-digit', 'POLICY-CHECKS-PAGE-05', 'of a page number of two digits only the first is read (002 4: page[number], int)', {
  page: (original) => (query, defaultSize) => {
    const page = original(query, defaultSize)
    return { ...page, number: Number(String(page.number)[0]) }
  },
})

route(
  'east-list-hundred-at-most',
  'POLICY-CHECKS-PAGE-01',
  'a list without pages ends after 100 checks (002 4: not paginated, contains all items)',
  'policyChecks.list',
  changedDocument((body, call) => (call.rules.paged(call.query) ? body : { ...body, data: items(body).slice(0, 100) })),
)

route(
  'east-list-batch-seam-twice',
  'POLICY-CHECKS-PAGE-01',
  'a list without pages is read a hundred at a time and repeats the check at the seam (002 4: contains all items)',
  'policyChecks.list',
  changedDocument((body, call) => {
    if (call.rules.paged(call.query)) return body
    const all = items(body)
    return { ...body, data: all.flatMap((item, index) => (index > 0 && index % 100 === 0 ? [all[index - 1]!, item] : [item])) }
  }),
)

route(
  'east-list-of-one-bare',
  'POLICY-CHECKS-LIST-02',
  'the only check of a list stands under data without an array (002 4: data is an array)',
  'policyChecks.list',
  changedDocument((body) => (items(body).length === 1 ? { ...body, data: items(body)[0]! } : body)),
)

const listedBefore = remembered(() => new Map<string, Json[]>())
route(
  'east-list-empty-shows-previous',
  'POLICY-CHECKS-LIST-05',
  'a run without checks shows those that the caller listed before (002 4: the policy checks of a run)',
  'policyChecks.list',
  changedDocument((body, call) => {
    if (call.rules.paged(call.query)) return body
    const before = listedBefore(call.world)
    const all = items(body)
    if (all.length === 0) return { ...body, data: before.get(whoAsks(call)) ?? [] }
    before.set(whoAsks(call), all)
    return body
  }),
)

rule('east-duration-zero-left-out', 'POLICY-CHECKS-FIELD-09', 'a duration of zero is left out (002 2.1: result.duration-ms, int)', {
  result: (original) => (check) => (check.result.durationMs === 0 ? without(original(check), 'duration-ms') : original(check)),
})

rule(
  'east-warning-alone-kept',
  'POLICY-CHECKS-OVERRIDE-12',
  'a check without soft-mandatory failures, a warning, cannot be overridden (002 3: soft-mandatory or a warning)',
  {
    overridable: (original) => (check) => original(check) && check.result.softFailed > 0,
  },
)
