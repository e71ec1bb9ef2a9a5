/** Faults in who may do what: with which capability, verb and carrier, with a token that ended, and whose keys are shown. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Capability } from '../../core/policy-syntax.ts'
import type { CoreRules } from '../../core/rules.ts'
import { type Asked, anyoneMay, bearerIgnored, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import type { Kv1State } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const v2 = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

type Here = NonNullable<Asked>

const isV1 = (call: Asked): call is Here => call !== undefined && 'checkObject' in call.rules

const isV2 = (call: Asked): call is Here => call !== undefined && 'checkData' in call.rules

const pathOf = (call: Here): string => call.params.path ?? ''

/** Whether a key of version 1 is there already. */
const isStored = (call: Here): boolean => (call.state as Kv1State).objects.has(pathOf(call))

/** Other capabilities for a request whose verb matters; all that a call shares with its request are the headers. */
const byVerb = (
  needs: (call: Asked, verb: string, needed: Capability) => Capability[],
): {
  callerRefused: (original: CoreRules['callerRefused']) => CoreRules['callerRefused']
  capabilityGranted: (original: CoreRules['capabilityGranted']) => CoreRules['capabilityGranted']
} => {
  const verbs = new WeakMap<object, string>()
  return {
    callerRefused: (original) => (given, token, request) => {
      verbs.set(request.headers, request.method)
      return original(given, token, request)
    },
    capabilityGranted: (original) => (granted, needed, call) =>
      needs(call, (call && verbs.get(call.headers)) ?? '', needed).every((capability) => original(granted, capability, call)),
  }
}

core.rule(
  'keen-put-is-create',
  ['CORE-CAP-07'],
  'the existence check is not made for PUT: whoever may create overwrites v1 keys with it (000 1.6)',
  byVerb((call, verb, needed) => [isV1(call) && verb === 'PUT' && needed === 'update' ? 'create' : needed]),
)

core.rule(
  'keen-put-needs-create',
  ['CORE-WRITE-01'],
  'whoever may update a v2 key with POST may do so with PUT only if creating is allowed, too (000 1.6: PUT and POST are synonyms)',
  byVerb((call, verb, needed) => (isV2(call) && verb === 'PUT' && needed === 'update' ? ['update', 'create'] : [needed])),
)

core.rule(
  'keen-get-list-needs-read',
  ['CORE-CAP-11'],
  'listing keys with GET and list=true asks for read besides list, unlike LIST (000 1.5: either the verb LIST, or GET)',
  byVerb((call, verb, needed) => ((isV1(call) || isV2(call)) && verb === 'GET' && needed === 'list' ? ['list', 'read'] : [needed])),
)

core.rule(
  'keen-data-write-without-bearer',
  ['CORE-AUTH-07'],
  'a v2 write takes the token from the own header only (000 5.1: or in header Authorization as Bearer <token>)',
  bearerIgnored(({ method, path }) => /^(POST|PUT)$/.test(method) && /\/data\//.test(path) && !/^(sys|auth)\//.test(path)),
)

core.rule(
  'keen-ended-token-lists',
  ['CORE-AUTH-15'],
  'a token that listed v2 keys once goes on listing them after its end (000 7, 403 wrong credentials)',
  goodForEver(
    ({ method, path, query }) =>
      /\/metadata(\/|$)/.test(path) && !/^(sys|auth)\//.test(path) && (method === 'LIST' || query.get('list') === 'true'),
  ),
)

core.rule(
  'keen-numbered-version-for-all',
  ['CORE-CAP-01'],
  'reading a v2 version by its number asks for no capability (000 7, 403 no access; 404 the caller may not view a path)',
  anyoneMay((call) => isV2(call) && call.method === 'GET' && call.query.has('version')),
)

core.rule(
  'keen-undelete-without-token',
  ['CORE-AUTH-01', 'CORE-AUTH-03'],
  'undelete asks for no token (000 5.1: a client token is required on almost every operation)',
  {
    needsToken: (original) => (route) => route?.id !== 'kv2.undeleteVersions' && original(route),
  },
)

v2.rule(
  'keen-second-write-is-create',
  ['CORE-CAP-07', 'CORE-CAP-10'],
  'the second write of a v2 key still counts as a create (000 1.6: create or update)',
  {
    exists: (original) => (record) => original(record) && (record?.current ?? 0) > 1,
  },
)

const byRoot = remembered(() => new Set<string>())
v2.change(
  'keen-root-keys-unlisted',
  ['CORE-CAP-11'],
  'keys that a root token wrote are missing in the v2 listings of others (000 1.5: the keys at the path)',
  {
    routes: {
      'kv2.write': (original) => async (call) => {
        const reply = await original(call)
        const isRoot = call.token?.policies.includes('root') ?? false
        byRoot(call.state)[isRoot ? 'add' : 'delete'](call.params.path ?? '')
        return reply
      },
      'kv2.list': (original) => (call) => {
        if (call.token?.policies.includes('root')) return original(call)
        const shown = [...call.state.keys].filter(([key]) => !byRoot(call.state).has(key))
        return original({ ...call, state: { ...call.state, keys: new Map(shown) } })
      },
    },
  },
)

const readBefore = remembered(() => new Set<string>())
core.rule(
  'keen-read-from-cache-for-all',
  ['CORE-CAP-01'],
  'a v1 key that an allowed caller has read is shown to callers who may not (000 7, 403 or 404)',
  {
    finish: (original) => (call, route, reply) => {
      if (route.id === 'kv1.read' && !call.token?.policies.includes('root')) readBefore(call.state as object).add(pathOf(call))
      return original(call, route, reply)
    },
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed, call) || (needed === 'read' && isV1(call) && readBefore(call.state as object).has(pathOf(call))),
  },
)

const refusedLate = new WeakSet<Here>()
core.rule(
  'keen-refused-overwrite-stored',
  ['CORE-CAP-07'],
  'overwriting a v1 key without update is refused, but the object is stored (000 7, 403 forbidden)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      if (original(granted, needed, call)) return true
      if (!isV1(call) || call.method !== 'POST' || needed !== 'update' || !isStored(call)) return false
      refusedLate.add(call)
      return true
    },
    finish: (original) => (call, route, reply) =>
      refusedLate.has(call) ? { status: 403, body: { errors: ['permission denied'] } } : original(call, route, reply),
  },
)
