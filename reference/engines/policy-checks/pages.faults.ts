/** Faults in pages and included resources. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { reply } from '../../faults/wrappers.ts'
import { policyChecks } from './engine.ts'
import { type Call, READS } from './wrappers.ts'

const { rule, route, declared } = faultsOf(policyChecks)

const LIST = 'policyChecks.list'

rule('always-paged', 'POLICY-CHECKS-PAGE-01', 'the list is cut to a page of 20 without being asked', { paged: () => () => true })
rule('size-alone-ignored', 'POLICY-CHECKS-PAGE-02', 'page[size] counts with page[number] only', {
  paged: () => (query) => query.has('page[number]'),
})
rule('size-second', 'POLICY-CHECKS-PAGE-03', 'page[size] alone returns the second page', {
  page: (original) => (query, size) => (query.has('page[number]') ? original(query, size) : { ...original(query, size), number: 2 }),
})
rule('default-10', 'POLICY-CHECKS-PAGE-04', 'a page holds 10 checks by default', { defaultPageSize: () => () => 10 })
rule('number-alone-all', 'POLICY-CHECKS-PAGE-04', 'page[number]=1 alone gives all checks instead of 20', {
  paged: () => (query) => query.has('page[size]') || Number(query.get('page[number]') ?? 1) > 1,
})
rule('full-last-page-loses-one', 'POLICY-CHECKS-PAGE-05', 'a last page that is exactly full loses its last check', {
  slice: (original) => (items, page) => {
    const found = original(items, page)
    return page.number > 1 && page.number * page.size === items.length ? found.slice(0, -1) : found
  },
})
route(
  'brackets-encoded',
  'POLICY-CHECKS-PAGE-06',
  'paging parameters are refused',
  LIST,
  (original) => (call) => (call.rules.paged(call.query) ? { status: 400, body: { errors: [] } } : original(call)),
)
rule('pages-ignored', ['POLICY-CHECKS-PAGE-02', 'POLICY-CHECKS-PAGE-06'], 'paging parameters are ignored', { paged: () => () => false })
rule('size-one-ignored', 'POLICY-CHECKS-PAGE-06', 'page[size]=1 is taken for the default', {
  page: (original) => (query, size) => {
    const page = original(query, size)
    return page.size > 1 ? page : { ...page, size }
  },
})
rule('odd-page-500', 'POLICY-CHECKS-PAGE-10', 'a page other than a number makes the server fail', {
  page: (original) => (query, size) => {
    const number = Number(BigInt(query.get('page[number]') ?? '1'))
    return { ...original(query, size), number }
  },
})
rule('include-show-only', ['POLICY-CHECKS-INCLUDE-02', 'POLICY-CHECKS-INCLUDE-04'], 'include is ignored in lists', {
  included: (original) => (world, checks, paths) => (checks.length === 1 ? original(world, checks, paths) : []),
})
route(
  'include-for-owners',
  ['POLICY-CHECKS-INCLUDE-01', 'POLICY-CHECKS-INCLUDE-03'],
  'who may not override gets nothing included',
  READS,
  (original) =>
    reply<Call>((given) => {
      const { included: _, ...body } = given.body as JsonObject
      return JSON.stringify(body).includes('"can-override":false') ? { ...given, body } : given
    })(original),
)
rule('include-other-run', ['POLICY-CHECKS-INCLUDE-01', 'POLICY-CHECKS-INCLUDE-02'], 'some other run is included', {
  included: (original) => (world, checks, paths) =>
    original(world, checks, paths).map((one) => (one.type === 'runs' ? { ...one, id: `${String(one.id)}x` } : one)),
})
rule('include-no-workspace', ['POLICY-CHECKS-INCLUDE-03', 'POLICY-CHECKS-INCLUDE-04'], 'run.workspace returns the run only', {
  included: (original) => (world, checks, paths) => original(world, checks, paths).filter(({ type }) => type === 'runs'),
})
rule('include-workspace-type', ['POLICY-CHECKS-INCLUDE-05', 'POLICY-CHECKS-INCLUDE-07'], 'an included workspace has the type workspace', {
  included: (original) => (world, checks, paths) =>
    original(world, checks, paths).map((one) => (one.type === 'workspaces' ? { ...one, type: 'workspace' } : one)),
})
rule('include-no-run', 'POLICY-CHECKS-INCLUDE-06', 'run.workspace returns the workspace only', {
  included: (original) => (world, checks, paths) =>
    original(world, checks, paths).filter(({ type }) => type !== 'runs' || paths.includes('run')),
})
rule(
  'include-first-only',
  ['POLICY-CHECKS-INCLUDE-06', 'POLICY-CHECKS-INCLUDE-07', 'POLICY-CHECKS-INCLUDE-09'],
  'of include=run.workspace,run only the first is looked at',
  {
    includePaths: (original) => (text) => original(text).slice(0, 1),
    included: (original) => (world, checks, paths) =>
      original(world, checks, paths).filter(({ type }) => (paths.includes('run.workspace') ? type === 'workspaces' : type === 'runs')),
  },
)
rule('include-strays', 'POLICY-CHECKS-INCLUDE-07', 'other workspaces are included too', {
  included: (original) => (world, checks, paths) => [
    ...original(world, checks, paths),
    { id: 'ws-stray', type: 'workspaces', attributes: {} },
  ],
})
rule('include-twice', 'POLICY-CHECKS-INCLUDE-08', 'a resource is included once for each check', {
  included: (original) => (world, checks, paths) => checks.flatMap((check) => original(world, [check], paths)),
})
rule('include-one', 'POLICY-CHECKS-INCLUDE-09', 'a comma in include is not understood', {
  includePaths: (original) => (text) => (text?.includes(',') ? [] : original(text)),
})
rule('include-any', 'POLICY-CHECKS-INCLUDE-10', 'an include path that does not exist is ignored', {
  includePaths: () => (text) => (text ?? '').split(',').filter((path) => ['run', 'run.workspace'].includes(path)),
})
rule('include-replaces', 'POLICY-CHECKS-INCLUDE-11', 'with include the attributes are left out', {
  primary: () => (data) =>
    Array.isArray(data) ? data.slice(0, 1) : { ...(data as object), links: { output: '/api/v2/policy-checks/x/output' } },
})
rule('include-unpaged', 'POLICY-CHECKS-INCLUDE-12', 'include switches paging off', {
  paged: (original) => (query) => original(query) && !query.has('include'),
})
route('include-not-paged', 'POLICY-CHECKS-INCLUDE-12', 'a page of a list has nothing included', LIST, (original) =>
  reply<Call>((given) => {
    const { included: _, ...body } = given.body as JsonObject
    return 'meta' in body ? { ...given, body } : given
  })(original),
)
rule('size-up-to-fifty', 'POLICY-CHECKS-PAGE-12', 'a page has at most 50 checks, whatever size is asked for', {
  page: (original) => (query, size) => ({ ...original(query, size), size: Math.min(original(query, size).size, 50) }),
})

export const faults = declared
