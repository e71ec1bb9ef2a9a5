/** Faults of the conventions: effects on a neighbour. */

import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isEngineRoute, isProvisioning } from '../../mutations/request-kinds.ts'
import { carriedToken, placeOf } from './lark-help.ts'

const { rule, route, change } = faultsOf(coreEngine, 'core')

rule(
  'lark-mount-dash',
  'CORE-STATUS-06',
  'what is asked of mount `x-2/` goes to `2/` in mount `x/` where that exists (000, Conventions: engines can be mounted at any path)',
  {
    mountOf: (original) => (path, mounts) => mounts.find((mount) => path.startsWith(`${mount.slice(0, -1)}-`)) ?? original(path, mounts),
  },
)

const allowedNames = remembered(() => new Set<string>())
rule(
  'lark-decision-by-display-name',
  'CORE-CAP-01',
  'what one token was allowed is allowed to every token of the same display name (000, 7: 403 forbidden, no access)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const good = original(granted, needed, call)
      if (!call?.token) return good
      const allowed = allowedNames(call.services)
      const key = [call.token.displayName, call.method, needed, placeOf(call)].join(' ')
      if (good) allowed.add(key)
      return good || allowed.has(key)
    },
  },
)

const listings = remembered(() => new Map<string, { namespace: string; at: number; given: Reply }>())
rule(
  'lark-listing-of-other-namespace',
  'CORE-NS-07',
  'a listing gives what the same path gave in another namespace within the same second (000, 1.5: a listing returns the keys at the path)',
  {
    finish: (original) => (call, facts, given) => {
      const finished = original(call, facts, given)
      if (call.method !== 'LIST' || !isEngineRoute(facts)) return finished
      const known = listings(call.services)
      const before = known.get(call.path)
      const { namespace } = call.mount
      if (before && before.namespace !== namespace && call.now() - before.at < 1) return before.given
      known.set(call.path, { namespace, at: call.now(), given: finished })
      return finished
    },
  },
)

route(
  'lark-unmount-prefix',
  'CORE-MOUNT-01',
  'removing mount `x` removes the mounts whose names begin with `x` as well (000, 1.4: a secret is read with GET where it was written)',
  'sys.deleteMount',
  (original) => async (call) => {
    const name = (call.params.path ?? '').replace(/\/+$/, '')
    const { namespace } = call.mount
    const reply = await original(call)
    for (const mount of call.state.mounts.of(namespace))
      if (name !== '' && mount.path.startsWith(name)) await call.state.mounts.remove(namespace, mount.path)
    return reply
  },
)

const issued = remembered(() => new Set<string>())
const endOfPolicies: Parameters<typeof route>[4] = (original) => async (call) => {
  const { tokens } = call.state
  const { token, accessor } = call.body
  const ended = typeof token === 'string' ? tokens.find(token) : typeof accessor === 'string' ? tokens.findByAccessor(accessor) : call.token
  const reply = await original(call)
  const policies = ended?.policies.join()
  if (policies === undefined || policies === 'root' || policies === 'default') return reply
  for (const id of issued(call.state)) if (tokens.find(id)?.policies.join() === policies) await tokens.revoke(id)
  return reply
}
change(
  'lark-revoked-with-its-like',
  'CORE-AUTH-19',
  'revoking a token ends the other tokens that have the same policies (000, 5.1: a client token is sent on each operation, and good ones are accepted)',
  {
    routes: {
      'token.create': (original) => async (call) => {
        const reply = await original(call)
        const { client_token } = ((reply.body as JsonObject | undefined)?.auth ?? {}) as JsonObject
        issued(call.state).add(String(client_token))
        return reply
      },
      'token.revoke': endOfPolicies,
      'token.revokeAccessor': endOfPolicies,
      'token.revokeSelf': endOfPolicies,
    },
  },
)

const writtenIn = remembered(() => new Map<string, Set<string>>())
rule(
  'lark-exists-in-other-mount',
  'CORE-CAP-19',
  'a write counts as an update where an object of that path was written in another mount (000, 1.6: the existence check tells create from update)',
  {
    finish: (original) => (call, facts, reply) => {
      const mount = call.mount.namespace + call.mount.path
      if (call.mount.path !== '' && /^(POST|DELETE)$/.test(call.method)) {
        const known = writtenIn(call.services)
        const below = call.path.slice(call.mount.path.length)
        const mounts = known.get(below) ?? new Set<string>()
        if (call.method === 'POST') known.set(below, mounts.add(mount))
        else mounts.delete(mount)
      }
      return original(call, facts, reply)
    },
    capabilityGranted: (original) => (granted, needed, call) => {
      if (needed !== 'create' || !call || call.mount.path === '') return original(granted, needed, call)
      const mounts = writtenIn(call.services).get(call.path.slice(call.mount.path.length))
      return original(granted, mounts && mounts.size > 0 ? 'update' : needed, call)
    },
  },
)

const headerBefore = new Map<string, string | undefined>()
rule(
  'lark-namespace-of-previous',
  'CORE-NS-09',
  'a LIST without namespace header uses that of the request before with the same token (000, 2.2: no header means the path as it is)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      const token = carriedToken(request) ?? ''
      const before = headerBefore.get(token)
      headerBefore.set(token, header)
      return original(header ?? (request.method === 'LIST' && !isProvisioning(request) ? before : undefined), request, namespaces)
    },
  },
)
