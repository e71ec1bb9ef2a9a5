/** Legal alternatives of the policy checks: one per branch that the document or its readings leave open. */
import type { JsonObject } from '../core/engine.ts'
import { type Variant, variant } from '../core/mutation.ts'
import { Refusal } from '../run-management/documents.ts'
import { policyChecks } from '../run-management/policy-checks/index.ts'

const engine = 'policy-checks'

type Handle = (typeof policyChecks.routes)[number]['handle']

const volatile = (resource: JsonObject, call: Parameters<Handle>[0]): JsonObject => {
  const attributes = resource.attributes as JsonObject
  const result = { ...(attributes.result as JsonObject), 'age-ms': Number(process.hrtime.bigint() % 1_000_000n) }
  return { ...resource, attributes: { ...attributes, result, 'log-read-url': `https://logs.example.test/${call.random.word(20)}` } }
}

export const policyCheckVariants: Variant[] = [
  variant(
    policyChecks,
    {
      id: 'policy-checks-client-engine-key',
      engine,
      title: 'engine details stand under the key that real clients read, too',
      reading: 'keys of the engine details may change',
    },
    {
      rules: {
        result: (original) => (check) => ({
          ...original(check),
          sentinel: { version: 1, data: {} },
          'policy-engine': { sentinel: { version: 1 } },
        }),
      },
    },
  ),
  variant(
    policyChecks,
    {
      id: 'policy-checks-can-override-once',
      engine,
      title: 'can-override is false once a check is overridden',
      reading: 'permissions after an override are open',
    },
    {
      rules: { canOverride: (original) => (permitted, check) => original(permitted, check) && check.status === 'soft_failed' },
    },
  ),
  variant(
    policyChecks,
    { id: 'policy-checks-always-overridable', engine, title: 'is-overridable stays true', reading: 'is-overridable by state is open' },
    {
      rules: { isOverridable: () => () => true },
    },
  ),
  variant(
    policyChecks,
    {
      id: 'policy-checks-times-null',
      engine,
      title: 'keys of statuses not reached hold null',
      reading: 'a null stands for a status that was not reached',
    },
    {
      rules: {
        timestamps: (original) => (check) => ({ 'queued-at': null, 'soft-failed-at': null, 'overridden-at': null, ...original(check) }),
      },
    },
  ),
  variant(
    policyChecks,
    {
      id: 'policy-checks-times-comma',
      engine,
      title: 'timestamps have a fraction after a comma, and an offset of hours',
      reading: 'ISO 8601 allows both',
    },
    {
      rules: {
        timestamps: (original) => (check) =>
          Object.fromEntries(Object.entries(original(check)).map(([key, time]) => [key, String(time).replace('+00:00', ',000+00')])),
      },
    },
  ),
  variant(
    policyChecks,
    {
      id: 'policy-checks-queued-goes-on',
      engine,
      title: 'a queued check soft-fails as soon as it was looked at',
      reading: 'a queued check is evaluated by itself',
    },
    {
      routes: {
        'policyChecks.show': (original) => async (call) => {
          const reply = await original(call)
          const check = call.world.checks.get(call.params.id ?? '')
          if (check?.status === 'queued') {
            check.status = 'soft_failed'
            check.timestamps['soft-failed-at'] = call.now()
          }
          return reply
        },
      },
    },
  ),
  variant(
    policyChecks,
    {
      id: 'policy-checks-volatile-members',
      engine,
      title: 'answers have members that the document does not name, and these change from one reading to the next',
      reading: 'additional members are allowed',
    },
    {
      routes: Object.fromEntries(
        ['policyChecks.list', 'policyChecks.show', 'policyChecks.override'].map((id) => [
          id,
          (original: Handle): Handle =>
            async (call) => {
              const reply = await original(call)
              const body = reply.body as JsonObject
              const data = Array.isArray(body.data)
                ? body.data.map((one) => volatile(one as JsonObject, call))
                : volatile(body.data as JsonObject, call)
              return { ...reply, body: { ...body, data } }
            },
        ]),
      ),
    },
  ),
  variant(
    policyChecks,
    {
      id: 'policy-checks-plain-errors',
      engine,
      title: 'refusals say why in a shape of their own',
      reading: 'the errors of these routes are not shown',
    },
    {
      routes: Object.fromEntries(
        policyChecks.routes.map(({ id }) => [
          id,
          (original: Handle): Handle =>
            async (call) => {
              try {
                return await original(call)
              } catch (error) {
                if (!(error instanceof Refusal)) throw error
                return { status: error.status, body: { message: error.message }, headers: { 'content-type': 'application/json' } }
              }
            },
        ]),
      ),
    },
  ),
  variant(
    policyChecks,
    { id: 'policy-checks-times-zulu', engine, title: 'timestamps end in Z', reading: 'Z is an offset' },
    {
      rules: {
        timestamps: (original) => (check) =>
          Object.fromEntries(Object.entries(original(check)).map(([key, time]) => [key, String(time).replace('+00:00', 'Z')])),
      },
    },
  ),
  variant(
    policyChecks,
    {
      id: 'policy-checks-refused-422',
      engine,
      title: 'an override that the state forbids is answered with 422',
      reading: 'status of a refused override is open',
    },
    {
      rules: { conflictStatus: () => () => 422 },
    },
  ),
  variant(
    policyChecks,
    {
      id: 'policy-checks-forbidden-404',
      engine,
      title: 'an override that the caller may not make is answered with 404',
      reading: 'status of a refused override is open',
    },
    {
      rules: { forbiddenStatus: () => () => 404 },
    },
  ),
  variant(
    policyChecks,
    {
      id: 'policy-checks-forbidden-read',
      engine,
      title: 'a run that is not yours is forbidden, not hidden',
      reading: 'hiding is stated for pools and tokens only',
    },
    {
      rules: { hiddenStatus: () => () => 403 },
    },
  ),
  variant(
    policyChecks,
    { id: 'policy-checks-override-202', engine, title: 'an override answers 202', reading: 'success: 2xx with data' },
    {
      rules: { overrideStatus: () => () => 202 },
    },
  ),
  variant(
    policyChecks,
    {
      id: 'policy-checks-result-stays',
      engine,
      title: 'result stays false after an override',
      reading: 'how result follows the state is open',
    },
    {
      rules: { result: (original) => (check) => ({ ...original(check), result: check.status === 'passed' }) },
    },
  ),
  variant(
    policyChecks,
    { id: 'policy-checks-other-scope', engine, title: 'the scope is a workspace', reading: 'other values of scope are not shown' },
    {
      rules: { scope: () => () => 'workspace' },
    },
  ),
  variant(
    policyChecks,
    {
      id: 'policy-checks-include-lenient',
      engine,
      title: 'unknown include paths are ignored, and the run is included without being asked for',
      reading: 'refusing unknown paths is advised',
    },
    {
      rules: {
        includePaths: () => (text) =>
          text === null ? ['run'] : text.split(',').filter((path) => path === 'run' || path === 'run.workspace'),
      },
    },
  ),
  variant(
    policyChecks,
    {
      id: 'policy-checks-include-leaf',
      engine,
      title: 'run.workspace returns the workspace without the run between',
      reading: 'the intermediate run is advised',
    },
    {
      rules: {
        included: (original) => (world, checks, paths) =>
          original(world, checks, paths).filter(({ type }) => type !== 'runs' || paths.includes('run')),
      },
    },
  ),
  variant(
    policyChecks,
    { id: 'policy-checks-newest-first', engine, title: 'the newest check is listed first', reading: 'the order is not stated' },
    {
      rules: { checksOf: (original) => (world, run) => original(world, run).toReversed() },
    },
  ),
  variant(
    policyChecks,
    {
      id: 'policy-checks-override-first',
      engine,
      title: 'what was overridden is listed first',
      reading: 'the order is not stated: an override may change it',
    },
    {
      rules: {
        checksOf: (original) => (world, run) => {
          const checks = original(world, run)
          const isOverridden = ({ status }: (typeof checks)[number]): boolean => status === 'overridden'
          const others = checks.filter((check) => !isOverridden(check))
          return [...checks.filter(isOverridden), ...(others.length < checks.length ? others.toReversed() : others)]
        },
      },
    },
  ),
  variant(
    policyChecks,
    {
      id: 'policy-checks-list-links',
      engine,
      title: 'the whole list has links and meta, a page has none',
      reading: 'links and meta of the policy-check list are open',
    },
    {
      routes: {
        'policyChecks.list': (original) => async (call) => {
          const reply = await original(call)
          const { links: _, meta: __, ...rest } = reply.body as JsonObject
          const links = { self: call.path, first: call.path, prev: null, next: null, last: call.path }
          return { ...reply, body: call.rules.paged(call.query) ? rest : { ...rest, links } }
        },
      },
    },
  ),
  variant(
    policyChecks,
    { id: 'policy-checks-no-output', engine, title: 'the output has gone', reading: 'the shape of the output is not shown' },
    {
      routes: {
        'policyChecks.showOutput': () => () => {
          throw new Refusal(404, 'the output was removed')
        },
      },
    },
  ),
  variant(
    policyChecks,
    { id: 'policy-checks-unauthenticated-404', engine, title: 'a missing bearer is answered with 404', reading: '401 or 404 advised' },
    {
      rules: { unauthenticatedStatus: () => () => 404 },
    },
  ),
]
