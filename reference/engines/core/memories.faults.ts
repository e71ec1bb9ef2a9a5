/** Faults of a server that remembers too much: callers, decisions, namespaces and data of earlier requests. */

import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning, isRead } from '../../mutations/request-kinds.ts'

const { rule } = faultsOf(coreEngine)

const sessions = new Set<string>()
rule('time-session-outlives-token', ['CORE-AUTH-15', 'CORE-AUTH-16'], 'a token that was good once stays good', {
  callerRefused: (original) => (given, token, request) => {
    if (given !== undefined && token !== undefined) sessions.add(given)
    return given !== undefined && sessions.has(given) ? undefined : original(given, token, request)
  },
})
const decisions = new Map<string, boolean>()
rule('time-first-decision-stays', 'CORE-CAP-07', 'what a caller was granted or refused at first stays so', {
  capabilityGranted: (original) => (granted, needed, call) => {
    const decided = original(granted, needed, call)
    if (call?.token === undefined || isProvisioning(call)) return decided
    const key = `${call.token.id} ${call.method} ${call.mount.namespace}${call.path}`
    const first = decisions.get(key) ?? decided
    decisions.set(key, first)
    return first
  },
})
const kept = new Map<string, unknown>()
rule('time-remount-keeps-data', 'CORE-MOUNT-02', 'a mount finds what a removed one of the same path has left', {
  stateOf: (original) => (engine, others, place) => {
    const key = `${engine.type} ${place.namespace}${place.path}`
    const state = kept.get(key) ?? original(engine, others, place)
    kept.set(key, state)
    return state
  },
})
const latest = new Map<string, string>()
rule(
  'time-namespace-sticks',
  ['CORE-NS-05', 'CORE-NS-06', 'CORE-NS-07'],
  'a read that names no namespace is in the one of the read before',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      const caller = Object.entries(request.headers).find(([name]) => /^(x-.*-token|authorization)$/.test(name))?.[1]
      if (caller === undefined || !isRead(request)) return original(header, request, namespaces)
      if (header) latest.set(caller, header)
      return original(header ?? latest.get(caller), request, namespaces)
    },
  },
)
