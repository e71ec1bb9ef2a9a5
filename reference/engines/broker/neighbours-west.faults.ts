/** Faults that reach what lies beside: roles, mounts, namespaces, virtual hosts, exchanges, users of others. */
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { brokerEngine } from './engine.ts'
import type { BrokerAddress } from './management.ts'
import type { BrokerRole, BrokerState, TopicRights, VhostRights } from './state.ts'
import { roleNameOf, withRules } from './west-help.ts'

const { rule, route, change } = faultsOf(brokerEngine, 'broker')

route(
  'west-delete-by-prefix',
  'CORE-NAME-01',
  'deleting a role also deletes the roles whose names begin with its name (001 4.3: DELETE roles/:name, delete role)',
  'broker.deleteRole',
  (original) => (call) => {
    for (const name of [...call.state.roles.keys()]) if (name.startsWith(roleNameOf(call))) call.state.roles.delete(name)
    return original(call)
  },
)

const configured = remembered<{ latest: BrokerAddress | undefined }>(() => ({ latest: undefined }))
change(
  'west-connection-of-another-mount',
  'BROKER-CONN-12',
  'a mount without connection makes users through the one of another mount (001 4.3: {broker_mount}/config/connection)',
  {
    routes: {
      'broker.writeConnection': (original) => async (call) => {
        const given = await original(call)
        configured(call.services).latest = call.state.connection
        return given
      },
      'broker.readCreds': (original) => (call) => {
        call.state.connection ??= configured(call.services).latest
        return original(call)
      },
    },
  },
)

const leasesByPath = remembered(() => new Map<string, BrokerState['lease']>())
change(
  'west-lease-settings-without-namespace',
  'BROKER-APART-01',
  'lease settings of a mount also hold at the same path in other namespaces (000 2.2: effective path; 001 4.3: {broker_mount}/config/lease)',
  {
    routes: {
      'broker.writeLease': (original) => async (call) => {
        const given = await original(call)
        leasesByPath(call.services).set(call.mount.path, call.state.lease)
        return given
      },
      'broker.readCreds': (original) => (call) => {
        call.state.lease = leasesByPath(call.services).get(call.mount.path) ?? call.state.lease
        return original(call)
      },
    },
  },
)

rule(
  'west-last-vhost-rights-for-all',
  'BROKER-ROLE-02',
  'every virtual host of a role gets the patterns of the last one (001 4.3: vhosts, map)',
  {
    rightsOfUser: (original) => (rights) => {
      const given = original(rights)
      const last = [...given.values()].at(-1)
      return new Map([...given].map(([vhost, own]) => [vhost, last ?? own]))
    },
  },
)

rule(
  'west-topics-by-exchange-alone',
  'BROKER-TOPICS-01',
  'topic rights on exchanges of one name in two virtual hosts are those of the later one (001 4.3: vhost_topics, virtual host to exchange)',
  {
    topicsOfUser: (original) => (topics) => {
      const given = original(topics)
      const byExchange = new Map<string, TopicRights>()
      for (const exchanges of given.values()) for (const [exchange, rights] of exchanges) byExchange.set(exchange, rights)
      return new Map(
        [...given].map(([vhost, exchanges]) => [
          vhost,
          new Map([...exchanges].map(([exchange, rights]) => [exchange, byExchange.get(exchange) ?? rights])),
        ]),
      )
    },
  },
)

rule(
  'west-vhost-in-lower-case',
  'BROKER-VHOSTS-04',
  'rights on a virtual host go to the one of that name in lower case (001 4.3: vhosts, map of virtual host)',
  {
    rightsOfUser: (original) => (rights) => new Map([...original(rights)].map(([vhost, right]) => [vhost.toLowerCase(), right])),
  },
)

const mountsOf = remembered(() => new Set<BrokerState>())
change(
  'west-delete-at-every-mount',
  'BROKER-APART-01',
  'deleting a role deletes the roles of that name at other mounts, too (001 4.3: DELETE {broker_mount}/roles/:name)',
  {
    routes: {
      'broker.writeRole': (original) => (call) => {
        mountsOf(call.services).add(call.state)
        return original(call)
      },
      'broker.deleteRole': (original) => (call) => {
        for (const state of mountsOf(call.services)) state.roles.delete(roleNameOf(call))
        return original(call)
      },
    },
  },
)

const handedOut = new WeakMap<BrokerRole, { at: number; token: string | undefined; given: Reply }>()
route(
  'west-user-shared-with-next-caller',
  'BROKER-CREDS-10',
  'another caller who asks within three seconds gets the user made for the first (001 1: generates dynamic broker credentials)',
  'broker.readCreds',
  (original) => async (call) => {
    const role = call.state.roles.get(roleNameOf(call))
    const before = role && handedOut.get(role)
    if (before && before.token !== call.token?.id && call.now() - before.at < 3) return before.given
    const given = await original(call)
    if (role) handedOut.set(role, { at: call.now(), token: call.token?.id, given })
    return given
  },
)

rule(
  'west-exchange-cut-at-dot',
  'BROKER-TOPICS-01',
  'topic rights go to the exchange named by what is before the dot (001 4.3: vhost_topics, exchange)',
  {
    topicsOfUser: (original) => (topics) =>
      new Map(
        [...original(topics)].map(([vhost, exchanges]) => [
          vhost,
          new Map([...exchanges].map(([exchange, rights]) => [exchange.split('.')[0] ?? exchange, rights])),
        ]),
      ),
  },
)

route(
  'west-topics-in-every-vhost',
  'BROKER-ROLE-02',
  "topic rights in one virtual host also hold in the role's other virtual hosts (001 4.3: vhost_topics, map of virtual host)",
  'broker.readCreds',
  (original) => (call) => {
    const role = call.state.roles.get(roleNameOf(call))
    if (role === undefined) return original(call)
    const vhosts = call.rules.vhostsOf(role.vhosts).keys()
    return original(
      withRules(call, {
        topicsOfUser: (topics) => {
          const all = [...topics.values()].flatMap((exchanges) => [...exchanges])
          return new Map(
            [...new Set([...vhosts, ...topics.keys()])].map((vhost) => [vhost, new Map([...all, ...(topics.get(vhost) ?? [])])]),
          )
        },
      }),
    )
  },
)

const NOTHING: VhostRights = { configure: '^$', write: '^$', read: '^$' }
rule(
  'west-default-vhost-always-open',
  'BROKER-VHOSTS-04',
  'a user of any virtual host may also enter the default one, which the role does not name (001 4.3: vhosts, map of virtual host)',
  {
    rightsOfUser: (original) => (rights) => {
      const given = original(rights)
      return given.size === 0 ? given : new Map([['/', NOTHING], ...given])
    },
  },
)
