/** Faults of policy checks at the edges: no check, one, many, full pages, the first and the last, counts of zero. */
import type { JsonObject } from '../../core/json.ts'
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

route(
  'all-up-to-30',
  [],
  'a list without paging parameters ends after 30 checks (002 4: contains all items)',
  'policyChecks.list',
  (original) => unpagedUpTo(30)(original),
)

rule(
  'include-pages',
  ['POLICY-CHECKS-PAGE-01'],
  'a list with include and without paging parameters is a first page (002 4: contains all items)',
  {
    paged: (original) => (query) => original(query) || query.has('include'),
  },
)

rule('any-query-pages', [], 'any query parameter makes the list a first page (002 4: when neither pagination parameter is given)', {
  paged: () => (query) => [...query.keys()].length > 0,
})

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

route('empty-run-null', [], 'data of a run without checks is null (002 4: data is an array)', 'policyChecks.list', (original) =>
  changedDocument<Rules>((body) => ({ ...body, data: Array.isArray(body.data) && body.data.length === 0 ? null : (body.data ?? null) }))(
    original,
  ),
)

route('one-check-bare', [], 'data of a list of one check is that check (002 4: data is an array)', 'policyChecks.list', (original) =>
  changedDocument<Rules>((body) => ({
    ...body,
    data: Array.isArray(body.data) && body.data.length === 1 ? (body.data[0] ?? null) : (body.data ?? null),
  }))(original),
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

rule('number-alone-unpaged', [], 'page[number] without page[size] gives all checks (002 4: 20 items per page)', {
  paged: () => (query) => query.has('page[size]'),
})

rule('size-alone-unpaged', ['POLICY-CHECKS-INCLUDE-12'], 'page[size] without page[number] gives all checks (002 4, page[size])', {
  paged: () => (query) => query.has('page[number]'),
})

rule('default-size-thirty', [], 'a page has 30 checks where only its number is given (002 8: default page size 20)', {
  defaultPageSize: () => () => 30,
})

rule('size-up-to-twenty', [], 'a page has at most 20 checks, whatever size is asked for (002 4, page[size])', {
  page: (original) => (query, size) => {
    const page = original(query, size)
    return { ...page, size: Math.min(page.size, 20) }
  },
})

rule('size-up-to-fifty', ['POLICY-CHECKS-PAGE-12'], 'a page has at most 50 checks, whatever size is asked for (002 4, page[size])', {
  page: (original) => (query, size) => {
    const page = original(query, size)
    return { ...page, size: Math.min(page.size, 50) }
  },
})

rule(
  'later-pages-one-early',
  [],
  'pages after the first begin with the last check of the one before (002 4, page[number])',
  sliced((items, { number, size }) => items.slice((number - 1) * size - 1, number * size - 1)),
)

rule(
  'later-pages-one-late',
  ['POLICY-CHECKS-PAGE-05'],
  'pages after the first skip a check (002 4, page[number])',
  sliced((items, { number, size }) => items.slice((number - 1) * size + 1, number * size + 1)),
)

rule(
  'later-pages-to-the-end',
  [],
  'pages after the first go on to the end of the list (002 4, page[size])',
  sliced((items, { number, size }) => items.slice((number - 1) * size)),
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
  'last-page-short',
  [],
  'a last page that is not full lacks its last check (002 4, list)',
  sliced((items, { number, size }) => items.slice((number - 1) * size, Math.min(number * size, items.length - 1))),
)

rule(
  'third-page-is-second',
  [],
  'pages from the third on show the second (002 4, page[number])',
  sliced((items, { size }) => items.slice(size, 2 * size)),
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

const COUNTS = ['passed', 'total-failed', 'hard-failed', 'soft-failed', 'advisory-failed', 'duration-ms']

rule('zero-counts-absent', [], 'counts of 0 are left out of the result (002 2.1: int)', {
  result: (original) => (check) =>
    Object.fromEntries(Object.entries(original(check)).filter(([name, value]) => !COUNTS.includes(name) || value !== 0)),
})

rule('zero-counts-null', ['POLICY-CHECKS-FIELD-04', 'POLICY-CHECKS-FIELD-05'], 'counts of 0 are null (002 2.1: int)', {
  result: (original) => (check) =>
    Object.fromEntries(Object.entries(original(check)).map(([name, value]) => [name, value === 0 ? null : value])),
})

rule('second-include-lost', [], 'of several include paths the first counts (002 4: run and run.workspace)', {
  includePaths: (original) => (text) => original(text).slice(0, 1),
})

rule('workspace-of-one-only', [], 'run.workspace returns a workspace for a single check only (002 4, list)', {
  included: (original) => (world, checks, paths) => original(world, checks, checks.length === 1 ? paths : paths.map(() => 'run')),
})

route(
  'first-without-links',
  ['POLICY-CHECKS-FIELD-19'],
  'the first check of a list has no links (002 2.1, links.output)',
  'policyChecks.list',
  (original) => changedResources<Rules>((resource, _call, index) => (index === 0 ? without(resource, 'links') : resource))(original),
)

route(
  'last-without-run',
  [],
  'the last check of a list of several has no run (002 2.1, relationships.run)',
  'policyChecks.list',
  (original) =>
    changedResources<Rules>((resource, _call, index, all) =>
      index > 0 && index === all.length - 1 ? without(resource, 'relationships') : resource,
    )(original),
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

rule(
  'warnings-not-overridable',
  [],
  'a check that failed with warnings only cannot be overridden (002 4: soft-mandatory or warning policy)',
  {
    overridable: (original) => (check) => original(check) && check.result.softFailed > 0,
  },
)

route('paged-included-bare', [], 'included of a paged list is an object, not a list (002 4, include)', 'policyChecks.list', (original) =>
  changedDocument<Rules>((body, { query }) => {
    const [first] = Array.isArray(body.included) ? (body.included as JsonObject[]) : []
    return query.has('page[number]') && first ? { ...body, included: first } : body
  })(original),
)
