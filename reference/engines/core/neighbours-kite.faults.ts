/** Faults of the conventions that reach a neighbour. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Route } from '../../core/engine.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import { type AnyCall, isEngineListing, noting, placeOf, placeOfCall, verbSent } from './kite-help.ts'

const { rule } = faultsOf(coreEngine, 'core')

const lastOf = (namespace: string): string => namespace.split('/').at(-2) ?? ''

rule(
  'kite-same-leaf',
  'CORE-NS-06',
  'mounts of one path and type in two namespaces that bear the same last name (a/x/ and b/x/) share what they store (000, 2.2: the effective path is the whole header followed by the path)',
  {
    stateOf: (original) => (engine, others, place) =>
      others.find(
        (other) =>
          other.path === place.path &&
          other.engine.type === engine.type &&
          other.namespace !== place.namespace &&
          lastOf(place.namespace) !== '' &&
          lastOf(other.namespace) === lastOf(place.namespace),
      )?.state ?? original(engine, others, place),
  },
)

rule(
  'kite-list-cache',
  'CORE-MOUNT-02',
  'GET with list=true on a second mount within a second gets the names that the same path of another mount had (000, 1.2 and 1.5: engines are mounted at paths; returns the keys at the path)',
  {
    effectivePath: noting,
    finish: (original) => {
      const latest = new Map<string, { at: number; mount: string; reply: Reply }>()
      return (call, route, reply) => {
        const given = original(call, route, reply)
        if (!isEngineListing(call, route) || verbSent(call) !== 'GET') return given
        const key = `${call.mount.namespace}|${route.id}|${call.path.slice(call.mount.path.length)}`
        const known = latest.get(key)
        if (known && known.mount !== call.mount.path && call.now() - known.at < 1) return known.reply
        latest.set(key, { at: call.now(), mount: call.mount.path, reply: given })
        return given
      }
    },
  },
)

rule(
  'kite-list-decision',
  'CORE-CAP-17',
  'that a caller may list a path is remembered for five seconds by the path alone, so that another token without the capability lists it, too (000, 7: 403 forbidden, no access)',
  {
    capabilityGranted: (original) => {
      const good = new Map<string, number>()
      return (granted, needed, call) => {
        const may = original(granted, needed, call)
        if (!call || needed !== 'list' || /^(sys|auth)\//.test(call.path)) return may
        const place = placeOfCall(call)
        if (may) good.set(place, call.now())
        return may || (!granted.has('deny') && call.now() - (good.get(place) ?? 0) < 5)
      }
    },
  },
)

rule(
  'kite-grandchild-mounts',
  'CORE-NS-07',
  'in a namespace of the second level and below, a path without a mount reaches the mount of that name in the parent namespace (000, 2.2: the effective path has the whole prefix; 7: 404 invalid path)',
  {
    mountsSeen: (original) => (all, namespace) => {
      const own = original(all, namespace)
      const names = namespace.split('/').slice(0, -1)
      if (names.length < 2) return own
      const parent = original(all, `${names.slice(0, -1).join('/')}/`)
      return [...own, ...parent.filter(({ path }) => !own.some((mount) => mount.path === path))]
    },
  },
)

const writers = new Map([
  ['ssh.writeRole', 'ssh.deleteRole'],
  ['database.writeRole', 'database.deleteRole'],
  ['kv1.write', 'kv1.delete'],
])

rule(
  'kite-delete-namesake',
  'CORE-MOUNT-02',
  'within a namespace, a deletion takes along the object of the same name in the mount of the same type that was written to before (000, 1.2: engines are mounted at paths of their own)',
  {
    finish: (original) => {
      const written = new Map<string, Set<unknown>>()
      return (call, route, reply) => {
        const deleting = writers.get(route.id)
        const key = (id: string): string => `${call.mount.namespace}|${id}`
        if (call.mount.namespace === '') return original(call, route, reply)
        if (deleting !== undefined) written.set(key(deleting), (written.get(key(deleting)) ?? new Set()).add(call.state))
        if (call.method === 'DELETE')
          for (const state of written.get(key(route.id)) ?? [])
            if (state !== call.state) {
              const { handle } = route as unknown as Route<unknown, object>
              try {
                void handle({ ...call, state } as AnyCall)
              } catch {
                // It is not there.
              }
            }
        return original(call, route, reply)
      }
    },
  },
)

rule(
  'kite-anonymous-list',
  'CORE-AUTH-01',
  'the verb LIST without a token is answered as for the caller who listed that path last (000, 5.1: a client token is required on almost every operation)',
  {
    tokenOf: (original) => {
      const lister = new Map<string, string>()
      return (request, spelling) => {
        const given = original(request, spelling)
        if (request.method !== 'LIST' || isProvisioning(request)) return given
        if (given !== undefined) lister.set(placeOf(request), given)
        return given ?? lister.get(placeOf(request))
      }
    },
  },
)
