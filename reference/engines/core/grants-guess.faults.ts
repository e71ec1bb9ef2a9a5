/** Faults of who is let through, guessed from the documents. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Asked } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isEngineRoute, isProvisioning } from '../../mutations/request-kinds.ts'

const { rule } = faultsOf(coreEngine)
const pki = faultsOf(coreEngine, 'pki')

/** A request for an engine by a caller who is known; undefined for others. */
const byToken = (call: Asked) => (call?.token === undefined || isProvisioning(call) ? undefined : { ...call, token: call.token })

rule('guess-granted-for-whole-directory', ['CORE-CAP-14'], 'what a caller was granted on a path it may do on the paths beside it', {
  capabilityGranted: (original) => {
    const granted = new Set<string>()
    return (capabilities, needed, call) => {
      const asked = byToken(call)
      if (!asked) return original(capabilities, needed, call)
      const directory = asked.path.slice(0, asked.path.lastIndexOf('/') + 1)
      const decision = [asked.token.id, needed, asked.mount.namespace, directory].join(' ')
      if (original(capabilities, needed, call)) granted.add(decision)
      return granted.has(decision)
    }
  },
})

/** Mounts on which an operation that needs sudo was done. */
const unlocked = new WeakSet<object>()

pki.change(
  'guess-sudo-asked-until-first-use',
  ['PKI-DELETE-03', 'PKI-SELF-05'],
  'once somebody has used an endpoint that needs sudo, others may use it on that mount without',
  {
    rules: {
      finish: (original) => (call, route, reply) => {
        if (route.sudo === true && isEngineRoute(route)) unlocked.add(call.state as object)
        return original(call, route, reply)
      },
      capabilityGranted: (original) => (granted, needed, call) =>
        original(granted, needed, call) || (needed === 'sudo' && call !== undefined && unlocked.has(call.state as object)),
    },
  },
)

rule('guess-refusal-remembered', ['CORE-CAP-19'], 'a caller who was refused once at a path with a method is refused there for ever', {
  capabilityGranted: (original) => {
    const refused = new Set<string>()
    return (capabilities, needed, call) => {
      const asked = byToken(call)
      if (!asked) return original(capabilities, needed, call)
      const request = [asked.token.id, asked.method, asked.mount.namespace + asked.path].join(' ')
      if (!original(capabilities, needed, call)) refused.add(request)
      return !refused.has(request)
    }
  },
})

rule('guess-bearer-not-in-namespace', ['CORE-AUTH-07'], 'a bearer is not looked at in requests that carry the namespace header', {
  tokenOf: (original) => (request, spelling) => {
    const { headers } = request
    const overlooked = !headers[spelling.headers.token] && headers[spelling.headers.namespace] !== undefined && !isProvisioning(request)
    return overlooked ? undefined : original(request, spelling)
  },
})

rule('guess-help-in-spite-of-deny', ['CORE-HELP-05'], 'help is given to a caller whom a policy denies the path', {
  helpAllowed: () => (granted) => granted.size > 0,
})

rule('guess-unknown-token-lists', ['CORE-AUTH-03'], 'a token that nobody was given is not refused for the verb LIST', {
  callerRefused: (original) => (given, token, request) =>
    request.method === 'LIST' && given !== undefined && !isProvisioning(request) ? undefined : original(given, token, request),
})

rule('guess-token-cut-to-length', ['CORE-AUTH-03', 'CORE-AUTH-05'], 'what follows the 24 letters and digits of a token is not looked at', {
  tokenOf: (original) => (request, spelling) => {
    const given = original(request, spelling)
    return isProvisioning(request) ? given : (/^s\.\w{24}/.exec(given ?? '')?.[0] ?? given)
  },
})
