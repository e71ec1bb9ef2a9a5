/** Faults in showing and listing policy checks. */
import type { Json, JsonObject } from '../../core/engine.ts'
import { fault } from '../../core/mutation.ts'
import { MEDIA_TYPE, Refusal } from '../../run-management/documents.ts'
import { policyChecks } from '../../run-management/policy-checks/index.ts'

const engine = 'policy-checks'

type Handle = (typeof policyChecks.routes)[number]['handle']

const READS = ['policyChecks.show', 'policyChecks.list']

/** Changes each policy check of the reading routes' answers. */
const resources = (change: (resource: JsonObject) => JsonObject) =>
  Object.fromEntries(
    READS.map((id) => [
      id,
      (original: Handle): Handle =>
        async (call) => {
          const reply = await original(call)
          const body = reply.body as { data: Json }
          const { data } = body
          return {
            ...reply,
            body: { ...body, data: Array.isArray(data) ? data.map((one) => change(one as JsonObject)) : change(data as JsonObject) },
          }
        },
    ]),
  )

const attributes = (change: (attributes: JsonObject) => JsonObject) =>
  resources((resource) => ({ ...resource, attributes: change(resource.attributes as JsonObject) }))

/** A fault in which one member of `attributes.result` has another value. */
const inResult = (id: string, title: string, clause: string, change: (result: JsonObject) => JsonObject) =>
  fault(
    policyChecks,
    { id: `policy-checks-${id}`, engine, title, clauses: [clause] },
    {
      rules: { result: (original) => (check) => ({ ...original(check), ...change(original(check)) }) },
    },
  )

/** A fault in which one attribute has another value. */
const inAttributes = (id: string, title: string, clause: string, change: (attributes: JsonObject) => JsonObject) =>
  fault(
    policyChecks,
    { id: `policy-checks-${id}`, engine, title, clauses: [clause] },
    { routes: attributes((all) => ({ ...all, ...change(all) })) },
  )

const handler = (id: string, title: string, clauses: string[], routes: Record<string, (original: Handle) => Handle>) =>
  fault(policyChecks, { id: `policy-checks-${id}`, engine, title, clauses }, { routes })

/** What refusals of every route answer. */
const refusals = (rewrite: (refusal: Refusal) => ReturnType<Handle>) =>
  Object.fromEntries(
    policyChecks.routes.map(({ id }) => [
      id,
      (original: Handle): Handle =>
        async (call) => {
          try {
            return await original(call)
          } catch (error) {
            if (!(error instanceof Refusal)) throw error
            return rewrite(error)
          }
        },
    ]),
  )

const headers = { 'content-type': MEDIA_TYPE }

