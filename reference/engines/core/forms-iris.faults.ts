/** Faults of the core conventions where the same thing has another form: spaces, null, listings in both forms, types, unicode. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import { type Json, plain } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isEngineRoute, isProvisioning, withBody } from '../../mutations/request-kinds.ts'
import { kv1Engine } from '../kv/kv1.ts'
import { kv2Engine } from '../kv/kv2.ts'
import { deep, isMap, lists } from './iris-help.ts'

const core = faultsOf(coreEngine, 'core')
const kv1 = faultsOf(kv1Engine, 'core')
const kv2 = faultsOf(kv2Engine, 'core')

core.rule(
  'iris-newline-after-body',
  'CORE-BODY-10',
  'a body whose object is followed by white space is refused (000, 2.1: bodies are JSON, which white space may end)',
  {
    parseBody: (original) => (bytes, request) => {
      if (bytes.length > 0 && bytes.at(-1) !== 0x7d && !isProvisioning(request)) throw invalid('the body must be a JSON object')
      return original(bytes, request)
    },
  },
)

core.rule(
  'iris-405-errors-are-objects',
  'CORE-ERROR-01',
  'the errors of a 405 are objects with a message (000, 2.4: `errors` is an array of strings)',
  {
    failure: (original) => (status, body, request) => {
      const given = original(status, body, request)
      if (status !== 405) return given
      return withBody(given, ({ errors }) => ({ errors: Array.isArray(errors) ? errors.map((message) => ({ message })) : [] }))
    },
  },
)

core.rule(
  'iris-refused-listing-as-text',
  'CORE-MEDIA-01',
  'refusals of listings are sent with the content type `text/plain` (000, 2.1: response bodies are JSON, and the service sets `Content-Type`)',
  {
    failure: (original) => (status, body, request) => {
      const given = original(status, body, request)
      return lists(request) && !isProvisioning(request) ? { ...given, headers: { ...given.headers, 'content-type': 'text/plain' } } : given
    },
  },
)

core.rule(
  'iris-get-form-of-empty-listing',
  'CORE-LIST-03',
  'an empty listing asked by `GET` with `list=true` answers 200 and `keys` null (000, 1.5: an empty listing returns 404, in both forms)',
  {
    failure: (original) => (status, body, request) => {
      const isEmpty = status === 404 && isMap(body) && Array.isArray(body.errors) && body.errors.length === 0
      if (!isEmpty || request.method !== 'GET' || !lists(request)) return original(status, body, request)
      return { status: 200, body: { lease_id: '', renewable: false, lease_duration: 0, data: { keys: null }, warnings: null } }
    },
  },
)

kv1.rule(
  'iris-plus-in-keys-is-blank',
  'KV-LIST-01',
  'a plus sign in the path of a key is taken for a blank, so that `a+b` is stored and listed as `a b` (000, 1.4 and 1.5: the path names the key)',
  {
    keyOf: (original) => (path) => original(path).replaceAll('+', ' '),
  },
)

kv2.rule(
  'iris-high-characters-lost',
  'KV-V2-03',
  'characters beyond the basic plane, such as emoji, are stored as question marks (000, 4.1: the `data` that is written is stored)',
  {
    replaced: (original) => (previous, written) =>
      deep(original(previous, written), (part) => (typeof part === 'string' ? part.replace(/[\u{10000}-\u{10FFFF}]/gu, '?') : part)),
  },
)

kv1.rule(
  'iris-numbers-in-lists-rounded',
  'KV-V1-15',
  'whole numbers in lists go through doubles, those beyond 2^53 come back changed (000, 4.1: the JSON object body is stored)',
  {
    replaced: (original) => (previous, written) => deep(original(previous, written), (part) => (Array.isArray(part) ? plain(part) : part)),
  },
)

const withoutNulls = (part: Json): Json =>
  isMap(part) ? Object.fromEntries(Object.entries(part).filter(([, member]) => member !== null)) : part

kv2.rule(
  'iris-inner-nulls-dropped',
  'KV-V2-09',
  'members that are null are not stored in objects within the written one (000, 4.1: the `data` that is written is stored)',
  {
    replaced: (original) => (previous, written) => {
      const kept = original(previous, written)
      if (!isMap(kept)) return kept
      return Object.fromEntries(Object.entries(kept).map(([name, member]) => [name, deep(member, withoutNulls)]))
    },
  },
)

core.rule(
  'iris-listing-with-duration',
  'CORE-ENV-11',
  'listings show the default lease time of the mount as `lease_duration` (000, 2.3: 0 when no lease)',
  {
    finish: (original) => (call, route, reply) => {
      const given = original(call, route, reply)
      if (call.method !== 'LIST' || !isEngineRoute(route)) return given
      return withBody(given, (body) => ('lease_duration' in body ? { ...body, lease_duration: call.mount.defaultLeaseTtl } : body))
    },
  },
)
