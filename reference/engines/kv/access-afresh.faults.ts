/** Blind faults of who may ask the key-value engine for what: carriers, verbs, capabilities, existence, the end of tokens. */
import { coreEngine } from '../../core/core-engine.ts'
import { parseExact } from '../../core/json.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { bearerIgnored, countsAs, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning, isRead } from '../../mutations/request-kinds.ts'
import { isFirst, isSecond, pathBelow } from './afresh-help.ts'
import { pathOf } from './anew-help.ts'
import type { Kv1State } from './kv1.ts'

const { rule } = faultsOf(coreEngine, 'kv')

const asksForList = (request: RequestFacts): boolean =>
  (request.method === 'LIST' || request.query.get('list') === 'true') && isRead(request)

rule(
  'afresh-bearer-not-for-listings',
  ['CORE-AUTH-07'],
  'a listing takes its token from the own header only (000 5.1: or in header Authorization as Bearer <token>)',
  bearerIgnored(asksForList),
)

rule(
  'afresh-create-overwrites',
  ['CORE-CAP-07'],
  'who may only create also overwrites keys of version 2 (000 1.6: lets access policies distinguish create and update)',
  countsAs('create', isSecond, 'update'),
)

rule(
  'afresh-nested-never-exists',
  ['CORE-CAP-07'],
  'the existence check overlooks keys in directories: update is asked as create (000 1.6: whether a write is a create or an update)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed === 'update' && isFirst(call) && pathBelow(call).includes('/') ? 'create' : needed, call),
  },
)

rule(
  'afresh-delete-by-lister',
  ['CORE-CAP-04'],
  'who may only list marks versions deleted (000 7: 403 forbidden)',
  countsAs('list', (call) => isSecond(call) && pathBelow(call).startsWith('delete/'), 'update'),
)

rule(
  'afresh-listing-without-token',
  ['CORE-AUTH-01'],
  'version 2 lists keys to callers without a token (000 5.1: required on almost every operation)',
  {
    needsToken: (original) => (route) => route?.id !== 'kv2.list' && original(route),
  },
)

rule(
  'afresh-ended-token-still-reads',
  ['CORE-AUTH-15'],
  'a token that has read while it was good goes on reading after it was revoked or has expired (000 7: 403 wrong credentials)',
  goodForEver(isRead),
)

rule(
  'afresh-wrong-bearer-401',
  ['CORE-AUTH-03'],
  'a wrong token that comes as a bearer is refused with 401 (000 7: 403 forbidden: wrong credentials)',
  {
    callerRefused: (original) => (given, token, request) => {
      const refused = original(given, token, request)
      return refused !== undefined && given !== undefined && request.headers.authorization && !isProvisioning(request) ? 401 : refused
    },
  },
)

rule(
  'afresh-get-listing-asks-read',
  ['CORE-CAP-11'],
  'a listing by GET with list=true asks for read, so that list alone does not do (000 1.5: either the verb LIST, or GET)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(
        granted,
        needed === 'list' && (isFirst(call) || isSecond(call)) && call.query.get('list') === 'true' ? 'read' : needed,
        call,
      ),
  },
)

rule(
  'afresh-refused-update-done',
  ['CORE-CAP-07'],
  'an update without that capability is refused after it was carried out (000 7: 403; readings: refused, and nothing changed)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const may = original(granted, needed, call)
      if (!may && needed === 'update' && isFirst(call)) (call.state as Kv1State).objects.set(pathOf(call), parseExact(call.text))
      return may
    },
  },
)
