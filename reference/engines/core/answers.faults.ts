/** Faults of envelopes, listings and help. */

import { coreEngine } from '../../core/core-engine.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { CoreRules, RouteFacts } from '../../core/rules.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isEngineRoute, withBody } from '../../mutations/request-kinds.ts'

const { rule } = faultsOf(coreEngine)

/** Changes the JSON bodies of all operations that `of` picks. */
const answers = (change: (body: JsonObject) => Json, of: (route: RouteFacts) => boolean = isEngineRoute) => ({
  finish:
    (original: CoreRules['finish']): CoreRules['finish'] =>
    (call, route, reply) => {
      const finished = original(call, route, reply)
      return of(route) ? withBody(finished, change) : finished
    },
})

/** Sets a field of the envelope wherever there is an envelope. */
const envelopeField = (field: string, value: Json, of?: (route: RouteFacts) => boolean) =>
  answers((body) => (field in body ? { ...body, [field]: value } : body), of)

const isVersionedRead = ({ id }: RouteFacts): boolean => id === 'kv2.read'

const isVersionedWrite = ({ id }: RouteFacts): boolean => id === 'kv2.write'

const isListing = (route: RouteFacts): boolean => isEngineRoute(route) && route.method === 'LIST'

rule(
  'envelope-array',
  'CORE-ENV-01',
  'a write answers with an array',
  answers((body) => [body], isVersionedWrite),
)
rule('request-id-counter', 'CORE-ENV-02', 'request ids are numbers counted up', envelopeField('request_id', 'request-17'))
rule('lease-id-null', 'CORE-ENV-03', 'no lease is null', envelopeField('lease_id', null))
rule('renewable-text', 'CORE-ENV-04', 'renewable is a text', envelopeField('renewable', 'false'))
rule('lease-duration-text', 'CORE-ENV-05', 'the lease duration is a text with a unit', envelopeField('lease_duration', '0s'))
rule('lease-duration-fraction', 'CORE-ENV-05', 'the lease duration has a fraction', envelopeField('lease_duration', 0.5))
rule(
  'data-array',
  'CORE-ENV-06',
  'the payload comes in an array',
  answers((body) => ({ ...body, data: [body.data ?? null] }), isVersionedWrite),
)
rule('wrap-info-false', 'CORE-ENV-07', 'no wrapping is false', envelopeField('wrap_info', false))
rule('warnings-object', 'CORE-ENV-08', 'warnings come in an object', envelopeField('warnings', { count: 0 }))
rule('auth-text', 'CORE-ENV-09', 'no authentication is an empty text', envelopeField('auth', ''))
rule('lease-id-without-lease', 'CORE-ENV-10', 'a read without lease names one', envelopeField('lease_id', 'none', isVersionedRead))
rule(
  'lease-duration-without-lease',
  'CORE-ENV-11',
  'a read without lease shows the default lease time',
  envelopeField('lease_duration', 2_764_800, isVersionedRead),
)
rule('list-verb-unknown', 'CORE-LIST-01', 'the verb LIST is taken for GET', {
  isListing: () => (method, query) => method === 'GET' && query.get('list') === 'true',
  canonicalMethod: (original) => (method) => (method === 'LIST' ? 'GET' : original(method)),
})
rule('list-parameter-ignored', 'CORE-LIST-02', 'GET with list=true is a plain GET', { isListing: () => (method) => method === 'LIST' })
rule(
  'list-objects',
  'CORE-LIST-03',
  'a listing shows objects with names',
  answers((body) => {
    const data = body.data as JsonObject
    return { ...body, data: { ...data, keys: (data.keys as Json[]).map((name) => ({ name })) } }
  }, isListing),
)
rule(
  'list-top-level',
  'CORE-LIST-03',
  'a listing shows its names beside data',
  answers((body) => ({ ...body, data: {}, keys: (body.data as JsonObject).keys ?? [] }), isListing),
)
rule('empty-list-200', ['CORE-LIST-04', 'KV-LIST-05'], 'an empty listing is answered with 200', { emptyListStatus: () => () => 200 })
rule('help-array', 'CORE-HELP-01', 'the help text comes in lines', {
  helpBody: (original) => (help, openapi) => ({ ...original(help, openapi), help: help.split('\n') }),
})
rule('help-blank', 'CORE-HELP-07', 'the help text is a line of blanks', {
  helpText: () => () => ' \n',
})
rule('help-openapi-text', 'CORE-HELP-02', 'the description is a text', {
  helpBody: (original) => (help, openapi) => ({ ...original(help, openapi), openapi: JSON.stringify(openapi) }),
})
rule('help-absolute', 'CORE-HELP-03', 'the paths in the description begin with the mount', {
  helpPath: () => (relative, queried) => `/${queried}${relative}`,
})
rule('help-for-all', 'CORE-HELP-05', 'help asks for no permission', { helpAllowed: () => () => true })
