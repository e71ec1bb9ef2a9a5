/** Faults in pages and included resources. */

import { faultsOf } from '../../mutations/declare.ts'
import { policyChecks } from './engine.ts'

const { rule, route } = faultsOf(policyChecks)

rule('always-paged', 'POLICY-CHECKS-PAGE-01', 'the list is cut to a page of 20 without being asked', { paged: () => () => true })
rule('size-alone-ignored', 'POLICY-CHECKS-PAGE-02', 'page[size] counts with page[number] only', {
  paged: () => (query) => query.has('page[number]'),
})
rule('size-limit', 'POLICY-CHECKS-PAGE-02', 'a page holds one check more than asked for', {
  slice:
    () =>
    (items, { number, size }) =>
      items.slice((number - 1) * size, number * size + 1),
})
rule('size-second', 'POLICY-CHECKS-PAGE-03', 'page[size] alone returns the second page', {
  page: (original) => (query, size) => (query.has('page[number]') ? original(query, size) : { ...original(query, size), number: 2 }),
})
rule('default-10', 'POLICY-CHECKS-PAGE-04', 'a page holds 10 checks by default', { defaultPageSize: () => () => 10 })
rule('pages-skip', 'POLICY-CHECKS-PAGE-05', 'a page begins one check too late', {
  slice:
    () =>
    (items, { number, size }) =>
      items.slice((number - 1) * size + number - 1, number * size + number - 1),
})
route(
  'brackets-encoded',
  'POLICY-CHECKS-PAGE-06',
  'paging parameters are refused',
  'policyChecks.list',
  (original) => (call) => (call.rules.paged(call.query) ? { status: 400, body: { errors: [] } } : original(call)),
)
rule('pages-ignored', ['POLICY-CHECKS-PAGE-02', 'POLICY-CHECKS-PAGE-06'], 'paging parameters are ignored', { paged: () => () => false })
rule('odd-page-500', 'POLICY-CHECKS-PAGE-10', 'a page that is no number makes the server fail', {
  page: (original) => (query, size) => {
    const number = Number(BigInt(query.get('page[number]') ?? '1'))
    return { ...original(query, size), number }
  },
})
rule('include-ignored', ['POLICY-CHECKS-INCLUDE-01', 'POLICY-CHECKS-INCLUDE-02', 'POLICY-CHECKS-INCLUDE-03'], 'include is ignored', {
  includePaths: () => () => [],
})
rule('include-show-only', ['POLICY-CHECKS-INCLUDE-02', 'POLICY-CHECKS-INCLUDE-04'], 'include is ignored in lists', {
  included: (original) => (world, checks, paths) => (checks.length === 1 ? original(world, checks, paths) : []),
})
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
