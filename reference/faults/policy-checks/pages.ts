/** Faults in pages and included resources. */
import { fault } from '../../core/mutation.ts'
import { policyChecks } from '../../run-management/policy-checks/index.ts'

const engine = 'policy-checks'

export const pageFaults = [
  fault(
    policyChecks,
    { id: 'policy-checks-always-paged', engine, title: 'the list is cut to a page of 20 without being asked', clauses: ['POLICY-PAGE-01'] },
    {
      rules: { paged: () => () => true },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-size-alone-ignored', engine, title: 'page[size] counts with page[number] only', clauses: ['POLICY-PAGE-02'] },
    {
      rules: { paged: () => (query) => query.has('page[number]') },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-size-limit', engine, title: 'a page holds one check more than asked for', clauses: ['POLICY-PAGE-02'] },
    {
      rules: {
        slice:
          () =>
          (items, { number, size }) =>
            items.slice((number - 1) * size, number * size + 1),
      },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-size-second', engine, title: 'page[size] alone returns the second page', clauses: ['POLICY-PAGE-03'] },
    {
      rules: {
        page: (original) => (query, size) => (query.has('page[number]') ? original(query, size) : { ...original(query, size), number: 2 }),
      },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-default-10', engine, title: 'a page holds 10 checks by default', clauses: ['POLICY-PAGE-04'] },
    {
      rules: { defaultPageSize: () => () => 10 },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-pages-skip', engine, title: 'a page begins one check too late', clauses: ['POLICY-PAGE-05'] },
    {
      rules: {
        slice:
          () =>
          (items, { number, size }) =>
            items.slice((number - 1) * size + number - 1, number * size + number - 1),
      },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-brackets-encoded', engine, title: 'paging parameters are refused', clauses: ['POLICY-PAGE-06'] },
    {
      routes: {
        'policyChecks.list': (original) => (call) =>
          call.rules.paged(call.query) ? { status: 400, body: { errors: [] } } : original(call),
      },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-pages-ignored', engine, title: 'paging parameters are ignored', clauses: ['POLICY-PAGE-02', 'POLICY-PAGE-06'] },
    { rules: { paged: () => () => false } },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-odd-page-500', engine, title: 'a page that is no number makes the server fail', clauses: ['POLICY-PAGE-10'] },
    {
      rules: {
        page: (original) => (query, size) => {
          const number = Number(BigInt(query.get('page[number]') ?? '1'))
          return { ...original(query, size), number }
        },
      },
    },
  ),
  fault(
    policyChecks,
    {
      id: 'policy-checks-include-ignored',
      engine,
      title: 'include is ignored',
      clauses: ['POLICY-INCLUDE-01', 'POLICY-INCLUDE-02', 'POLICY-INCLUDE-03'],
    },
    {
      rules: { includePaths: () => () => [] },
    },
  ),
  fault(
    policyChecks,
    {
      id: 'policy-checks-include-show-only',
      engine,
      title: 'include is ignored in lists',
      clauses: ['POLICY-INCLUDE-02', 'POLICY-INCLUDE-04'],
    },
    {
      rules: { included: (original) => (world, checks, paths) => (checks.length === 1 ? original(world, checks, paths) : []) },
    },
  ),
  fault(
    policyChecks,
    {
      id: 'policy-checks-include-other-run',
      engine,
      title: 'some other run is included',
      clauses: ['POLICY-INCLUDE-01', 'POLICY-INCLUDE-02'],
    },
    {
      rules: {
        included: (original) => (world, checks, paths) =>
          original(world, checks, paths).map((one) => (one.type === 'runs' ? { ...one, id: `${String(one.id)}x` } : one)),
      },
    },
  ),
  fault(
    policyChecks,
    {
      id: 'policy-checks-include-no-workspace',
      engine,
      title: 'run.workspace returns the run only',
      clauses: ['POLICY-INCLUDE-03', 'POLICY-INCLUDE-04'],
    },
    {
      rules: { included: (original) => (world, checks, paths) => original(world, checks, paths).filter(({ type }) => type === 'runs') },
    },
  ),
  fault(
    policyChecks,
    {
      id: 'policy-checks-include-workspace-type',
      engine,
      title: 'an included workspace has the type workspace',
      clauses: ['POLICY-INCLUDE-05', 'POLICY-INCLUDE-07'],
    },
    {
      rules: {
        included: (original) => (world, checks, paths) =>
          original(world, checks, paths).map((one) => (one.type === 'workspaces' ? { ...one, type: 'workspace' } : one)),
      },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-include-no-run', engine, title: 'run.workspace returns the workspace only', clauses: ['POLICY-INCLUDE-06'] },
    {
      rules: {
        included: (original) => (world, checks, paths) =>
          original(world, checks, paths).filter(({ type }) => type !== 'runs' || paths.includes('run')),
      },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-include-strays', engine, title: 'other workspaces are included too', clauses: ['POLICY-INCLUDE-07'] },
    {
      rules: {
        included: (original) => (world, checks, paths) => [
          ...original(world, checks, paths),
          { id: 'ws-stray', type: 'workspaces', attributes: {} },
        ],
      },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-include-twice', engine, title: 'a resource is included once for each check', clauses: ['POLICY-INCLUDE-08'] },
    {
      rules: { included: (original) => (world, checks, paths) => checks.flatMap((check) => original(world, [check], paths)) },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-include-one', engine, title: 'a comma in include is not understood', clauses: ['POLICY-INCLUDE-09'] },
    {
      rules: { includePaths: (original) => (text) => (text?.includes(',') ? [] : original(text)) },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-include-any', engine, title: 'an include path that does not exist is ignored', clauses: ['POLICY-INCLUDE-10'] },
    {
      rules: { includePaths: () => (text) => (text ?? '').split(',').filter((path) => ['run', 'run.workspace'].includes(path)) },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-include-replaces', engine, title: 'with include the attributes are left out', clauses: ['POLICY-INCLUDE-11'] },
    {
      rules: {
        primary: () => (data) =>
          Array.isArray(data) ? data.slice(0, 1) : { ...(data as object), links: { output: '/api/v2/policy-checks/x/output' } },
      },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-include-unpaged', engine, title: 'include switches paging off', clauses: ['POLICY-INCLUDE-12'] },
    {
      rules: { paged: (original) => (query) => original(query) && !query.has('include') },
    },
  ),
]
