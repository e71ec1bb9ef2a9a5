/** Faults of the conventions: time and order. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Token } from '../../core/tokens.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isEngineRoute, isProvisioning, isRead } from '../../mutations/request-kinds.ts'
import { asksForList, placeOf, placeOfCall, withKeys } from './onyx-help.ts'

const { rule } = faultsOf(coreEngine, 'core')

rule(
  'onyx-token-of-last-read',
  'CORE-AUTH-01',
  'a read without a token is answered as the caller who read the same path just before (000, 5.1: a client token is required on almost every operation)',
  {
    tokenOf: (original) => {
      const last = new Map<string, string>()
      return (request, spelling) => {
        const given = original(request, spelling)
        if (!isRead(request)) return given
        const place = placeOf(request)
        const kept = last.get(place)
        if (given === undefined) last.delete(place)
        else last.set(place, given)
        return given ?? kept
      }
    },
  },
)

rule(
  'onyx-expired-token-reads',
  'CORE-AUTH-16',
  'a token that was used while it was good goes on reading after its time has run out (000, 7: 403 wrong credentials; 5.1: a client token is required)',
  {
    callerRefused: (original) => {
      const seen = new Map<string, Token>()
      return (given, token, request) => {
        if (given !== undefined && token) seen.set(given, token)
        const end = given === undefined ? undefined : seen.get(given)?.expiresAt
        const isOver = token === undefined && end !== undefined && end <= Date.now() / 1000
        return isOver && isRead(request) ? undefined : original(given, token, request)
      }
    },
  },
)

rule(
  'onyx-refusal-remembered-for-path',
  'CORE-AUTH-05',
  'after a request with a wrong token the next one for the same path gets 403, whatever its token (000, 5.1: the client token is sent in its header; 7: 403 is for wrong credentials)',
  {
    callerRefused: (original) => {
      const refusedAt = new Set<string>()
      return (given, token, request) => {
        const status = original(given, token, request)
        if (isProvisioning(request)) return status
        const place = placeOf(request)
        if (status !== undefined && given !== undefined) refusedAt.add(place)
        return status ?? (refusedAt.delete(place) ? 403 : undefined)
      }
    },
  },
)

const shownNames = remembered(() => new Map<string, string[]>())

rule(
  'onyx-list-frozen-until-deletion',
  'CORE-LIST-01',
  'names that are made after a listing was first asked for never appear in it, until something in the mount is deleted (000, 1.5: returns the keys at the path)',
  {
    finish: (original) => (call, route, reply) => {
      const finished = original(call, route, reply)
      if (!isEngineRoute(route)) return finished
      const shown = shownNames(call.services)
      const mount = call.mount.namespace + call.mount.path
      if (call.method === 'DELETE') for (const place of [...shown.keys()].filter((key) => key.startsWith(mount))) shown.delete(place)
      if (call.method !== 'LIST') return finished
      return withKeys(finished, (keys) => {
        const before = shown.get(placeOfCall(call))
        if (before === undefined) shown.set(placeOfCall(call), keys)
        return before === undefined ? keys : keys.filter((key) => before.includes(key))
      })
    },
  },
)

let helpAsked = ''

rule(
  'onyx-second-help-empty',
  'CORE-HELP-04',
  'from the second time on, help for a path describes no paths any more (000, 1.7: `openapi` is a description of that path and the paths below it)',
  {
    helpText: (original) => (path, operations) => {
      helpAsked = path
      return original(path, operations)
    },
    helpBody: (original) => {
      const helped = new Set<string>()
      return (help, openapi) => {
        const again = helped.has(helpAsked)
        helped.add(helpAsked)
        return original(help, again ? ({ ...openapi, paths: {} } satisfies JsonObject) : openapi)
      }
    },
  },
)

let goneNow = new Set<string>()

rule(
  'onyx-deleted-410',
  'CORE-MOUNT-02',
  'reading an object that was deleted answers 410, where one that never was gets 404 (000, 7: 404 invalid path)',
  {
    finish: (original) => {
      const gone = new Set<string>()
      goneNow = gone
      return (call, route, reply) => {
        if (isEngineRoute(route) && call.method === 'DELETE') gone.add(placeOfCall(call))
        if (isEngineRoute(route) && call.method === 'POST') gone.delete(placeOfCall(call))
        return original(call, route, reply)
      }
    },
    failure: (original) => {
      const gone = goneNow
      return (status, body, request) => {
        const isGone = status === 404 && request.method === 'GET' && !asksForList(request) && gone.has(placeOf(request))
        return original(isGone ? 410 : status, body, request)
      }
    },
  },
)

const deletedOnce = remembered(() => new Set<string>())

rule(
  'onyx-recreated-201',
  'CORE-STATUS-03',
  'a write that makes an object anew after its deletion answers 201 (000, 7: success is 200 with data or 204 without)',
  {
    finish: (original) => (call, route, reply) => {
      const finished = original(call, route, reply)
      if (!isEngineRoute(route)) return finished
      const places = deletedOnce(call.services)
      if (call.method === 'DELETE') places.add(placeOfCall(call))
      return call.method === 'POST' && places.delete(placeOfCall(call)) ? { ...finished, status: 201 } : finished
    },
  },
)

/** Paths are never the same ones in two servers: mounts and entries have fresh names. */
const recorded = new Set<string>()

rule(
  'refused-body-counts-as-there',
  'CORE-CAP-19',
  'a path whose write was refused for its body takes update from then on, for it was recorded before the body was read (000, 1.6: an existence check decides whether a write is a create or an update)',
  {
    parseBody: (original) => (bytes, request) => {
      try {
        return original(bytes, request)
      } catch (cause) {
        recorded.add(placeOf(request))
        throw cause
      }
    },
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed === 'create' && call !== undefined && recorded.has(placeOfCall(call)) ? 'update' : needed, call),
  },
)
