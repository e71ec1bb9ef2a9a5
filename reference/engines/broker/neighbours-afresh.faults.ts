/** Faults whose effect shows on a neighbour: another role, row, mount, namespace or credential. */
import { coreEngine } from '../../core/core-engine.ts'
import type { LeaseRequest } from '../../core/leases.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isBroker, issuing, nameOf, withRole } from './anew-help.ts'
import { brokerEngine } from './engine.ts'
import type { BrokerRole, BrokerState, TopicRights } from './state.ts'

const { rule, route, change } = faultsOf(brokerEngine, 'broker')
const core = faultsOf(coreEngine, 'broker')

route(
  'afresh-delete-takes-longer-names',
  ['CORE-NAME-01'],
  'deleting a role deletes the roles whose names begin with its name (001 4.3: DELETE roles/:name, delete role)',
  'broker.deleteRole',
  (original) => (call) => {
    for (const name of [...call.state.roles.keys()]) if (name.startsWith(nameOf(call))) call.state.roles.delete(name)
    return original(call)
  },
)

route(
  'afresh-delete-ends-leases-of-longer-names',
  ['BROKER-APART-01'],
  'deleting a role removes the users of roles whose names begin with its name, before their leases end (000 2.3: lease_duration)',
  'broker.deleteRole',
  (original) => async (call) => {
    const { namespace, path } = call.mount
    await call.services.leases.revokePrefix(`${namespace}${path}creds/${nameOf(call)}`).catch(() => undefined)
    return original(call)
  },
)

const writtenLast = remembered(() => new Map<string, BrokerRole>())

change(
  'afresh-creds-by-role-of-other-mount',
  ['BROKER-APART-01'],
  'credentials have the rights of the role of that name that was written last in any mount (001 4.3: creds/:name below its own mount)',
  {
    routes: {
      'broker.writeRole': (original) => async (call) => {
        const reply = await original(call)
        const role = call.state.roles.get(nameOf(call))
        if (role) writtenLast(call.services).set(nameOf(call), role)
        return reply
      },
      'broker.readCreds': (original) => (call) => {
        const known = call.state.roles.has(nameOf(call)) ? writtenLast(call.services).get(nameOf(call)) : undefined
        return original(known ? withRole(call, known) : call)
      },
    },
  },
)

rule(
  'afresh-exchanges-of-vhosts-before',
  ['BROKER-TOPICS-01'],
  'a second virtual host of vhost_topics also gets the exchanges of the first (001 4.3: map of virtual host to exchange)',
  {
    topicsOfUser: (original) => (topics) => {
      const exchanges = new Map<string, TopicRights>()
      const result = new Map<string, Map<string, TopicRights>>()
      for (const [vhost, own] of original(topics)) {
        for (const [exchange, rights] of own) exchanges.set(exchange, rights)
        result.set(vhost, new Map(exchanges))
      }
      return result
    },
  },
)

rule(
  'afresh-exchanges-of-earlier-users',
  ['BROKER-TOPICS-01'],
  'a user gets the topic rights that users of other roles got before on the same virtual host (001 4.3: vhost_topics of the role)',
  {
    topicsOfUser: (original) => {
      const given = new Map<string, Map<string, TopicRights>>()
      return (topics) => {
        const own = original(topics)
        for (const [vhost, exchanges] of own) given.set(vhost, new Map([...(given.get(vhost) ?? []), ...exchanges]))
        return new Map([...own.keys()].map((vhost) => [vhost, given.get(vhost) ?? new Map<string, TopicRights>()]))
      }
    },
  },
)

route(
  'afresh-connection-resets-lease',
  ['BROKER-CREDS-10'],
  'writing config/connection sets the ttl and max_ttl of config/lease back to 0 (001 4.3: config/lease is a row of its own)',
  'broker.writeConnection',
  (original) => async (call) => {
    const reply = await original(call)
    call.state.lease = { ttl: 0, maxTtl: 0 }
    return reply
  },
)

const issuedLast = remembered(() => new Map<string, LeaseRequest>())

route(
  'afresh-lease-end-takes-user-before',
  ['BROKER-CREDS-10'],
  'the end of one lease also removes the user that was made before it for the same role (000 2.3: each lease_id has its lease_duration)',
  'broker.readCreds',
  (original) => (call) => {
    const known = issuedLast(call.state)
    const ending = (request: LeaseRequest): LeaseRequest => {
      const before = known.get(nameOf(call))
      known.set(nameOf(call), request)
      if (before === undefined) return request
      return {
        ...request,
        revoke: async () => {
          await request.revoke()
          await before.revoke()
        },
      }
    }
    return original(issuing(call, ending))
  },
)

route(
  'afresh-read-finds-longer-name',
  ['CORE-NAME-01'],
  'a name without role that begins the name of a role reads as that role (000 7: 404 invalid path)',
  'broker.readRole',
  (original) => (call) => {
    const { roles } = call.state
    const name = nameOf(call)
    const found = roles.has(name) ? name : ([...roles.keys()].find((known) => known.startsWith(name)) ?? name)
    return original({ ...call, params: { ...call.params, name: found } })
  },
)

const tagsBefore = remembered((): { tags: string } => ({ tags: '' }))

route(
  'afresh-tags-of-role-before',
  ['BROKER-TAGS-02'],
  'a role that is written without tags gets those of the role written before it (001 4.3: tags, default "")',
  'broker.writeRole',
  (original) => async (call) => {
    const before = tagsBefore(call.state)
    const reply = await original({ ...call, body: { tags: before.tags, ...call.body } })
    before.tags = call.state.roles.get(nameOf(call))?.tags ?? ''
    return reply
  },
)

core.rule(
  'afresh-roles-of-same-path-elsewhere',
  ['BROKER-APART-01'],
  'mounts at the same path in two namespaces have their roles in common (000 2.2: the namespace is part of the path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const fresh = original(engine, others, place)
      const namesake = isBroker(engine) ? others.find((mount) => isBroker(mount.engine) && mount.path === place.path) : undefined
      return namesake ? Object.assign(fresh as BrokerState, { roles: (namesake.state as BrokerState).roles }) : fresh
    },
  },
)

rule(
  'afresh-username-by-second',
  ['BROKER-CREDS-01'],
  'two credentials of one role within a second have one username, so that the first password fails (001 4.3: data.username, data.password)',
  { username: () => (role) => `s-${role.replaceAll(/[^A-Za-z0-9]/g, '')}-${Math.floor(Date.now() / 1000)}` },
)
