/** What the faults of these files share. */
import type { Call } from '../../core/engine.ts'
import type { Lease } from '../../core/leases.ts'
import type { Mutation } from '../../core/mutation.ts'
import type { Reply } from '../../core/reply.ts'
import type { CoreRules } from '../../core/rules.ts'
import type { Asked } from '../../mutations/callers.ts'
import type { DatabaseRules } from './rules.ts'
import type { Connection, DatabaseState, Role, StaticRole } from './state.ts'

export type DatabaseCall = Call<DatabaseState, DatabaseRules>

/** The name in the path of a request. */
export const nameOf = ({ params }: DatabaseCall): string => params.name ?? ''

export const connectionIn = (call: DatabaseCall): Connection | undefined => call.state.connections.get(nameOf(call))

export const roleIn = (call: DatabaseCall): Role | undefined => call.state.roles.get(nameOf(call))

export const staticRoleIn = (call: DatabaseCall): StaticRole | undefined => call.state.staticRoles.get(nameOf(call))

/** The same request about another name. */
export const about = (call: DatabaseCall, name: string): DatabaseCall => ({ ...call, params: { ...call.params, name } })

/** The same request, decided otherwise. */
export const deciding = (call: DatabaseCall, rules: Partial<DatabaseRules>): DatabaseCall => ({
  ...call,
  rules: { ...call.rules, ...rules },
})

/** The lease that an answer tells of. */
export const leaseIn = (call: DatabaseCall, { body }: Reply): Lease | undefined =>
  call.services.leases.find(String((body as { lease_id?: string } | undefined)?.lease_id))

/** Whether a call, seen by the conventions, is one to this engine. */
export const isDatabase = (call: Asked): call is NonNullable<Asked> => call !== undefined && 'rotatesInDatabase' in call.rules

const requests = new WeakSet<object>()
const verbs = new WeakMap<object, string>()
let latest: object | undefined

/** Overrides of core rules that notice requests to this engine and their verbs, by their headers, which stay the same object. */
export const noticing = {
  effectivePath: (original) => (header, request, namespaces) => {
    latest = request.headers
    verbs.set(request.headers, request.method)
    return original(header, request, namespaces)
  },
  pathBelow: (original) => (mount, path, type) => {
    if (type === 'database' && latest !== undefined) requests.add(latest)
    return original(mount, path, type)
  },
} satisfies Mutation<CoreRules, unknown>['rules']

/** Whether a request goes to this engine; needs `noticing`. */
export const toDatabase = ({ headers }: { headers: object }): boolean => requests.has(headers)

/** The verb as it was sent; needs `noticing`. */
export const verbOf = ({ headers }: { headers: object }): string | undefined => verbs.get(headers)

/** Whether the request located last goes to this engine; holds until that request waits for the first time. */
export const here = (): boolean => latest !== undefined && requests.has(latest)
