/** Faults in which a request reaches further than the object that it names. */
import { faultsOf } from '../../mutations/declare.ts'
import { brokerEngine } from './engine.ts'
import type { BrokerState } from './state.ts'

const { rule, route } = faultsOf(brokerEngine)

route(
  'neighbour-role-prefix',
  ['BROKER-ROLE-05'],
  'deleting a role deletes every role whose name begins with its name (001 4.3, DELETE roles)',
  'broker.deleteRole',
  (original) => (call) => {
    const name = call.params.name ?? ''
    for (const other of [...call.state.roles.keys()]) if (other !== name && other.startsWith(name)) call.state.roles.delete(other)
    return original(call)
  },
)

const previousOf = new Map<string, string>()
let before: string | undefined
rule(
  'neighbour-lease-takes-previous',
  ['BROKER-CREDS-10'],
  'the end of a lease removes the user that was made before its own (001 1, dynamic credentials)',
  {
    username: (original) => (role, random) => {
      const name = original(role, random)
      previousOf.set(name, before ?? name)
      before = name
      return name
    },
    revokedUser: (original) => (username) => previousOf.get(username) ?? original(username),
  },
)

route(
  'neighbour-connection-takes-roles',
  ['BROKER-CONN-02'],
  'writing the connection forgets the roles (001 4.3, config/connection)',
  'broker.writeConnection',
  (original) => async (call) => {
    const given = await original(call)
    call.state.roles.clear()
    return given
  },
)

let anyLease: BrokerState['lease'] | undefined
rule('neighbour-lease-of-all-mounts', ['BROKER-LEASE-01'], 'lease settings of one mount hold for all (001 intro, mounts)', {
  leaseOf: (original) => (body) => {
    anyLease = original(body)
    return anyLease
  },
  leaseTimes: (original) => (lease, mount) => original(anyLease ?? lease, mount),
})
