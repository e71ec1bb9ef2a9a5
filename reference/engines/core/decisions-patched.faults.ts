/** Decisions about callers: kept for too long, or left out for one verb. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'

const { rule } = faultsOf(coreEngine)
const ofPki = faultsOf(coreEngine, 'pki')

rule(
  'patched-create-kept',
  ['CORE-CAP-07'],
  'whoever created an object may write to it again, for the decision is kept by token, path and verb',
  {
    capabilityGranted: (original) => {
      const allowed = new Set<string>()
      return (granted, needed, call) => {
        if (!call || needed === 'sudo' || call.method !== 'POST' || isProvisioning(call)) return original(granted, needed, call)
        const key = `${call.token?.id} ${call.mount.namespace}${call.path}`
        if (original(granted, needed, call)) allowed.add(key)
        return allowed.has(key)
      }
    },
  },
)

/** By the headers of a request, which its call keeps. */
const verbs = new WeakMap<object, string>()

ofPki.rule('patched-put-without-sudo', ['PKI-SELF-05'], 'what needs sudo with POST does not need it with PUT', {
  callerRefused: (original) => (given, token, request) => {
    verbs.set(request.headers, request.method)
    return original(given, token, request)
  },
  capabilityGranted: (original) => (granted, needed, call) =>
    (needed === 'sudo' && call !== undefined && verbs.get(call.headers) === 'PUT' && !granted.has('deny')) ||
    original(granted, needed, call),
})
