/** Faults in which a request reaches further than the object that it names. */
import { faultsOf } from '../../mutations/declare.ts'
import { brokerEngine } from './engine.ts'
import type { BrokerState, VhostRights } from './state.ts'

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

rule('neighbour-lease-of-all-mounts', ['BROKER-APART-01'], 'lease settings of one mount hold for all (001 intro, mounts)', {
  leaseOf: (original) => (body) => {
    anyLease = original(body)
    return anyLease
  },
  leaseTimes: (original) => (lease, mount) => original(anyLease ?? lease, mount),
})

let lastRights = new Map<string, VhostRights>()

rule(
  'neighbour-rights-of-last-role',
  ['BROKER-VHOSTS-07'],
  'users of a role without virtual hosts get the rights of the last user (001 4.3, vhosts default)',
  {
    rightsOfUser: (original) => (rights) => {
      if (rights.size > 0) lastRights = rights
      return original(rights.size > 0 ? rights : lastRights)
    },
  },
)

let tags: string[] = []

rule('neighbour-tags-add-up', ['BROKER-TAGS-02'], 'a user has the tags of all users made before it too (001 4.3, tags)', {
  tagsOfUser: (original) => (role) => {
    tags = [...new Set([...tags, ...original(role).split(',')])].filter((tag) => tag !== '')
    return tags.join(',')
  },
})

rule(
  'neighbour-default-host',
  ['BROKER-VHOSTS-04'],
  'a user with rights on some virtual host has all rights on the default one (001 4.3, vhosts)',
  {
    rightsOfUser: (original) => (rights) => {
      const given = original(rights)
      return given.size === 0 || given.has('/') ? given : new Map([...given, ['/', { configure: '.*', write: '.*', read: '.*' }]])
    },
  },
)

route(
  'neighbour-role-resets-lease',
  ['BROKER-APART-01'],
  'writing a role sets the lease settings back (001 4.3, config/lease)',
  'broker.writeRole',
  (original) => async (call) => {
    const given = await original(call)
    call.state.lease = { ttl: 0, maxTtl: 0 }
    return given
  },
)
