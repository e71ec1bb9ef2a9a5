/** What the broker's faults labelled west share: which requests and calls are the broker's, and parts of its answers. */
import type { Call } from '../../core/engine.ts'
import type { Mutation } from '../../core/mutation.ts'
import type { CoreRules, RequestFacts } from '../../core/rules.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerState } from './state.ts'

export type BrokerCall = Call<BrokerState, BrokerRules>

interface Located {
  verb: string
  type?: string
  /** Path below the mount. */
  rest: string
  /** The mounts of the server that was asked: one array for each server. */
  server?: object
}

/** Tells of the request located last, as long as it has not waited, or of a request by itself, where it goes. */
export const brokerRequests = () => {
  const known = new WeakMap<RequestFacts, Located>()
  let latest: Located = { verb: '', rest: '' }
  return {
    here: (): boolean => latest.type === 'broker',
    latest: (): Located => latest,
    isBrokers: (request: RequestFacts): boolean => known.get(request)?.type === 'broker',
    locating: {
      effectivePath: (original) => (header, request, namespaces) => {
        latest = { verb: request.method, rest: '' }
        known.set(request, latest)
        return original(header, request, namespaces)
      },
      mountsSeen: (original) => (all, namespace) => {
        latest.server = all
        return original(all, namespace)
      },
      pathBelow: (original) => (mount, path, type) => {
        latest.type = type
        latest.rest = original(mount, path, type)
        return latest.rest
      },
    } satisfies Mutation<CoreRules, unknown>['rules'],
  }
}

/** Whether a call goes to a broker mount, at a path below it that begins with `start`. */
export const isBrokerCall = (call: Call<unknown, object> | undefined, start = ''): boolean =>
  call !== undefined && 'shownCredential' in call.rules && call.path.slice(call.mount.path.length).startsWith(start)

export const roleNameOf = (call: BrokerCall): string => call.params.name ?? ''

/** The same call under another role name. */
export const underName = (call: BrokerCall, name: string): BrokerCall => ({ ...call, params: { ...call.params, name } })

/** The same call with some decisions taken otherwise. */
export const withRules = (call: BrokerCall, rules: Partial<BrokerRules>): BrokerCall => ({ ...call, rules: { ...call.rules, ...rules } })
