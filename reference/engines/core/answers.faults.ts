/** Faults of envelopes, listings and help. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { CoreRules, RouteFacts } from '../../core/rules.ts'
import { faultsOf } from '../../faults/declare.ts'
import { isEngineRoute, withBody } from '../../faults/request-kinds.ts'

const { rule, declared } = faultsOf(coreEngine)

/** Changes the JSON bodies of all operations that `of` picks. */
const answers = (change: (body: JsonObject) => Json, of: (route: RouteFacts) => boolean = isEngineRoute) => ({
  finish:
    (original: CoreRules['finish']): CoreRules['finish'] =>
    (call, route, reply) => {
      const finished = original(call, route, reply)
      return of(route) ? withBody(finished, change) : finished
    },
})

const isVersionedWrite = ({ id }: RouteFacts): boolean => id === 'kv2.write'

rule(
  'envelope-array',
  'CORE-ENV-01',
  'a write answers with an array',
  answers((body) => [body], isVersionedWrite),
)

/** Sets a field of the envelope wherever there is an envelope. */
const envelopeField = (field: string, value: Json, of?: (route: RouteFacts) => boolean) =>
  answers((body) => (field in body ? { ...body, [field]: value } : body), of)

rule('request-id-counter', 'CORE-ENV-02', 'request ids are numbers counted up', envelopeField('request_id', 'request-17'))
rule('lease-id-null', 'CORE-ENV-03', 'no lease is null', envelopeField('lease_id', null))

rule('list-lease-null', 'CORE-ENV-03', 'the lease of a listing is null', {
  finish: (original) => (call, route, reply) => {
    const finished = original(call, route, reply)
    return isEngineRoute(route) && route.method === 'LIST' ? withBody(finished, (body) => ({ ...body, lease_id: null })) : finished
  },
})
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

const isVersionedRead = ({ id }: RouteFacts): boolean => id === 'kv2.read'

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

const isListing = (route: RouteFacts): boolean => isEngineRoute(route) && route.method === 'LIST'
rule(
  'list-top-level',
  'CORE-LIST-03',
  'a listing shows its names beside data',
  answers((body) => ({ ...body, data: {}, keys: (body.data as JsonObject).keys ?? [] }), isListing),
)
rule('empty-list-200', ['CORE-LIST-04', 'KV-LIST-05'], 'an empty listing is answered with 200', { emptyListStatus: () => () => 200 })

let somethingDeleted = false

rule('emptied-list-200', ['KV-LIST-05', 'CORE-LIST-04'], 'once something was deleted, empty directories list as 200', {
  finish: (original) => (call, route, reply) => {
    somethingDeleted ||= route.method === 'DELETE' && isEngineRoute(route)
    return original(call, route, reply)
  },
  emptyListStatus: (original) => () => (somethingDeleted ? 200 : original()),
})
rule('help-array', 'CORE-HELP-01', 'the help text comes in lines', {
  helpBody: (original) => (help, openapi) => ({ ...original(help, openapi), help: help.split('\n') }),
})
rule('help-blank', 'CORE-HELP-07', 'the help text is a line of blanks', {
  helpText: () => () => ' \n',
})
rule('help-enveloped', ['CORE-HELP-01', 'CORE-HELP-02'], 'help and openapi stand in data', {
  helpBody: (original) => (help, openapi) => ({ data: original(help, openapi) }),
})
rule('help-absolute', 'CORE-HELP-03', 'the paths in the description begin with the mount', {
  helpPath: () => (relative, queried) => `/${queried}${relative}`,
})
rule('help-absolute-after-slash', 'CORE-HELP-03', 'the paths of a help answer are absolute where the path asked ends in a slash', {
  helpPath: (original) => (relative, queried) =>
    queried.endsWith('/') ? `/${queried.slice(0, -1)}${original(relative, queried)}` : original(relative, queried),
})

/** Keeps the description that was given first for a kind of paths. */
const keptBy = (kindOf: (path: string) => string): Parameters<typeof rule>[3] => ({
  helpBody: (original) => {
    const first = new Map<string, JsonObject>()
    return (help, openapi, { path }) => {
      const kind = kindOf(path)
      if (kind !== '' && !first.has(kind)) first.set(kind, openapi)
      return original(help, first.get(kind) ?? openapi)
    }
  },
})
rule(
  'help-of-first-path',
  'CORE-HELP-03',
  'the paths of a mount are described as the one that was asked for first',
  keptBy((path) => path.split('/')[0] ?? ''),
)
rule(
  'help-of-sibling',
  'CORE-HELP-10',
  'a path is described as the one beside it that was asked for first',
  keptBy((path) => path.replace(/\/*[^/]*\/*$/, '')),
)
rule('help-without-own-path', 'CORE-HELP-09', 'the description leaves out the path asked where there are paths below', {
  helpBody: (original) => (help, openapi) => {
    const paths = Object.entries((openapi.paths ?? {}) as JsonObject)
    return original(help, { ...openapi, paths: Object.fromEntries(paths.filter(([path]) => path !== '/' || paths.length === 1)) })
  },
})
rule('help-describes-nothing', 'CORE-HELP-09', 'below the top of a mount the description is empty', {
  helpBody:
    (original) =>
    (help, openapi, { path, mount }) =>
      original(help, `${path}/`.endsWith(mount ?? '') ? openapi : { ...openapi, paths: {} }),
})
rule('help-is-read', 'CORE-HELP-01', 'help at the path of an entry answers the entry', {
  asksForHelp:
    (original) =>
    (method, query, { operation }) =>
      original(method, query) && !/\.read[A-Z]/.test(operation ?? ''),
})
rule('help-needs-update', 'CORE-HELP-08', 'help of a path is refused to a caller who may read there, but not write', {
  helpAllowed: (original) => (granted) => original(granted) && granted.has('update'),
})
rule('help-one-path', 'CORE-HELP-04', 'the description names the first path alone', {
  helpBody: (original) => (help, openapi) =>
    original(help, { ...openapi, paths: Object.fromEntries(Object.entries(openapi.paths ?? {}).slice(0, 1)) }),
})
rule('help-for-all', 'CORE-HELP-05', 'help asks for no permission', { helpAllowed: () => () => true })
rule('help-in-spite-of-deny', 'CORE-CAP-23', 'help is given to a caller whom a policy denies the path', {
  helpAllowed: () => (granted) => granted.size > 0,
})

export const faults = declared
