/** Faults of who may ask: tokens and their carriers, capabilities, verbs, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { parseExact } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { kvRequests, pathOf } from './dusk-help.ts'
import type { Kv1State } from './kv1.ts'

const core = faultsOf(coreEngine, 'kv')
const requests = kvRequests()
const { locating } = requests

core.rule(
  'dusk-undelete-without-token',
  'CORE-CAP-14',
  'versions are restored for callers without a token (000 5.1: a client token is required; 5.3)',
  {
    needsToken: (original) => (route) => route?.id !== 'kv2.undeleteVersions' && original(route),
  },
)

core.change(
  'dusk-list-verb-without-bearer',
  'KV-LIST-05',
  'the verb LIST does not take the token as a bearer (000 5.1: or in Authorization as Bearer)',
  {
    rules: {
      ...locating,
      tokenOf: (original) => (request, spelling) =>
        requests.of(request) && request.method === 'LIST' && !request.headers[spelling.headers.token]
          ? undefined
          : original(request, spelling),
    },
  },
)

core.change(
  'dusk-ended-token-reads-on',
  'CORE-AUTH-15',
  'a token that has ended still reads the paths that it asked for before (000 7: 403 wrong credentials; 5.1)',
  {
    rules: {
      ...locating,
      callerRefused: (original) => {
        const seen = new Set<string>()
        return (given, token, request) => {
          const asked = `${given} ${requests.of(request)?.effective}`
          if (!requests.of(request) || request.method !== 'GET') return original(given, token, request)
          if (token) seen.add(asked)
          return seen.has(asked) ? undefined : original(given, token, request)
        }
      },
    },
  },
)

core.change(
  'dusk-deny-of-one-policy-outvoted',
  'CORE-CAP-01',
  'for reads deny does not count where the token has several policies (000 7: 403 no access)',
  {
    rules: {
      ...locating,
      capabilityGranted: (original) => (granted, needed, call) => {
        const several = (call?.token?.policies ?? []).filter((name) => name !== 'default').length > 1
        const outvoted = requests.of(call)?.type === 'kv1' && needed === 'read' && several && granted.has('deny')
        return outvoted || original(granted, needed, call)
      },
    },
  },
)

core.change(
  'dusk-put-counts-as-create',
  'CORE-CAP-07',
  'PUT on an existing v1 key passes with create alone (000 1.6: PUT and POST are synonyms; create and update)',
  {
    rules: {
      ...locating,
      capabilityGranted: (original) => (granted, needed, call) => {
        const request = requests.of(call)
        const asCreate = request?.type === 'kv1' && request.method === 'PUT' && needed === 'update'
        return original(granted, needed, call) || (asCreate && original(granted, 'create', call))
      },
    },
  },
)

core.change(
  'dusk-read-by-version-unchecked',
  'CORE-CAP-01',
  'a read of a version by number asks for no capability (000 7: 403 no access, 404 may not view)',
  {
    rules: {
      ...locating,
      capabilityGranted: (original) => (granted, needed, call) => {
        const byNumber = requests.of(call)?.type === 'kv2' && needed === 'read' && call?.query.has('version') === true
        return (byNumber && !granted.has('deny')) || original(granted, needed, call)
      },
    },
  },
)

core.change(
  'dusk-help-for-denied',
  'CORE-HELP-05',
  'deny counts as a right to see the help of a key path (000 1.7: if the caller has permission on the path)',
  {
    rules: {
      ...locating,
      helpAllowed: (original) => (granted) => original(granted) || (requests.latest() !== undefined && granted.size > 0),
    },
  },
)

// Set and asked for before the request waits, so that no other one comes between.
let ownPath = ''
core.change(
  'dusk-policy-without-namespace-header',
  'CORE-CAP-14',
  'policies look at the path without the namespace of the header (000 2.2: header and path are equivalent)',
  {
    rules: {
      ...locating,
      effectivePath: (original) => {
        const located = locating.effectivePath(original)
        return (header, request, namespaces) => {
          ownPath = request.path
          return located(header, request, namespaces)
        }
      },
      patternMatches: (original) => (pattern, path) => {
        const effective = requests.latest()?.effective
        const isLonger = effective !== undefined && effective.length > ownPath.length && path.startsWith(effective)
        return original(pattern, isLonger ? path.slice(effective.length - ownPath.length) : path)
      },
    },
  },
)

core.change(
  'dusk-sudo-counts-as-all',
  'CORE-CAP-01',
  'sudo on a key stands for reading and writing it (000 5.4: sudo is asked for besides; 7: 403 no access)',
  {
    rules: {
      ...locating,
      capabilityGranted: (original) => (granted, needed, call) =>
        original(granted, needed, call) || (requests.of(call) !== undefined && original(granted, 'sudo', call)),
    },
  },
)

core.change(
  'dusk-forbidden-update-stored',
  'CORE-CAP-04',
  'an update that is answered with 403 for want of update is stored all the same (000 7: 403 forbidden; 1.6)',
  {
    rules: {
      ...locating,
      capabilityGranted: (original) => (granted, needed, call) => {
        const allowed = original(granted, needed, call)
        if (call && !allowed && requests.of(call)?.type === 'kv1' && needed === 'update')
          (call.state as Kv1State).objects.set(pathOf(call), parseExact(call.text))
        return allowed
      },
    },
  },
)

const decided = remembered(() => new Set<string>())
core.change(
  'dusk-decision-kept-without-verb',
  'CORE-CAP-21',
  'whoever has read a path may write and delete there as well (000 1.6: policies distinguish; 7: 403)',
  {
    rules: {
      ...locating,
      capabilityGranted: (original) => (granted, needed, call) => {
        if (!call?.token || !requests.of(call)) return original(granted, needed, call)
        const known = decided(call.state as object)
        const asked = `${call.token.id} ${call.path}`
        const allowed = known.has(asked) || original(granted, needed, call)
        if (allowed && needed === 'read') known.add(asked)
        return allowed
      },
    },
  },
)
