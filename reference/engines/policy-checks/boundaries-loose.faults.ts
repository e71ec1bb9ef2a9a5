/** Faults of policy checks at the edges: no check, one, many, full pages, the first and the last, counts of zero. */
import { faultsOf } from '../../mutations/declare.ts'
import { changedAttributes, changedDocument, changedQuery, changedResources, without } from '../../run-management/answer-changes.ts'
import { Refusal } from '../../run-management/documents.ts'
import { policyChecks } from './engine.ts'

type Rules = typeof policyChecks.rules
type Slice = Rules['slice']
type Page = { number: number; size: number }

const { rule, route } = faultsOf(policyChecks)

const sliced = (cut: <T>(items: readonly T[], page: Page) => T[]) => ({
  slice:
    (original: Slice): Slice =>
    <T>(items: readonly T[], page: Page) =>
      page.number > 1 ? cut(items, page) : original(items, page),
})

const unpagedUpTo = (most: number) =>
  changedDocument<Rules>((body, { query }) => {
    const paged = query.has('page[number]') || query.has('page[size]')
    return { ...body, data: Array.isArray(body.data) && !paged ? body.data.slice(0, most) : (body.data ?? null) }
  })

route(
  'all-up-to-100',
  ['POLICY-CHECKS-PAGE-01', 'POLICY-CHECKS-PAGE-05'],
  'a list without paging parameters ends after 100 checks (002 4: contains all items)',
  'policyChecks.list',
  (original) => unpagedUpTo(100)(original),
)

rule(
  'include-pages',
  ['POLICY-CHECKS-PAGE-01'],
  'a list with include and without paging parameters is a first page (002 4: contains all items)',
  {
    paged: (original) => (query) => original(query) || query.has('include'),
  },
)

route(
  'empty-run-refused',
  ['POLICY-CHECKS-LIST-05'],
  'the list of a run without checks is refused (002 4: data is an array)',
  'policyChecks.list',
  (original) => async (call) => {
    const given = await original(call)
    const some = [...call.world.checks.values()].some(({ runId }) => runId === call.params.run_id)
    if (!some) throw new Refusal(404, 'no such run, or it is not yours')
    return given
  },
)

route(
  'size-one-ignored',
  ['POLICY-CHECKS-INCLUDE-12'],
  'page[size]=1 counts as not given (002 4, page[size])',
  'policyChecks.list',
  (original) =>
    changedQuery<Rules>((query) => {
      if (query.get('page[size]') === '1') query.set('page[size]', '20')
      return query
    })(original),
)

rule('size-alone-unpaged', ['POLICY-CHECKS-INCLUDE-12'], 'page[size] without page[number] gives all checks (002 4, page[size])', {
  paged: () => (query) => query.has('page[number]'),
})

rule('size-up-to-fifty', ['POLICY-CHECKS-PAGE-12'], 'a page has at most 50 checks, whatever size is asked for (002 4, page[size])', {
  page: (original) => (query, size) => {
    const page = original(query, size)
    return { ...page, size: Math.min(page.size, 50) }
  },
})

rule(
  'later-pages-one-late',
  ['POLICY-CHECKS-PAGE-05'],
  'pages after the first skip a check (002 4, page[number])',
  sliced((items, { number, size }) => items.slice((number - 1) * size + 1, number * size + 1)),
)

rule(
  'last-page-filled',
  ['POLICY-CHECKS-PAGE-05'],
  'a last page that is not full is filled up with checks of the page before (002 4, page[number])',
  sliced((items, { number, size }) =>
    number * size > items.length && (number - 1) * size < items.length
      ? items.slice(-size)
      : items.slice((number - 1) * size, number * size),
  ),
)

rule(
  'number-ignored-with-size',
  ['POLICY-CHECKS-PAGE-06'],
  'page[number] is not looked at where page[size] is given (002 4, page[number])',
  {
    page: (original) => (query, size) => {
      const page = original(query, size)
      return query.has('page[size]') ? { ...page, number: 1 } : page
    },
  },
)

rule('zero-counts-null', ['POLICY-CHECKS-FIELD-04', 'POLICY-CHECKS-FIELD-05'], 'counts of 0 are null (002 2.1: int)', {
  result: (original) => (check) =>
    Object.fromEntries(Object.entries(original(check)).map(([name, value]) => [name, value === 0 ? null : value])),
})

route(
  'first-without-links',
  ['POLICY-CHECKS-FIELD-19'],
  'the first check of a list has no links (002 2.1, links.output)',
  'policyChecks.list',
  (original) => changedResources<Rules>((resource, _call, index) => (index === 0 ? without(resource, 'links') : resource))(original),
)

route(
  'paged-without-permissions',
  ['POLICY-CHECKS-FIELD-16'],
  'checks on pages lack their permissions (002 2.1, permissions.can-override)',
  'policyChecks.list',
  (original) =>
    changedAttributes<Rules>((attributes, { query }) => (query.has('page[size]') ? without(attributes, 'permissions') : attributes))(
      original,
    ),
)
