/** What faults of several classes share: calls with other rules, leases of replies, where a request goes. */
import type { Call } from '../../core/engine.ts'
import type { Lease } from '../../core/leases.ts'
import type { Mutation } from '../../core/mutation.ts'
import type { Reply } from '../../core/reply.ts'
import type { CoreRules, RequestFacts } from '../../core/rules.ts'
import type { Asked } from '../../mutations/callers.ts'
import type { DatabaseRules } from './rules.ts'
import type { DatabaseState } from './state.ts'

export type DatabaseCall = Call<DatabaseState, DatabaseRules>
export type Handler = (call: DatabaseCall) => Reply | Promise<Reply>

export const nameOf = (call: DatabaseCall): string => call.params.name ?? ''

/** The call with some rules of its own. */
export const withRules = (call: DatabaseCall, rules: Partial<DatabaseRules>): DatabaseCall => ({
  ...call,
  rules: { ...call.rules, ...rules },
})

/** Does something after a handler succeeded. */
export const afterwards =
  (act: (call: DatabaseCall, reply: Reply) => void | Promise<void>) =>
  (original: Handler): Handler =>
  async (call) => {
    const reply = await original(call)
    await act(call, reply)
    return reply
  }

/** The lease that a reply shows. */
export const leaseOf = (call: DatabaseCall, reply: Reply): Lease | undefined =>
  call.services.leases.find(String((reply.body as { lease_id?: unknown } | undefined)?.lease_id))

/** Where the request that was located last goes, if it goes to a database mount. Holds until that request waits. */
export const located = () => {
  let type: string | undefined
  let place: { header: string | undefined; request: RequestFacts; mount: string; path: string } | undefined
  return {
    place: () => (type === 'database' ? place : undefined),
    locating: {
      effectivePath: (original) => (header, request, namespaces) => {
        type = undefined
        place = { header, request, mount: '', path: '' }
        return original(header, request, namespaces)
      },
      pathBelow: (original) => (mount, path, at) => {
        type = at
        if (place) Object.assign(place, { mount, path })
        return original(mount, path, at)
      },
    } satisfies Mutation<CoreRules, unknown>['rules'],
  }
}

/** The state of a call to a database mount; undefined for others. */
export const databaseOf = (call: Asked): DatabaseState | undefined => {
  const state = call?.state
  return typeof state === 'object' && state !== null && 'staticRoles' in state ? (state as DatabaseState) : undefined
}

/** Whether a call goes to one of the paths of a database mount, such as `config`. */
export const isAt = (call: Asked, segment: string): boolean =>
  call !== undefined && databaseOf(call) !== undefined && call.path.slice(call.mount.path.length).split('/')[0] === segment

/** Remembers the verb of each request as it was sent. */
export const sentVerbs = () => {
  const verbs = new WeakMap<object, string>()
  return {
    verbOf: (call: { headers: Record<string, string> } | undefined): string | undefined => call && verbs.get(call.headers),
    noting: {
      tokenOf: (original) => (request, spelling) => {
        verbs.set(request.headers, request.method)
        return original(request, spelling)
      },
    } satisfies Mutation<CoreRules, unknown>['rules'],
  }
}
