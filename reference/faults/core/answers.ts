/** Faults of envelopes, listings and help. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Json, JsonObject, Route } from '../../core/engine.ts'
import { type Fault, fault, type Mutation } from '../../core/mutation.ts'
import type { CoreRules, RouteFacts } from '../../core/rules.ts'
import { isEngineRoute, withBody } from './shared.ts'

type CoreMutation = Mutation<CoreRules, Route<undefined, CoreRules>['handle']>

/** Changes the JSON bodies of all operations that `of` picks. */
const answers = (change: (body: JsonObject) => Json, of: (route: RouteFacts) => boolean = isEngineRoute): CoreMutation => ({
  rules: {
    finish: (original) => (call, route, reply) => {
      const finished = original(call, route, reply)
      return of(route) ? withBody(finished, change) : finished
    },
  },
})

/** Sets a field of the envelope wherever there is an envelope. */
const envelopeField = (field: string, value: Json, of?: (route: RouteFacts) => boolean): CoreMutation =>
  answers((body) => (field in body ? { ...body, [field]: value } : body), of)

const isVersionedRead = ({ id }: RouteFacts): boolean => id === 'kv2.read'
const isVersionedWrite = ({ id }: RouteFacts): boolean => id === 'kv2.write'
const isListing = (route: RouteFacts): boolean => isEngineRoute(route) && route.method === 'LIST'

export const answerFaults: Fault[] = [
  fault(
    coreEngine,
    { id: 'core-envelope-array', engine: 'core', title: 'a write answers with an array', clauses: ['CORE-ENV-01'] },
    answers((body) => [body], isVersionedWrite),
  ),
  fault(
    coreEngine,
    { id: 'core-request-id-counter', engine: 'core', title: 'request ids are numbers counted up', clauses: ['CORE-ENV-02'] },
    envelopeField('request_id', 'request-17'),
  ),
  fault(
    coreEngine,
    { id: 'core-lease-id-null', engine: 'core', title: 'no lease is null', clauses: ['CORE-ENV-03'] },
    envelopeField('lease_id', null),
  ),
  fault(
    coreEngine,
    { id: 'core-renewable-text', engine: 'core', title: 'renewable is a text', clauses: ['CORE-ENV-04'] },
    envelopeField('renewable', 'false'),
  ),
  fault(
    coreEngine,
    { id: 'core-lease-duration-text', engine: 'core', title: 'the lease duration is a text with a unit', clauses: ['CORE-ENV-05'] },
    envelopeField('lease_duration', '0s'),
  ),
  fault(
    coreEngine,
    { id: 'core-lease-duration-fraction', engine: 'core', title: 'the lease duration has a fraction', clauses: ['CORE-ENV-05'] },
    envelopeField('lease_duration', 0.5),
  ),
  fault(
    coreEngine,
    { id: 'core-data-array', engine: 'core', title: 'the payload comes in an array', clauses: ['CORE-ENV-06'] },
    answers((body) => ({ ...body, data: [body.data ?? null] }), isVersionedWrite),
  ),
  fault(
    coreEngine,
    { id: 'core-wrap-info-false', engine: 'core', title: 'no wrapping is false', clauses: ['CORE-ENV-07'] },
    envelopeField('wrap_info', false),
  ),
  fault(
    coreEngine,
    { id: 'core-warnings-object', engine: 'core', title: 'warnings come in an object', clauses: ['CORE-ENV-08'] },
    envelopeField('warnings', { count: 0 }),
  ),
  fault(
    coreEngine,
    { id: 'core-auth-text', engine: 'core', title: 'no authentication is an empty text', clauses: ['CORE-ENV-09'] },
    envelopeField('auth', ''),
  ),
  fault(
    coreEngine,
    { id: 'core-lease-id-without-lease', engine: 'core', title: 'a read without lease names one', clauses: ['CORE-ENV-10'] },
    envelopeField('lease_id', 'none', isVersionedRead),
  ),
  fault(
    coreEngine,
    {
      id: 'core-lease-duration-without-lease',
      engine: 'core',
      title: 'a read without lease shows the default lease time',
      clauses: ['CORE-ENV-11'],
    },
    envelopeField('lease_duration', 2_764_800, isVersionedRead),
  ),
  fault(
    coreEngine,
    { id: 'core-list-verb-unknown', engine: 'core', title: 'the verb LIST is taken for GET', clauses: ['CORE-LIST-01'] },
    {
      rules: {
        isListing: () => (method, query) => method === 'GET' && query.get('list') === 'true',
        canonicalMethod: (original) => (method) => (method === 'LIST' ? 'GET' : original(method)),
      },
    },
  ),
  fault(
    coreEngine,
    { id: 'core-list-parameter-ignored', engine: 'core', title: 'GET with list=true is a plain GET', clauses: ['CORE-LIST-02'] },
    { rules: { isListing: () => (method) => method === 'LIST' } },
  ),
  fault(
    coreEngine,
    { id: 'core-list-objects', engine: 'core', title: 'a listing shows objects with names', clauses: ['CORE-LIST-03'] },
    answers((body) => {
      const data = body.data as JsonObject
      return { ...body, data: { ...data, keys: (data.keys as Json[]).map((name) => ({ name })) } }
    }, isListing),
  ),
  fault(
    coreEngine,
    { id: 'core-list-top-level', engine: 'core', title: 'a listing shows its names beside data', clauses: ['CORE-LIST-03'] },
    answers((body) => ({ ...body, data: {}, keys: (body.data as JsonObject).keys ?? [] }), isListing),
  ),
  fault(
    coreEngine,
    { id: 'core-empty-list-200', engine: 'core', title: 'an empty listing is answered with 200', clauses: ['CORE-LIST-04', 'KV-LIST-05'] },
    { rules: { emptyListStatus: () => () => 200 } },
  ),
  fault(
    coreEngine,
    { id: 'core-help-array', engine: 'core', title: 'the help text comes in lines', clauses: ['CORE-HELP-01'] },
    { rules: { helpBody: (original) => (help, openapi) => ({ ...original(help, openapi), help: help.split('\n') }) } },
  ),
  fault(
    coreEngine,
    { id: 'core-help-openapi-text', engine: 'core', title: 'the description is a text', clauses: ['CORE-HELP-02'] },
    { rules: { helpBody: (original) => (help, openapi) => ({ ...original(help, openapi), openapi: JSON.stringify(openapi) }) } },
  ),
  fault(
    coreEngine,
    { id: 'core-help-absolute', engine: 'core', title: 'the paths in the description begin with the mount', clauses: ['CORE-HELP-03'] },
    { rules: { helpPath: () => (relative, queried) => `/${queried}${relative}` } },
  ),
  fault(
    coreEngine,
    { id: 'core-help-for-all', engine: 'core', title: 'help asks for no permission', clauses: ['CORE-HELP-05'] },
    { rules: { helpAllowed: () => () => true } },
  ),
]
