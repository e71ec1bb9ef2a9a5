/** Faults of where a request leads and what a caller may do there, as neighbours and later requests show them. */

import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isEngineRoute, isProvisioning } from '../../mutations/request-kinds.ts'

const { rule } = faultsOf(coreEngine)

rule('neighbour-parent-mounts', 'CORE-NS-06', 'a namespace sees mounts of the root where it has none of that path', {
  mountsSeen: (original) => (all, namespace) => {
    const own = original(all, namespace)
    return [...own, ...all.filter((mount) => mount.namespace === '' && !own.some(({ path }) => path === mount.path))]
  },
})
const granted = new Set<string>()
rule('neighbour-decision-shared', 'CORE-CAP-01', 'what one caller was granted on a path, every caller is', {
  capabilityGranted: (original) => (capabilities, needed, call) => {
    const isGranted = original(capabilities, needed, call)
    if (call === undefined || isProvisioning(call)) return isGranted
    const decision = `${needed} ${call.mount.namespace}${call.path}`
    if (isGranted) granted.add(decision)
    return granted.has(decision)
  },
})
rule('neighbour-state-by-path', 'CORE-NS-05', 'mounts of the same path in two namespaces share their data', {
  stateOf: (original) => (engine, others, place) =>
    others.find((mount) => mount.engine.type === engine.type && mount.path === place.path)?.state ?? original(engine, others, place),
})
rule('neighbour-pattern-begins', 'CORE-CAP-14', 'a rule for one path covers the paths that begin with it', {
  patternMatches: (original) => (pattern, path) => original(pattern, path) || (!isProvisioning({ path }) && original(`${pattern}*`, path)),
})
rule('boundary-namespace-two-levels', 'CORE-NS-07', 'the namespace header counts for two levels', {
  effectivePath: (original) => (header, request, namespaces) =>
    original(
      header
        ?.split('/')
        .filter((segment) => segment !== '')
        .slice(0, 2)
        .join('/'),
      request,
      namespaces,
    ),
})
let somethingDeleted = false
rule('time-emptied-directory', 'KV-LIST-05', 'once something was deleted, empty directories list as 200', {
  finish: (original) => (call, route, reply) => {
    somethingDeleted ||= route.method === 'DELETE' && isEngineRoute(route)
    return original(call, route, reply)
  },
  emptyListStatus: (original) => () => (somethingDeleted ? 200 : original()),
})
const refusedOnce = new Set<string>()
rule('time-second-refusal', 'CORE-AUTH-03', 'a wrong token is answered with 400 from its second use on', {
  callerRefused: (original) => (given, token, request) => {
    const refused = original(given, token, request)
    if (refused === undefined || given === undefined) return refused
    const isAgain = refusedOnce.has(given)
    refusedOnce.add(given)
    return isAgain ? 400 : refused
  },
})
rule('identity-bearer-list-verb', 'CORE-AUTH-07', 'the verb LIST does not know bearer tokens', {
  tokenOf: (original) => (request, spelling) =>
    original(request.method === 'LIST' ? { ...request, headers: { ...request.headers, authorization: '' } } : request, spelling),
})
rule('identity-get-list-needs-read', 'CORE-CAP-11', 'listing by GET asks for read instead of list', {
  capabilityGranted: (original) => (capabilities, needed, call) =>
    original(capabilities, needed === 'list' && call?.query.get('list') === 'true' ? 'read' : needed, call),
})
rule('shape-namespace-split', 'CORE-NS-02', 'a namespace in the path is not seen where the header names one', {
  namespaceOf: (original) => (effectivePath, namespaces, header) => {
    const named = (header ?? '').split('/').filter((segment) => segment !== '')
    const own = named.length ? `${named.join('/')}/` : ''
    return own !== '' && namespaces.includes(own) ? own : original(effectivePath, namespaces, header)
  },
})
