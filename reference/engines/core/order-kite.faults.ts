/** Faults of the conventions that need an earlier request. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import { type AnyCall, asksForList, placeOf, placeOfCall } from './kite-help.ts'

const { rule } = faultsOf(coreEngine, 'core')

const isOwn = (call: AnyCall): boolean => /^(sys|auth)\//.test(call.path)

rule(
  'kite-expired-lists-on',
  'CORE-AUTH-16',
  'a token that has run out can still list if it has listed before (000, 5.1 and 7: a client token is required; 403 wrong credentials)',
  {
    callerRefused: (original) => {
      const ends = new Map<string, number>()
      return (given, token, request) => {
        if (given === undefined || !asksForList(request) || isProvisioning(request)) return original(given, token, request)
        if (token?.expiresAt !== undefined) ends.set(given, token.expiresAt)
        const end = ends.get(given)
        return !token && end !== undefined && end <= Date.now() / 1000 ? undefined : original(given, token, request)
      }
    },
  },
)

rule(
  'kite-refused-exists',
  'CORE-CAP-19',
  'after a creation was refused for want of the capability, the next write of the path counts as an update (000, 1.6: an existence check decides whether a write is a create or an update)',
  {
    capabilityGranted: (original) => {
      const tried = new Set<string>()
      return (granted, needed, call) => {
        if (!call || needed !== 'create') return original(granted, needed, call)
        const place = placeOfCall(call)
        if (tried.has(place)) return original(granted, 'update', call)
        const may = original(granted, needed, call)
        if (!may) tried.add(place)
        return may
      }
    },
  },
)

rule(
  'kite-after-bad-json',
  ['CORE-BODY-02', 'CORE-BODY-05'],
  'the first good write after a broken body on the same path is refused (000, 4.1: a JSON object body is stored; 7: 400 is for invalid data)',
  {
    parseBody: (original) => {
      const broken = new Set<string>()
      return (bytes, request) => {
        if (isProvisioning(request)) return original(bytes, request)
        const isAfter = broken.delete(placeOf(request))
        try {
          const parsed = original(bytes, request)
          if (!isAfter) return parsed
        } catch (cause) {
          broken.add(placeOf(request))
          throw cause
        }
        throw invalid('failed to parse JSON input')
      }
    },
  },
)

rule(
  'kite-gone-namespace',
  'CORE-NS-08',
  'a header that names a namespace which has been deleted is ignored, so that the request goes to the root (000, 2.2: the effective path is the header value followed by the path)',
  {
    effectivePath: (original) => {
      const known = new Set<string>()
      return (header, request, namespaces) => {
        for (const path of namespaces) known.add(path)
        const named = (header ?? '')
          .split('/')
          .filter((name) => name !== '')
          .join('/')
        const isGone = named !== '' && known.has(`${named}/`) && !namespaces.includes(`${named}/`)
        return original(isGone && !isProvisioning(request) ? undefined : header, request, namespaces)
      }
    },
  },
)

rule(
  'kite-refused-delete-sticks',
  'CORE-CAP-03',
  'a token that was refused a deletion is refused everything else on that path (000, 7: 403 forbidden is for what the caller has no access to)',
  {
    capabilityGranted: (original) => {
      const refused = new Set<string>()
      return (granted, needed, call) => {
        const may = original(granted, needed, call)
        if (!call?.token || isOwn(call)) return may
        const key = `${call.token.id} ${placeOfCall(call)}`
        if (!may && needed === 'delete') refused.add(key)
        return may && !refused.has(key)
      }
    },
  },
)
