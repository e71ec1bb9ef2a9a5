/** Faults of policy checks as a developer in a hurry makes them, written from the document alone. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { refusal, reply } from '../../mutations/wrappers.ts'
import { Refusal } from '../../run-management/documents.ts'
import type { PolicyCheck, World } from '../../run-management/world.ts'
import { resourceOf } from './checks.rules.ts'
import { policyChecks } from './engine.ts'
import { type Call, resources } from './wrappers.ts'

const { rule, route, change } = faultsOf(policyChecks)

const siblings = (world: World, check: PolicyCheck): PolicyCheck[] =>
  [...world.checks.values()].filter(({ id, runId }) => runId === check.runId && id !== check.id)

const overrideQuietly = (check: PolicyCheck | undefined, now: number): void => {
  if (check?.status !== 'soft_failed') return
  check.status = 'overridden'
  check.timestamps['overridden-at'] = now
}

const permitted = (call: Call): Call =>
  call.caller.kind === 'user'
    ? { ...call, caller: { kind: 'user', user: { ...call.caller.user, rights: { readRuns: true, overrideChecks: true, managePools: true } } } }
    : call

const part = (resource: JsonObject, name: string): JsonObject => resource[name] as JsonObject

const withAttributes = (resource: JsonObject, attributes: JsonObject): JsonObject => ({
  ...resource,
  attributes: { ...part(resource, 'attributes'), ...attributes },
})

// neighbour

rule('neighbour-override-siblings', [], 'overriding a check overrides the other soft-failed checks of its run too', {
  override: (original) => async (check, now, overridable, world) => {
    const done = await original(check, now, overridable, world)
    if (done) for (const other of siblings(world, check)) overrideQuietly(other, now)
    return done
  },
})

rule('neighbour-override-stamps-siblings', [], 'overriding a check sets overridden-at on the other checks of its run', {
  override: (original) => async (check, now, overridable, world) => {
    const done = await original(check, now, overridable, world)
    if (done) for (const other of siblings(world, check)) other.timestamps['overridden-at'] = now
    return done
  },
})

rule('neighbour-override-next-run', [], 'overriding a check overrides the check that was made after it, whatever its run', {
  override: (original) => async (check, now, overridable, world) => {
    const done = await original(check, now, overridable, world)
    const all = [...world.checks.values()]
    if (done) overrideQuietly(all[all.indexOf(check) + 1], now)
    return done
  },
})

route('neighbour-list-fills-page', [], 'a short page of a list is filled up with checks of other runs', 'policyChecks.list', (original) => async (call) => {
  const given = await original(call)
  const size = Number(call.query.get('page[size]') ?? 0)
  const body = given.body as { data: JsonObject[] }
  const missing = size - body.data.length
  if (missing <= 0) return given
  const others = [...call.world.checks.values()].filter(({ runId }) => runId !== call.params.run_id).slice(0, missing)
  return { ...given, body: { ...body, data: [...body.data, ...others.map((check) => resourceOf(call.rules, check, call.caller))] } }
})

const runsWithOverride = new WeakMap<object, Set<string>>()
const overriddenRuns = (owner: object): Set<string> => {
  const known = runsWithOverride.get(owner) ?? new Set()
  runsWithOverride.set(owner, known)
  return known
}

change('neighbour-override-locks-siblings', [], 'once a check of a run is overridden, the others say that the caller may not override them', {
  routes: {
    'policyChecks.override': (original) => async (call) => {
      const given = await original(call)
      overriddenRuns(call.world).add(call.world.checks.get(call.params.id!)?.runId ?? '')
      return given
    },
    'policyChecks.show': resources((resource, call) => {
      const check = call.world.checks.get(resource.id as string)!
      const locked = check.status === 'soft_failed' && overriddenRuns(call.world).has(check.runId)
      return locked ? withAttributes(resource, { permissions: { 'can-override': false } }) : resource
    }),
  },
})

rule('neighbour-include-newest-workspace', [], 'the workspace that is included is the one of the newest run', {
  included: (original) => (world, checks, paths) => {
    const newest = [...world.workspaces.values()].at(-1)
    return original(world, checks, paths).map((one) =>
      one.type === 'workspaces' && newest ? { ...one, id: newest.id, attributes: { name: newest.name } } : one,
    )
  },
})

// boundary

route('boundary-one-check-object', [], 'the list of a run with one check is an object', 'policyChecks.list', (original) =>
  reply<Call>((given) => {
    const body = given.body as { data: JsonObject[]; meta?: JsonObject }
    return body.data.length === 1 && body.meta === undefined ? { ...given, body: { ...body, data: body.data[0]! } } : given
  })(original),
)

rule('boundary-empty-run-404', [], 'the list of a run without checks is 404', {
  checksOf: (original) => (world, run) => {
    const found = original(world, run)
    if (found.length === 0) throw new Refusal(404, 'no such run, or it is not yours')
    return found
  },
})

rule('boundary-number-alone-all', [], 'page[number]=1 alone gives all checks instead of 20', {
  paged: () => (query) => query.has('page[size]') || Number(query.get('page[number]') ?? 1) > 1,
})

rule('boundary-last-page-exactly-full', [], 'a last page that is exactly full loses its last check', {
  slice: (original) => (items, page) => {
    const found = original(items, page)
    return page.number > 1 && page.number * page.size === items.length ? found.slice(0, -1) : found
  },
})

rule('boundary-size-one-ignored', [], 'page[size]=1 is taken for the default', {
  page: (original) => (query, size) => {
    const page = original(query, size)
    return page.size > 1 ? page : { ...page, size }
  },
})

rule('boundary-third-page-late', [], 'pages from the third on begin one check late', {
  slice: (original) => (items, page) => (page.number < 3 ? original(items, page) : original(items.slice(1), page)),
})

// time

rule('time-second-override-moves-stamp', [], 'a second override is refused and moves overridden-at', {
  override: (original) => async (check, now, overridable, world) => {
    if (check.status === 'overridden') check.timestamps['overridden-at'] = now + 1
    return original(check, now, overridable, world)
  },
})

rule('time-override-forgets-queued', [], 'an override drops queued-at', {
  override: (original) => async (check, now, overridable, world) => {
    const done = await original(check, now, overridable, world)
    if (done) delete check.timestamps['queued-at']
    return done
  },
})

rule('time-overridden-at-is-soft-failed-at', [], 'overridden-at is the time of the soft failure, a minute before the override', {
  override: (original) => async (check, now, overridable, world) => original(check, check.timestamps['soft-failed-at'] ?? now, overridable, world),
})

route('time-list-remembers', [], 'a list shows each check as it was when it was first listed', 'policyChecks.list', (original) => {
  const seen = new Map<string, JsonObject>()
  return resources((resource) => {
    const id = resource.id as string
    const { status, 'status-timestamps': times } = part(seen.get(id) ?? resource, 'attributes')
    if (!seen.has(id)) seen.set(id, resource)
    return withAttributes(resource, { status: status!, 'status-timestamps': times! })
  })(original)
})

rule('time-answer-before-override', [], 'the answer of an override has the timestamps from before', {
  overrideAnswer: (original) => (resource) => {
    const times = { ...part(part(resource, 'attributes'), 'status-timestamps') }
    delete times['overridden-at']
    return original(withAttributes(resource, { 'status-timestamps': times }))
  },
})

rule('time-refused-override-stamps', [], 'an override that the state forbids sets overridden-at', {
  override: (original) => async (check, now, overridable, world) => {
    const done = await original(check, now, overridable, world)
    if (!done) check.timestamps['overridden-at'] ??= now
    return done
  },
})

// identity

route('identity-first-reader-decides', [], 'can-override of a shown check is that of whoever read it first', 'policyChecks.show', (original) => {
  const first = new Map<string, JsonObject>()
  return resources((resource) => {
    const id = resource.id as string
    const permissions = first.get(id) ?? part(part(resource, 'attributes'), 'permissions')
    first.set(id, permissions)
    return withAttributes(resource, { permissions })
  })(original)
})

route('identity-reader-overrides-warning', [], 'a warning can be overridden by whoever may read it', 'policyChecks.override', (original) => (call) => {
  const check = call.world.checks.get(call.params.id!)
  const isWarning = check !== undefined && check.result.softFailed === 0 && check.result.advisoryFailed > 0
  return original(isWarning && call.rules.mayRead(call.caller, check) ? permitted(call) : call)
})

route(
  'identity-list-can-override',
  [],
  'a list says can-override for every reader',
  'policyChecks.list',
  resources((resource) => withAttributes(resource, { permissions: { 'can-override': true } })),
)

rule('identity-bare-token', [], 'a token is taken without the word Bearer, and after any other scheme', {
  bearer: () => (header) => /(\S+)$/.exec(header ?? '')?.[1],
})

route('identity-stranger-override-done', [], 'an override of a stranger is answered 404 and done', 'policyChecks.override', (original) => async (call) => {
  const check = call.world.checks.get(call.params.id!)
  if (check && !call.rules.mayRead(call.caller, check)) overrideQuietly(check, call.now())
  return original(call)
})

route('identity-stranger-empty-list', [], 'a stranger gets an empty list of a run instead of 404', 'policyChecks.list', (original) =>
  refusal<Call>((refused, call) =>
    call.world.runs.has(call.params.run_id!) && refused.status === 404
      ? { status: 200, body: { data: [] }, headers: { 'content-type': 'application/vnd.api+json' } }
      : refused,
  )(original),
)

// shape

rule('shape-include-first-only', [], 'of include=run.workspace,run only the first is looked at', {
  includePaths: (original) => (text) => original(text).slice(0, 1),
  included: (original) => (world, checks, paths) =>
    original(world, checks, paths).filter(({ type }) => (paths.includes('run.workspace') ? type === 'workspaces' : type === 'runs')),
})

route('shape-include-not-paged', [], 'a page of a list has nothing included', 'policyChecks.list', (original) =>
  reply<Call>((given) => {
    const { included: _, ...body } = given.body as JsonObject
    return 'meta' in body ? { ...given, body } : given
  })(original),
)

rule('shape-timestamps-null', [], 'timestamps of statuses that were not reached are null', {
  timestamps: (original) => (check) => ({ 'queued-at': null, 'soft-failed-at': null, 'overridden-at': null, ...original(check) }),
})

rule('shape-override-run-null', [], 'the answer of an override has a run that is null', {
  overrideAnswer: (original) => (resource) => ({ ...original(resource), relationships: { run: { data: null } } }),
})

route(
  'shape-overridable-null',
  [],
  'actions.is-overridable is null once a check is overridden',
  ['policyChecks.show', 'policyChecks.list', 'policyChecks.override'],
  resources((resource) =>
    part(resource, 'attributes').status === 'overridden' ? withAttributes(resource, { actions: { 'is-overridable': null } }) : resource,
  ),
)

rule('shape-overridden-at-without-offset', [], 'overridden-at has no offset', {
  timestamps: (original) => (check) => {
    const times = original(check)
    const at = times['overridden-at']
    return typeof at === 'string' ? { ...times, 'overridden-at': at.replace('+00:00', '') } : times
  },
})
