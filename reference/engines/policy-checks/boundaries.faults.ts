/** Faults at the limits of lists and pages: none, one, exactly full. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { reply } from '../../mutations/wrappers.ts'
import { Refusal } from '../../run-management/documents.ts'
import { policyChecks } from './engine.ts'
import type { Call } from './wrappers.ts'

const { rule, route } = faultsOf(policyChecks)

route(
  'boundary-one-check-object',
  'POLICY-CHECKS-LIST-02',
  'the list of a run with one check is an object',
  'policyChecks.list',
  (original) =>
    reply<Call>((given) => {
      const body = given.body as { data: JsonObject[]; meta?: JsonObject }
      return body.data.length === 1 && body.meta === undefined ? { ...given, body: { ...body, data: body.data[0]! } } : given
    })(original),
)

rule('boundary-empty-run-404', 'POLICY-CHECKS-LIST-05', 'the list of a run without checks is 404', {
  checksOf: (original) => (world, run) => {
    const found = original(world, run)
    if (found.length === 0) throw new Refusal(404, 'no such run, or it is not yours')
    return found
  },
})

rule('boundary-number-alone-all', 'POLICY-CHECKS-PAGE-04', 'page[number]=1 alone gives all checks instead of 20', {
  paged: () => (query) => query.has('page[size]') || Number(query.get('page[number]') ?? 1) > 1,
})

rule('boundary-last-page-exactly-full', 'POLICY-CHECKS-PAGE-05', 'a last page that is exactly full loses its last check', {
  slice: (original) => (items, page) => {
    const found = original(items, page)
    return page.number > 1 && page.number * page.size === items.length ? found.slice(0, -1) : found
  },
})

rule('boundary-size-one-ignored', 'POLICY-CHECKS-PAGE-06', 'page[size]=1 is taken for the default', {
  page: (original) => (query, size) => {
    const page = original(query, size)
    return page.size > 1 ? page : { ...page, size }
  },
})

rule('boundary-third-page-late', 'POLICY-CHECKS-PAGE-05', 'pages from the third on begin one check late', {
  slice: (original) => (items, page) => (page.number < 3 ? original(items, page) : original(items.slice(1), page)),
})
