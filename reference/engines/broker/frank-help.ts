/** What these faults of the broker engine share: other decisions for one request, leases of replies, and which requests are the broker's. */
import type { Call } from '../../core/engine.ts'
import type { Lease } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import type { CoreRules, RequestFacts } from '../../core/rules.ts'
import type { Asked } from '../../mutations/callers.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerRole, BrokerState, TopicRights, VhostRights } from './state.ts'

type BrokerCall = Call<BrokerState, BrokerRules>
type Handler = (call: BrokerCall) => Reply | Promise<Reply>
export type Topics = Map<string, Map<string, TopicRights>>

export const WRITES = ['broker.writeConnection', 'broker.writeLease', 'broker.writeRole']

export const nameOf = (call: BrokerCall): string => call.params.name ?? ''

export const withName = (call: BrokerCall, name: string): BrokerCall => ({ ...call, params: { ...call.params, name } })

export const withRules = (call: BrokerCall, rules: Partial<BrokerRules>): BrokerCall => ({ ...call, rules: { ...call.rules, ...rules } })

/** A request that reads some of its mount's state otherwise; the rest is the mount's own, as it is at each time. */
export const withState = (call: BrokerCall, state: Partial<BrokerState>): BrokerCall => ({
  ...call,
  state: Object.assign(Object.create(call.state) as BrokerState, state),
})

export const withRole = (call: BrokerCall, name: string, role: BrokerRole): BrokerCall =>
  withState(call, { roles: new Map([...call.state.roles, [name, role]]) })

export const eachPattern = (rights: Map<string, VhostRights>, change: (pattern: string) => string): Map<string, VhostRights> =>
  new Map(
    [...rights].map(([vhost, { configure, write, read }]) => [
      vhost,
      { configure: change(configure), write: change(write), read: change(read) },
    ]),
  )

/** Handles a request for credentials, then does something about their lease. */
export const aboutLease =
  (act: (lease: Lease, call: BrokerCall) => void) =>
  (original: Handler): Handler =>
  async (call) => {
    const reply = await original(call)
    const lease = call.services.leases.find(String((reply.body as { lease_id?: string }).lease_id))
    if (lease) act(lease, call)
    return reply
  }

/** Undoes a credential in another way. */
export const revokedBy =
  (undo: (revoke: () => Promise<void>, lease: Lease, call: BrokerCall) => Promise<void>) =>
  (original: Handler): Handler =>
    aboutLease((lease, call) => {
      const { request } = lease
      lease.request = { ...request, revoke: () => undo(() => request.revoke(), lease, call) }
    })(original)

/** A request of any engine, if it is the broker's. */
export const isBroker = (call: Asked): call is NonNullable<Asked> => call !== undefined && 'shownCredential' in call.rules

/** The path of a request below its mount. */
export const below = (call: NonNullable<Asked>): string => call.path.slice(call.mount.path.length)

const ofBroker = new WeakSet<RequestFacts>()
let located: RequestFacts | undefined
let type: string | undefined

type Override<Rule extends keyof CoreRules> = { [Name in Rule]: (original: CoreRules[Name]) => CoreRules[Name] }

/** Notes which requests are the broker's; locating one, and what follows up to its authorisation, is a single step. */
export const noted: Override<'effectivePath' | 'pathBelow'> = {
  effectivePath: (original) => (header, request, namespaces) => {
    located = request
    type = undefined
    return original(header, request, namespaces)
  },
  pathBelow: (original) => (mount, path, engine) => {
    type = engine
    if (engine === 'broker' && located) ofBroker.add(located)
    return original(mount, path, engine)
  },
}

/** Whether a request is the broker's, below a path that ends as given; needs `noted`. */
export const atBroker = (request: RequestFacts, ending = /$/): boolean => ofBroker.has(request) && ending.test(request.path)

/** Whether the request that is being looked at is the broker's; needs `noted`. */
export const inBroker = (): boolean => type === 'broker'
