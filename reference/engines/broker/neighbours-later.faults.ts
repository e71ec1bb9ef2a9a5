/** Faults of the broker engine by which something happens to a neighbour: another role, user, mount, namespace or caller. */
import type { Token } from '../../core/tokens.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { issuing, nameOf, ROLE_OPERATIONS, renamed, usernameIn, withState } from './anew-help.ts'
import { brokerEngine } from './engine.ts'
import { afterwards, beforehand, byCall, byRules, removeUser, withRights } from './later-help.ts'
import type { BrokerAddress } from './management.ts'
import type { BrokerRole, BrokerState, TopicRights, VhostRights } from './state.ts'

const { rule, route, change } = faultsOf(brokerEngine, 'broker')

const leaseWrittenLast = remembered(() => ({ lease: undefined as BrokerState['lease'] | undefined }))
change(
  'later-lease-settings-of-all-mounts',
  ['BROKER-APART-01'],
  'lease settings written at one mount count for users of every broker mount (001 4.3: `POST {broker_mount}/config/lease`)',
  {
    routes: {
      'broker.writeLease': afterwards(({ services, state }) => {
        leaseWrittenLast(services).lease = state.lease
      }),
      'broker.readCreds': byCall((call) => withState(call, { lease: leaseWrittenLast(call.services).lease ?? call.state.lease })),
    },
  },
)

const connectionWrittenLast = remembered(() => ({ connection: undefined as BrokerAddress | undefined }))
change(
  'later-connection-of-another-mount',
  ['BROKER-CONN-12'],
  'a mount without a connection issues users through the connection of another mount (001 4.3: `{broker_mount}/config/connection`)',
  {
    routes: {
      'broker.writeConnection': afterwards(({ services, state }) => {
        connectionWrittenLast(services).connection = state.connection
      }),
      'broker.readCreds': byCall((call) =>
        call.state.connection ? call : withState(call, { connection: connectionWrittenLast(call.services).connection }),
      ),
    },
  },
)

route(
  'later-delete-takes-longer-names',
  ['CORE-NAME-01'],
  'deleting a role deletes those whose names begin with its name, too (001 4.3: `DELETE roles/:name`, delete role)',
  'broker.deleteRole',
  afterwards((call) => {
    for (const name of [...call.state.roles.keys()]) if (name.startsWith(nameOf(call))) call.state.roles.delete(name)
  }),
)

const rolesOfMounts = remembered(() => new Set<Map<string, BrokerRole>>())
change(
  'later-delete-in-every-mount',
  ['BROKER-APART-01'],
  'deleting a role deletes the role of that name at the other broker mounts (001 4.3: `DELETE {broker_mount}/roles/:name`)',
  {
    routes: {
      'broker.writeRole': beforehand(({ services, state }) => void rolesOfMounts(services).add(state.roles)),
      'broker.deleteRole': afterwards((call) => {
        for (const roles of rolesOfMounts(call.services)) roles.delete(nameOf(call))
      }),
    },
  },
)

const newestUser = remembered(() => new Map<string, string>())
route(
  'later-newest-user-goes',
  ['BROKER-CREDS-05'],
  'the end of a lease removes the newest user of its role, not its own (001 4.3: `creds/:name`; 001 1: dynamic credentials)',
  'broker.readCreds',
  (original) => async (call) => {
    const newest = newestUser(call.state)
    const given = await original(
      issuing(call, (request) => ({
        ...request,
        async revoke() {
          const user = newest.get(nameOf(call))
          await (user === undefined ? request.revoke() : removeUser(call, user))
        },
      })),
    )
    newest.set(nameOf(call), usernameIn(given))
    return given
  },
)

const usersOfRoles = remembered(() => new Map<string, string[]>())
route(
  'later-all-users-of-role-go',
  ['BROKER-CREDS-06'],
  'the end of one lease removes all users of the role, whose leases go on (001 4.3: `creds/:name`; 000 2.3: `lease_duration`)',
  'broker.readCreds',
  (original) => async (call) => {
    const users = usersOfRoles(call.state)
    const given = await original(
      issuing(call, (request) => ({
        ...request,
        async revoke() {
          await request.revoke()
          for (const user of users.get(nameOf(call)) ?? []) await removeUser(call, user)
        },
      })),
    )
    users.set(nameOf(call), [...(users.get(nameOf(call)) ?? []), usernameIn(given)])
    return given
  },
)

const rightsByVhost = remembered(() => new Map<string, VhostRights>())
route(
  'later-rights-kept-by-vhost',
  ['BROKER-VHOSTS-01'],
  'users of a second role get the rights that the first role had in a virtual host (001 4.3: `vhosts` of the role)',
  'broker.readCreds',
  byRules((call) => ({
    rightsOfUser(rights) {
      const known = rightsByVhost(call.state)
      return withRights(rights, (vhost, right) => {
        const kept = known.get(vhost) ?? right
        known.set(vhost, kept)
        return [vhost, kept]
      })
    },
  })),
)

rule(
  'later-exchange-once-for-all-vhosts',
  ['BROKER-TOPICS-01'],
  'an exchange that two virtual hosts have gets the rights of the later one in both (001 4.3: map of virtual host to exchange)',
  {
    topicsOfUser: (original) => (topics) => {
      const byExchange = new Map<string, TopicRights>([...topics.values()].flatMap((exchanges) => [...exchanges]))
      return new Map(
        [...original(topics)].map(([vhost, exchanges]) => [
          vhost,
          new Map([...exchanges].map(([exchange, right]) => [exchange, byExchange.get(exchange) ?? right])),
        ]),
      )
    },
  },
)

const firstCaller = remembered(() => new Map<string, Token>())
route(
  'later-lease-of-first-caller',
  ['BROKER-CREDS-10'],
  'all users of a role hang on the first token that asked for one: they go with it while their leases run (000 2.3: `lease_duration`)',
  'broker.readCreds',
  byCall((call) => {
    const callers = firstCaller(call.state)
    const token = callers.get(nameOf(call)) ?? call.token
    if (token) callers.set(nameOf(call), token)
    return { ...call, token }
  }),
)

route(
  'later-connection-resets-lease',
  ['BROKER-CREDS-10'],
  'writing the connection sets the lease settings back (001 4.3: `config/connection` has no `ttl` and no `max_ttl`)',
  'broker.writeConnection',
  afterwards(({ state }) => {
    state.lease = { ttl: 0, maxTtl: 0 }
  }),
)

route(
  'later-names-without-punctuation',
  ['BROKER-ROLE-03'],
  'roles whose names differ in hyphens, dots or underscores only are one role (001 4.3: `roles/:name`)',
  ROLE_OPERATIONS,
  renamed((name) => name.replaceAll(/[^A-Za-z0-9]/g, '')),
)

const lastIssued = remembered(() => new Map<string, string>())
change(
  'later-failure-removes-user-before',
  ['BROKER-CREDS-13'],
  'where a user cannot get its rights, the user issued before it is removed and the new one stays (001 4.3: `creds/:name`)',
  {
    rules: { removesAfterFailure: () => () => false },
    routes: {
      'broker.readCreds': (original) => async (call) => {
        const last = lastIssued(call.state)
        try {
          const given = await original(call)
          last.set(nameOf(call), usernameIn(given))
          return given
        } catch (cause) {
          const user = last.get(nameOf(call))
          if (user !== undefined) await removeUser(call, user).catch(() => undefined)
          throw cause
        }
      },
    },
  },
)
