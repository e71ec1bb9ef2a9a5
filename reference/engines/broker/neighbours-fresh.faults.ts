/** Faults whose effect shows on a neighbour: another role, mount, namespace, credential or setting. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Call } from '../../core/engine.ts'
import type { Lease } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { brokerEngine } from './engine.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerRole, BrokerState } from './state.ts'

type BrokerCall = Call<BrokerState, BrokerRules>
type Handler = (call: BrokerCall) => Reply | Promise<Reply>

const { route, change } = faultsOf(brokerEngine, 'broker')
const core = faultsOf(coreEngine, 'broker')

const nameOf = (call: BrokerCall): string => call.params.name ?? ''

/** The call by another name, in place of the one in its path. */
const byName = (call: BrokerCall, name: string): BrokerCall => ({ ...call, params: { ...call.params, name } })

/** The call with parts of its state seen otherwise; everything else stays the mount's own. */
const seeing = (call: BrokerCall, parts: Partial<BrokerState>): BrokerCall => ({
  ...call,
  state: Object.assign(Object.create(call.state) as BrokerState, parts),
})

const leaseOf = (call: BrokerCall, { body }: Reply): Lease | undefined =>
  call.services.leases.find(String((body as { lease_id?: string }).lease_id))

route(
  'fresh-delete-takes-prefix',
  ['CORE-NAME-01'],
  'deleting a role also deletes the roles whose names begin with its name (001 4.3: delete role)',
  'broker.deleteRole',
  (original) => async (call) => {
    for (const name of [...call.state.roles.keys()]) if (name.startsWith(nameOf(call))) call.state.roles.delete(name)
    return original(call)
  },
)

const lowered =
  (original: Handler): Handler =>
  (call) =>
    original(byName(call, nameOf(call).toLowerCase()))

route(
  'fresh-role-names-lowered',
  ['BROKER-ROLE-03'],
  'roles whose names differ by case only are one role (001 4.3: a role is what its `:name` says)',
  ['broker.writeRole', 'broker.readRole', 'broker.deleteRole', 'broker.readCreds'],
  lowered,
)

const leaseEverywhere = remembered<{ lease?: BrokerState['lease'] }>(() => ({}))
change(
  'fresh-lease-of-any-mount',
  ['BROKER-APART-01'],
  'the lease settings written last on any broker mount hold for all of them (001 4.3: config/lease)',
  {
    routes: {
      'broker.writeLease': (original) => async (call) => {
        const given = await original(call)
        leaseEverywhere(call.services).lease = call.state.lease
        return given
      },
      'broker.readCreds': (original) => (call) =>
        original(seeing(call, { lease: leaseEverywhere(call.services).lease ?? call.state.lease })),
    },
  },
)

const removals = remembered(() => new Map<string, (() => Promise<void>)[]>())
route(
  'fresh-lease-end-takes-siblings',
  ['BROKER-CREDS-06'],
  'the end of one lease removes every user made for the role, those with a lease of their own included (001 1, 4.3: creds; 000 2.3)',
  'broker.readCreds',
  (original) => async (call) => {
    const given = await original(call)
    const lease = leaseOf(call, given)
    if (lease === undefined) return given
    const all = removals(call.state).get(nameOf(call)) ?? []
    removals(call.state).set(nameOf(call), all)
    const own = lease.request
    all.push(() => own.revoke())
    lease.request = {
      ...own,
      revoke: async () => {
        for (const remove of all) await remove()
      },
    }
    return given
  },
)

route(
  'fresh-user-named-by-second',
  ['BROKER-CREDS-01'],
  'two credentials asked of a role within a second share a user, and the first password is void (001 4.3: creds)',
  'broker.readCreds',
  (original) => (call) => {
    const username = () => `${call.path.replaceAll('/', '-')}-${Math.floor(call.now())}`
    return original({ ...call, rules: { ...call.rules, username } })
  },
)

core.rule(
  'fresh-namespaces-share-mount',
  ['BROKER-APART-01'],
  'mounts at the same path in two namespaces share roles and settings (000 2.2)',
  {
    stateOf: (original) => (engine, others, place) => {
      const alike = others.find((mount) => mount.engine.type === 'broker' && engine.type === 'broker' && mount.path === place.path)
      return alike?.state ?? original(engine, others, place)
    },
  },
)

route(
  'fresh-creds-first-prefix',
  ['CORE-NAME-01'],
  'creds takes the first role whose name begins the asked one: other rights, and credentials for unknown names (001 4.3: creds/:name)',
  'broker.readCreds',
  (original) => (call) => {
    const found = [...call.state.roles].find(([name]) => nameOf(call).startsWith(name))
    return original(found ? seeing(call, { roles: new Map([[nameOf(call), found[1]]]) }) : call)
  },
)

const lastWritten = remembered<{ tags?: string }>(() => ({}))
route(
  'fresh-tags-of-role-before',
  ['BROKER-ROLE-05'],
  'a role written without tags gets those of the role written before it (001 4.3: `tags` default `""`)',
  'broker.writeRole',
  (original) => async (call) => {
    const { tags } = lastWritten(call.state)
    const given = await original(tags === undefined ? call : { ...call, body: { tags, ...call.body } })
    lastWritten(call.state).tags = call.state.roles.get(nameOf(call))?.tags
    return given
  },
)

route(
  'fresh-delete-ends-leases-by-prefix',
  ['BROKER-APART-01'],
  'deleting a role removes the users of other roles whose names begin with its name (001 4.3: delete role; their leases go on)',
  'broker.deleteRole',
  (original) => async (call) => {
    const given = await original(call)
    const { namespace, path } = call.mount
    await call.services.leases.revokePrefix(`${namespace}${path}creds/${nameOf(call)}`).catch(() => undefined)
    return given
  },
)

const rolesByName = remembered(() => new Map<string, BrokerRole>())
const forgetting =
  (original: Handler): Handler =>
  (call) => {
    rolesByName(call.services).delete(nameOf(call))
    return original(call)
  }

change(
  'fresh-rights-cached-by-name',
  ['BROKER-APART-01'],
  'roles of one name on two mounts give the rights of the one that was used first (001 4.3: roles)',
  {
    routes: {
      'broker.writeRole': forgetting,
      'broker.deleteRole': forgetting,
      'broker.readCreds': (original) => (call) => {
        const current = call.state.roles.get(nameOf(call))
        if (current === undefined) return original(call)
        const cache = rolesByName(call.services)
        const role = cache.get(nameOf(call)) ?? current
        cache.set(nameOf(call), role)
        return original(seeing(call, { roles: new Map([[nameOf(call), role]]) }))
      },
    },
  },
)

route(
  'fresh-connection-resets-lease',
  ['BROKER-CREDS-10'],
  'replacing the connection resets the lease settings (001 4.3: config/lease holds `ttl` and `max_ttl`)',
  'broker.writeConnection',
  (original) => async (call) => {
    const isReplaced = call.state.connection !== undefined
    const given = await original(call)
    if (isReplaced) call.state.lease = { ttl: 0, maxTtl: 0 }
    return given
  },
)
