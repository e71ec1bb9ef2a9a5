/** Legal alternatives of the policy checks: one per branch that the document or its readings leave open. */
import type { JsonObject } from '../../core/json.ts'
import { variantsOf } from '../../faults/declare.ts'
import { refusal } from '../../faults/wrappers.ts'
import { Refusal } from '../../run-management/documents.ts'
import { policyChecks } from './engine.ts'
import { type Call, headers, operations, READS, resources } from './wrappers.ts'

const { rule, route, declared } = variantsOf(policyChecks)

const volatile = (resource: JsonObject, call: Call): JsonObject => {
  const attributes = resource.attributes as JsonObject
  const result = { ...(attributes.result as JsonObject), 'age-ms': Number(process.hrtime.bigint() % 1_000_000n) }
  return { ...resource, attributes: { ...attributes, result, 'log-read-url': `https://logs.example.test/${call.random.word(20)}` } }
}

rule('client-engine-key', 'keys of the engine details may change', 'engine details stand under the key that real clients read, too', {
  result: (original) => (check) => ({
    ...original(check),
    sentinel: { version: 1, data: {} },
    'policy-engine': { sentinel: { version: 1 } },
  }),
})
rule('can-override-once', 'permissions after an override are open', 'can-override is false once a check is overridden', {
  canOverride: (original) => (permitted, check) => original(permitted, check) && check.status === 'soft_failed',
})
rule('always-overridable', 'is-overridable by state is open', 'is-overridable stays true', { isOverridable: () => () => true })
rule('times-comma', 'ISO 8601 allows both', 'timestamps have a fraction after a comma, and an offset of hours', {
  timestamps: (original) => (check) =>
    Object.fromEntries(Object.entries(original(check)).map(([key, time]) => [key, String(time).replace('+00:00', ',000+00')])),
})
route(
  'queued-goes-on',
  'a queued check is evaluated by itself',
  'a queued check soft-fails as soon as it was looked at',
  'policyChecks.show',
  (original) => async (call) => {
    const reply = await original(call)
    const check = call.world.checks.get(call.params.id ?? '')
    if (check?.status === 'queued') {
      check.status = 'soft_failed'
      check.timestamps['soft-failed-at'] = call.now()
    }
    return reply
  },
)
route(
  'volatile-members',
  'additional members are allowed',
  'answers have members that the document does not name, and these change from one reading to the next',
  [...READS, 'policyChecks.override'],
  resources(volatile),
)
route(
  'plain-errors',
  'the errors of these routes are not shown',
  'refusals say why in a shape of their own',
  operations,
  refusal(({ status, message }) => ({ status, body: { message }, headers: { 'content-type': 'application/json' } })),
)
rule('times-zulu', 'Z is an offset', 'timestamps end in Z', {
  timestamps: (original) => (check) =>
    Object.fromEntries(Object.entries(original(check)).map(([key, time]) => [key, String(time).replace('+00:00', 'Z')])),
})
rule('refused-422', 'status of a refused override is open', 'an override that the state forbids is answered with 422', {
  conflictStatus: () => () => 422,
})
rule('forbidden-404', 'status of a refused override is open', 'an override that the caller may not make is answered with 404', {
  forbiddenStatus: () => () => 404,
})
rule('forbidden-read', 'hiding is stated for pools and tokens only', 'a run that is not yours is forbidden, not hidden', {
  hiddenStatus: () => () => 403,
})
rule('override-202', 'success: 2xx with data', 'an override answers 202', { overrideStatus: () => () => 202 })
rule('result-stays', 'how result follows the state is open', 'result stays false after an override', {
  result: (original) => (check) => ({ ...original(check), result: check.status === 'passed' }),
})
rule('other-scope', 'other values of scope are not shown', 'the scope is a workspace', { scope: () => () => 'workspace' })
rule(
  'include-lenient',
  'refusing unknown paths is advised',
  'unknown include paths are ignored, and the run is included without being asked for',
  {
    includePaths: () => (text) => (text === null ? ['run'] : text.split(',').filter((path) => path === 'run' || path === 'run.workspace')),
  },
)
rule('include-leaf', 'the intermediate run is advised', 'run.workspace returns the workspace without the run between', {
  included: (original) => (world, checks, paths) =>
    original(world, checks, paths).filter(({ type }) => type !== 'runs' || paths.includes('run')),
})
rule('newest-first', 'the order is not stated', 'the newest check is listed first', {
  checksOf: (original) => (world, run) => original(world, run).toReversed(),
})
rule('override-first', 'the order is not stated: an override may change it', 'what was overridden is listed first', {
  checksOf: (original) => (world, run) => {
    const checks = original(world, run)
    const isOverridden = ({ status }: (typeof checks)[number]): boolean => status === 'overridden'
    const others = checks.filter((check) => !isOverridden(check))
    return [...checks.filter(isOverridden), ...(others.length < checks.length ? others.toReversed() : others)]
  },
})
route(
  'list-links',
  'links and meta of the policy-check list are open',
  'the whole list has links and meta, a page has none',
  'policyChecks.list',
  (original) => async (call) => {
    const reply = await original(call)
    const { links: _, meta: __, ...rest } = reply.body as JsonObject
    const links = { self: call.path, first: call.path, prev: null, next: null, last: call.path }
    return { ...reply, body: call.rules.paged(call.query) ? rest : { ...rest, links } }
  },
)
route('no-output', 'the shape of the output is not shown', 'the output has gone', 'policyChecks.showOutput', () => () => {
  throw new Refusal(404, 'the output was removed')
})
rule('unauthenticated-404', '401 or 404 advised', 'a missing bearer is answered with 404', { unauthenticatedStatus: () => () => 404 })
route(
  'unknown-run-empty',
  'unknown-run: refused or an empty list',
  'a run that does not exist lists nothing',
  'policyChecks.list',
  (original) => (call) => (call.world.runs.has(call.params.run_id ?? '') ? original(call) : { status: 200, body: { data: [] }, headers }),
)
rule(
  'overrides-at-once',
  'concurrency: what is promised to callers at once is advised',
  'of overrides at once each succeeds and sets its time',
  {
    override: (original) => async (check, now, overridable, world) => {
      if (!overridable(check)) return false
      await new Promise((resolve) => setTimeout(resolve, 15))
      await original(check, now, () => true, world)
      return true
    },
  },
)

rule('queued-without-result', 'the result of a queued check is not shown', 'a queued check has no result', {
  result: (original) => (check) => (check.status === 'queued' ? (null as unknown as JsonObject) : original(check)),
})

export const variants = declared
