/** Faults at boundaries: second and third elements, empty and long values, many objects, limits. */
import type { Call } from '../../core/engine.ts'
import { invalid } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { brokerEngine } from './engine.ts'
import type { BrokerRules } from './rules.ts'
import type { BrokerState } from './state.ts'

type BrokerCall = Call<BrokerState, BrokerRules>
type Handler = (call: BrokerCall) => Reply | Promise<Reply>

const { rule, route } = faultsOf(brokerEngine, 'broker')

const DAY = 86_400
const MOST_ROLES = 100
const MOST_USERS = 30
const LONGEST_NAME = 64
const LONGEST_TEXT = 4_096

const nameOf = (call: BrokerCall): string => call.params.name ?? ''

rule(
  'fresh-last-exchange-only',
  ['BROKER-TOPICS-01'],
  'of several exchanges of a virtual host only the last one gets its rights (001 4.3: `vhost_topics`)',
  {
    topicsOfUser: (original) => (topics) =>
      new Map([...original(topics)].map(([vhost, exchanges]) => [vhost, new Map([...exchanges].slice(-1))])),
  },
)

rule('fresh-third-tag-lost', ['BROKER-TAGS-01'], 'users get the first two tags of a role only (001 4.3: `tags`, comma-separated)', {
  tagsOfUser: (original) => (role) => original(role).split(',', 2).join(','),
})

rule('fresh-ttl-beats-maximum', ['BROKER-LEASE-03'], 'a `ttl` above `max_ttl` is granted in full (001 4.3: `max_ttl` of config/lease)', {
  leaseTimes: (original) => (lease, mount) => {
    if (lease.maxTtl === 0 || lease.ttl <= lease.maxTtl) return original(lease, mount)
    return original({ ttl: lease.ttl, maxTtl: lease.ttl }, mount)
  },
})

rule(
  'fresh-ttl-cut-to-a-day',
  ['BROKER-LEASE-01'],
  'leases of more than a day are cut to one (001 4.3: `ttl` of config/lease in seconds, without a limit)',
  {
    leaseTimes: (original) => (lease, mount) => original({ ...lease, ttl: Math.min(lease.ttl, DAY) }, mount),
  },
)

route(
  'fresh-hundred-roles',
  ['BROKER-ROLE-03'],
  'the role after the hundredth pushes the oldest one out (001 4.3: roles stay until they are deleted)',
  'broker.writeRole',
  (original) => async (call) => {
    const given = await original(call)
    const [oldest] = call.state.roles.keys()
    if (call.state.roles.size > MOST_ROLES && oldest !== undefined) call.state.roles.delete(oldest)
    return given
  },
)

const issued = remembered(() => new Map<string, string[]>())
route(
  'fresh-thirty-users',
  ['BROKER-CREDS-01'],
  'the thirty-first living user of a role pushes the oldest one out before its lease ends (001 4.3: creds; 000 2.3: `lease_duration`)',
  'broker.readCreds',
  (original) => async (call) => {
    const given = await original(call)
    const { leases } = call.services
    const { lease_id: id } = given.body as { lease_id: string }
    const living = [...(issued(call.state).get(nameOf(call)) ?? []), id].filter((known) => leases.find(known))
    issued(call.state).set(nameOf(call), living.slice(-MOST_USERS))
    for (const old of living.slice(0, -MOST_USERS)) await leases.revoke(old).catch(() => undefined)
    return given
  },
)

const cut =
  (original: Handler): Handler =>
  (call) =>
    original({ ...call, params: { ...call.params, name: nameOf(call).slice(0, LONGEST_NAME) } })

route(
  'fresh-role-name-cut',
  ['BROKER-ROLE-03'],
  'of role names only the first 64 characters count, so that longer ones fall together (001 4.3: roles/:name)',
  ['broker.writeRole', 'broker.readRole', 'broker.deleteRole', 'broker.readCreds'],
  cut,
)

route(
  'fresh-long-vhosts-refused',
  ['BROKER-ROLE-01'],
  '`vhosts` of more than 4096 characters is refused (001 4.3: `vhosts` is a string without a limit; 000 8: requests up to 32 MB)',
  'broker.writeRole',
  (original) => (call) => {
    if (String(call.body.vhosts ?? '').length > LONGEST_TEXT) throw invalid('vhosts is too long')
    return original(call)
  },
)

rule(
  'fresh-rights-of-first-vhost',
  ['BROKER-VHOSTS-01'],
  'a user gets the patterns of the first virtual host in all of them (001 4.3: `vhosts` maps each to its own)',
  {
    rightsOfUser: (original) => (rights) => {
      const all = original(rights)
      const [first] = all.values()
      return first ? new Map([...all.keys()].map((vhost) => [vhost, first])) : all
    },
  },
)

route(
  'fresh-topics-need-vhosts',
  ['BROKER-TOPICS-01'],
  'a role with `vhost_topics` and without `vhosts` gives no topic rights (001 4.3: each of the two has its own default)',
  'broker.readCreds',
  (original) => (call) => {
    if (call.state.roles.get(nameOf(call))?.vhosts !== '') return original(call)
    return original({ ...call, rules: { ...call.rules, topicsOfUser: () => new Map() } })
  },
)

rule(
  'fresh-ttl-needs-maximum',
  ['BROKER-LEASE-01'],
  '`ttl` counts only where `max_ttl` is set, too (001 4.3: config/lease; `max_ttl` has the default 0)',
  {
    leaseTimes: (original) => (lease, mount) => original(lease.maxTtl === 0 ? { ttl: 0, maxTtl: 0 } : lease, mount),
  },
)
