/** Faults of who may ask: several policies of one caller, and callers alike. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'

const { rule } = faultsOf(coreEngine, 'core')

interface Server {
  policies: { granted(namespace: string, names: readonly string[], path: string, isList: boolean): ReadonlySet<string> }
}

/** Servers by what their engines get of them: known once a policy, token or mount was made. */
const servers = new WeakMap<object, Server>()

rule(
  'ruby-first-policy-only',
  ['CORE-CAP-03', 'CORE-CAP-06', 'CORE-CAP-11'],
  'of the policies of a token that has three or more, only the first that names a path counts there (000, 1.6: policies distinguish create and update; 5.4)',
  {
    check: (original) => (call, route) => {
      if (/^(sys|token|core)\./.test(route.id)) servers.set(call.services, call.state as unknown as Server)
      original(call, route)
    },
    capabilityGranted: (original) => (granted, needed, call) => {
      const server = call && !isProvisioning(call) ? servers.get(call.services) : undefined
      if (!call?.token || !server || call.token.policies.length < 3) return original(granted, needed, call)
      const { token, mount, path, method } = call
      const relative = mount.namespace.slice(token.namespace.length) + path
      const each = token.policies.map((name) => server.policies.granted(token.namespace, [name], relative, method === 'LIST'))
      return original(granted, needed, call) && (needed === 'sudo' || each.find((some) => some.size > 0)?.has(needed) === true)
    },
  },
)

rule(
  'ruby-sibling-ended',
  'CORE-AUTH-19',
  'once a token that ended was refused, those with the same policies and parent that were made before it are refused, too (000, 5.1: a token is sent and accepted)',
  {
    callerRefused: (original) => {
      const living = new Map<string, { kind: string; createdAt: number }>()
      const ended = new Map<string, number>()
      return (given, token, request) => {
        const known = given === undefined || token !== undefined ? undefined : living.get(given)
        if (given !== undefined && known !== undefined) {
          ended.set(known.kind, Math.max(ended.get(known.kind) ?? 0, known.createdAt))
          living.delete(given)
        }
        if (given !== undefined && token !== undefined && !token.policies.includes('root')) {
          const kind = JSON.stringify([token.parent, token.namespace, token.policies])
          living.set(given, { kind, createdAt: token.createdAt })
          if (token.createdAt <= (ended.get(kind) ?? 0)) return 403
        }
        return original(given, token, request)
      }
    },
  },
)