export const readFaults = [
  handler(
    'id-number',
    'ids are numbers without their prefix',
    ['POLICY-FIELD-01'],
    resources((resource) => ({ ...resource, id: String(resource.id).slice('polchk-'.length) })),
  ),
  handler(
    'type-singular',
    'resources have the type policy-check',
    ['POLICY-FIELD-02'],
    resources((resource) => ({ ...resource, type: 'policy-check' })),
  ),
  inResult('result-text', 'result is a text', 'POLICY-FIELD-03', ({ result }) => ({ result: String(result) })),
  inResult('passed-missing', 'passed is null', 'POLICY-FIELD-04', () => ({ passed: null })),
  inResult('total-text', 'total-failed is a text', 'POLICY-FIELD-05', (result) => ({ 'total-failed': String(result['total-failed']) })),
  inResult('hard-bool', 'hard-failed says whether, not how many', 'POLICY-FIELD-06', (result) => ({
    'hard-failed': result['hard-failed'] !== 0,
  })),
  inResult('soft-bool', 'soft-failed says whether, not how many', 'POLICY-FIELD-07', (result) => ({
    'soft-failed': result['soft-failed'] !== 0,
  })),
  inResult('advisory-list', 'advisory-failed is a list', 'POLICY-FIELD-08', () => ({ 'advisory-failed': [] })),
  inResult('duration-seconds', 'duration-ms is a fraction of seconds', 'POLICY-FIELD-09', () => ({ 'duration-ms': 0.014 })),
  inResult('engine-text', 'the engine details are a text', 'POLICY-FIELD-10', () => ({ 'policy-engine': 'rules 1.0' })),
  inResult('count-negative', 'an unknown count is -1', 'POLICY-FIELD-23', () => ({ 'duration-ms': -1 })),
  inAttributes('scope-list', 'scope is a list', 'POLICY-FIELD-11', ({ scope }) => ({ scope: [scope ?? null] })),
  inAttributes('status-number', 'status is a number', 'POLICY-FIELD-12', () => ({ status: 3 })),
  inAttributes('times-list', 'status-timestamps is a list', 'POLICY-FIELD-13', () => ({ 'status-timestamps': [] })),
  fault(
    policyChecks,
    { id: 'policy-checks-times-unix', engine, title: 'timestamps have no offset', clauses: ['POLICY-FIELD-14'] },
    {
      rules: {
        timestamps: (original) => (check) =>
          Object.fromEntries(Object.entries(original(check)).map(([key, time]) => [key, String(time).replace('+00:00', '')])),
      },
    },
  ),
  inAttributes('overridable-missing', 'actions is empty', 'POLICY-FIELD-15', () => ({ actions: {} })),
  inAttributes('can-override-null', 'can-override is null', 'POLICY-FIELD-16', () => ({ permissions: { 'can-override': null } })),
  handler(
    'run-missing',
    'the relationship to the run is missing',
    ['POLICY-FIELD-17'],
    resources(({ relationships: _, ...rest }) => ({ ...rest, relationships: {} })),
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-run-of-other', engine, title: 'the relationship names another run', clauses: ['POLICY-FIELD-18'] },
    {
      rules: { runOf: () => (check) => check.id.replace('polchk', 'run') },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-output-v1', engine, title: 'the output link leads to another version', clauses: ['POLICY-FIELD-19'] },
    {
      rules: { outputLink: (original) => (check) => original(check).replace('/v2/', '/v1/') },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-output-of-run', engine, title: 'the output link names the run', clauses: ['POLICY-FIELD-19'] },
    {
      rules: { outputLink: () => (check) => `/api/v2/policy-checks/${check.runId}/output` },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-can-override-false', engine, title: 'can-override is always false', clauses: ['POLICY-FIELD-24'] },
    {
      rules: { canOverride: () => () => false },
    },
  ),
  fault(
    policyChecks,
    {
      id: 'policy-checks-can-override-state',
      engine,
      title: 'can-override speaks of the state, not of the caller',
      clauses: ['POLICY-FIELD-25'],
    },
    {
      rules: { canOverride: () => (_permitted, check) => check.status === 'soft_failed' },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-queued-lost', engine, title: 'queued-at goes when the check has failed', clauses: ['POLICY-STATE-01'] },
    {
      rules: {
        timestamps: (original) => (check) => {
          const { 'queued-at': queued, ...rest } = original(check)
          return Object.keys(rest).length === 0 ? { 'queued-at': queued ?? null } : rest
        },
      },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-failed-at-lost', engine, title: 'soft-failed-at is not kept', clauses: ['POLICY-STATE-02'] },
    {
      rules: {
        timestamps: (original) => (check) => {
          const { 'soft-failed-at': _, ...rest } = original(check)
          return rest
        },
      },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-times-swapped', engine, title: 'queued-at and soft-failed-at are swapped', clauses: ['POLICY-STATE-03'] },
    {
      rules: {
        timestamps: (original) => (check) => {
          const times = original(check)
          const { 'queued-at': queued, 'soft-failed-at': failed } = times
          return failed === undefined ? times : { ...times, 'queued-at': failed, 'soft-failed-at': queued ?? null }
        },
      },
    },
  ),
  fault(
    policyChecks,
    {
      id: 'policy-checks-times-all',
      engine,
      title: 'every key has a time from the beginning',
      clauses: ['POLICY-STATE-04', 'POLICY-STATE-05'],
    },
    {
      rules: {
        timestamps: (original) => (check) => {
          const times = original(check)
          const first = times['queued-at'] ?? null
          return { 'queued-at': first, 'soft-failed-at': first, 'overridden-at': first, ...times }
        },
      },
    },
  ),
  handler('show-list', 'show answers a list of one', ['POLICY-SHOW-02'], {
    'policyChecks.show': (original) => async (call) => {
      const reply = await original(call)
      const body = reply.body as { data: Json }
      return { ...reply, body: { ...body, data: [body.data] } }
    },
  }),
  handler('show-text', 'show answers with plain text', ['POLICY-SHOW-01'], {
    'policyChecks.show': (original) => async (call) => {
      const reply = await original(call)
      return { status: 200, raw: { contentType: 'text/plain', bytes: new TextEncoder().encode(JSON.stringify(reply.body)) } }
    },
  }),
  handler('show-other', 'show answers with the first check of the run', ['POLICY-SHOW-03'], {
    'policyChecks.show': (original) => (call) => {
      const first = [...call.world.checks.keys()][0]
      return original({ ...call, params: { id: call.world.checks.has(call.params.id ?? '') ? (first ?? '') : (call.params.id ?? '') } })
    },
  }),
  handler('show-203', 'show answers 203', ['POLICY-SHOW-04'], {
    'policyChecks.show': (original) => async (call) => ({ ...(await original(call)), status: 203 }),
  }),
  handler('show-no-route', 'the show route is not served', ['POLICY-VERSION-01', 'POLICY-SHOW-01'], {
    'policyChecks.show': () => () => {
      throw new Refusal(404, 'no such route')
    },
  }),
  handler('show-unknown-null', 'an id that no check has shows null', ['POLICY-SHOW-05'], {
    'policyChecks.show': (original) => (call) =>
      call.world.checks.has(call.params.id ?? '') ? original(call) : { status: 200, body: { data: null }, headers },
  }),
  handler('show-unknown-400', 'an id that no check has is a bad request', ['POLICY-SHOW-06'], {
    'policyChecks.show': (original) => (call) => {
      if (!call.world.checks.has(call.params.id ?? '')) throw new Refusal(400, 'no such policy check')
      return original(call)
    },
  }),
  handler(
    'error-text',
    'errors are texts, not objects',
    ['POLICY-SHOW-07'],
    refusals(({ status, message }) => ({ status, body: { errors: [message] }, headers })),
  ),
  handler(
    'error-status-number',
    'the status in an error is a number',
    ['POLICY-SHOW-09'],
    refusals(({ status, message }) => ({ status, body: { errors: [{ status, title: message }] }, headers })),
  ),
  handler(
    'error-plain',
    'refusals are plain JSON',
    ['POLICY-MEDIA-01'],
    refusals(({ status, message }) => ({ status, body: { errors: [{ title: message }] } })),
  ),
  handler('list-object', 'a run with one check lists an object', ['POLICY-LIST-02'], {
    'policyChecks.list': (original) => async (call) => {
      const reply = await original(call)
      const { data, ...rest } = reply.body as { data: Json[] }
      return { ...reply, body: { ...rest, data: Object.fromEntries(data.map((one) => [(one as { id: string }).id, one])) } }
    },
  }),
  handler('list-html', 'the list is called HTML', ['POLICY-LIST-01'], {
    'policyChecks.list': (original) => async (call) => ({ ...(await original(call)), headers: { 'content-type': 'text/html' } }),
  }),
  handler('list-203', 'a list answers 203', ['POLICY-LIST-06'], {
    'policyChecks.list': (original) => async (call) => ({ ...(await original(call)), status: 203 }),
  }),
  fault(
    policyChecks,
    { id: 'policy-checks-list-open-only', engine, title: 'the first check of a run is not listed', clauses: ['POLICY-LIST-03'] },
    {
      rules: { checksOf: (original) => (world, run) => original(world, run).slice(1) },
    },
  ),
  fault(
    policyChecks,
    { id: 'policy-checks-list-all-runs', engine, title: 'a run lists the checks of all runs', clauses: ['POLICY-LIST-04'] },
    {
      rules: {
        checksOf: (original) => (world, run) => [
          ...original(world, run),
          ...[...world.checks.values()].filter(({ runId }) => runId !== run).slice(-3),
        ],
      },
    },
  ),
  handler('list-empty-null', 'a run without checks lists null', ['POLICY-LIST-05'], {
    'policyChecks.list': (original) => async (call) => {
      const reply = await original(call)
      const body = reply.body as { data: Json[] }
      return body.data.length > 0 ? reply : { ...reply, body: { ...body, data: null } }
    },
  }),
  handler('list-unknown-empty', 'a run that does not exist lists nothing', ['POLICY-LIST-07', 'POLICY-LIST-08'], {
    'policyChecks.list': (original) => (call) =>
      call.world.runs.has(call.params.run_id ?? '') ? original(call) : { status: 200, body: { data: [] }, headers },
  }),
  handler('list-brief', 'items of the list say less than show', ['POLICY-LIST-09'], {
    'policyChecks.list': (original) => async (call) => {
      const reply = await original(call)
      const body = reply.body as { data: JsonObject[] }
      return {
        ...reply,
        body: { ...body, data: body.data.map((one) => ({ ...one, attributes: { ...(one.attributes as JsonObject), scope: '' } })) },
      }
    },
  }),
  fault(
    policyChecks,
    { id: 'policy-checks-order-random', engine, title: 'the order of the list is left to chance', clauses: ['POLICY-PAGE-11'] },
    {
      rules: {
        checksOf: (original) => {
          let reads = 0
          return (world, run) => {
            reads += 1
            return reads % 2 === 0 ? original(world, run).toReversed() : original(world, run)
          }
        },
      },
    },
  ),
]
