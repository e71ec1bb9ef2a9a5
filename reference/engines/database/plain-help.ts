/** What these faults share: the call of this engine, and how the rules of all requests are kept to its mounts. */
import type { Call } from '../../core/engine.ts'
import type { Lease } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import type { CoreRules, RequestFacts } from '../../core/rules.ts'
import type { Asked } from '../../mutations/callers.ts'
import type { DatabaseRules } from './rules.ts'
import type { DatabaseState } from './state.ts'

export type DatabaseCall = Call<DatabaseState, DatabaseRules>

export const nameOf = (call: DatabaseCall): string => call.params.name ?? ''

export const withState = (call: DatabaseCall, parts: Partial<DatabaseState>): DatabaseCall => ({
  ...call,
  state: { ...call.state, ...parts },
})

/** The lease that an answer names. */
export const leaseOf = (call: DatabaseCall, reply: Reply): Lease | undefined =>
  call.services.leases.find(String((reply.body as { lease_id?: string } | undefined)?.lease_id))

/** The call as one of this engine; undefined for every other engine's. */
export const databaseCall = (call: Asked): DatabaseCall | undefined =>
  call && typeof call.state === 'object' && call.state !== null && 'staticRoles' in call.state
    ? (call as unknown as DatabaseCall)
    : undefined

/**
 * Which requests go to a mount of this engine, wherever it is mounted. From the path to the policies a request is worked on without
 * waiting, so that the latest one is the one at hand; later rules name theirs by its headers.
 */
export const whereabouts = () => {
  const known = new WeakMap<object, RequestFacts>()
  let latest: RequestFacts | undefined
  return {
    here: (): boolean => latest !== undefined && known.has(latest.headers),
    requestOf: (headers: object): RequestFacts | undefined => known.get(headers),
    follow: {
      effectivePath:
        (original: CoreRules['effectivePath']): CoreRules['effectivePath'] =>
        (header, request, namespaces) => {
          latest = request
          return original(header, request, namespaces)
        },
      pathBelow:
        (original: CoreRules['pathBelow']): CoreRules['pathBelow'] =>
        (mount, path, type) => {
          if (type === 'database' && latest) known.set(latest.headers, latest)
          return original(mount, path, type)
        },
    },
  }
}
