/** Later faults: who may ask for what, with which carrier of the token, until when. */
import { coreEngine } from '../../core/core-engine.ts'
import { notFound } from '../../core/errors.ts'
import type { Token } from '../../core/tokens.ts'
import { type Asked, bearerIgnored, countsAs } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import { afterwards, isKv, isKv2, type Kv1Call, pathOf } from './anew-help.ts'
import { kv1Engine } from './kv1.ts'

const kv1 = faultsOf(kv1Engine, 'kv')

const core = faultsOf(coreEngine, 'kv')

const isBelow = (name: string, call: Asked): boolean =>
  isKv2(call) && (call?.path.slice(call.mount.path.length) ?? '').startsWith(`${name}/`)

core.rule(
  'later-create-overwrites-in-directories',
  ['CORE-CAP-07'],
  'v1: the existence check misses objects in directories, so that "create" without "update" overwrites them (000 1.6: create or update)',
  countsAs('create', (call) => isKv(call) && !isKv2(call) && (call?.params.path ?? '').includes('/'), 'update'),
)

core.rule(
  'later-listing-by-get-needs-read',
  ['KV-LIST-09'],
  'GET with list=true asks for "read": who may list but not read is refused, though LIST works (000 1.5: "either the verb LIST, or GET")',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed === 'list' && isKv(call) && call?.query.get('list') === 'true' ? 'read' : needed, call),
  },
)

core.rule(
  'later-bearer-not-for-listings',
  ['CORE-AUTH-07'],
  'a listing takes the token from X-Service-Token only; with a bearer it is refused (000 2.1: "Alternative token carrier")',
  bearerIgnored((request) => !isProvisioning(request) && (request.method === 'LIST' || request.query.get('list') === 'true')),
)

core.rule(
  'later-help-despite-deny',
  ['CORE-HELP-05'],
  '?help=1 is answered on a path that is denied (000 1.7: "if the caller has permission")',
  {
    helpAllowed: () => (granted) => granted.size > 0,
  },
)

core.rule(
  'later-sudo-stands-for-read',
  ['CORE-CAP-01'],
  'a policy with nothing but "sudo" on a key reads it (000 5.4: "Some operations require elevated (sudo) capability"; 000 7: 403)',
  countsAs('sudo', isKv, 'read'),
)

core.rule(
  'later-reader-destroys',
  ['CORE-CAP-04'],
  'v2: "read" on destroy/ is enough to destroy versions (000 1.6: create and update are capabilities of writes; 000 7: 403)',
  countsAs('read', (call) => isBelow('destroy', call), 'update'),
)

core.rule(
  'later-wrong-bearer-unauthorized',
  ['CORE-AUTH-03'],
  'an unknown token that comes as a bearer is refused with 401, one in X-Service-Token with 403 (000 7: 403 "wrong credentials")',
  {
    callerRefused: (original) => (given, token, request) => {
      const refused = original(given, token, request)
      const byBearer = given !== undefined && `${request.headers.authorization}`.endsWith(given)
      return refused !== undefined && byBearer && !isProvisioning(request) ? 401 : refused
    },
  },
)

const writers = remembered(() => new Map<string, Token>())

kv1.change(
  'later-object-ends-with-token',
  ['KV-V1-02'],
  'v1: an object is gone for all readers once the token that wrote it has expired (000 4.1: "JSON object body; stored")',
  {
    routes: {
      'kv1.write': afterwards((call: Kv1Call) => void (call.token && writers(call.state).set(pathOf(call), call.token))),
      'kv1.read': (original) => (call) => {
        const until = writers(call.state).get(pathOf(call))?.expiresAt
        if (until !== undefined && until <= call.now()) throw notFound()
        return original(call)
      },
    },
  },
)
