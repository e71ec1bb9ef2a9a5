/** Faults of the broker engine: nothing, one, many, and limits. */
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { nameOf, ROLE_OPERATIONS, renamed, withRole } from './anew-help.ts'
import { brokerEngine } from './engine.ts'

const { rule, route } = faultsOf(brokerEngine, 'broker')

rule(
  'anew-last-virtual-host-left-out',
  ['BROKER-CREDS-07'],
  'Of several virtual hosts the last one gets no rights (001 4.3: `vhosts` is a "map of virtual host to object")',
  {
    rightsOfUser: (original) => (rights) => {
      const given = original(rights)
      return given.size > 1 ? new Map([...given].slice(0, -1)) : given
    },
  },
)

rule(
  'anew-one-exchange-for-each-virtual-host',
  ['BROKER-TOPICS-01'],
  'Of several exchanges of a virtual host only the last gets topic rights (001 4.3: "virtual host to exchange to object")',
  {
    topicsOfUser: (original) => (topics) =>
      new Map([...original(topics)].map(([vhost, exchanges]) => [vhost, new Map([...exchanges].slice(-1))])),
  },
)

rule(
  'anew-no-virtual-hosts-means-default-one',
  ['BROKER-VHOSTS-07'],
  'Users of a role without `vhosts` get all rights on `/` (001 4.3: `vhosts` default `""`)',
  {
    rightsOfUser: (original) => (rights) => {
      const given = original(rights)
      return given.size > 0 ? given : new Map([['/', { configure: '.*', write: '.*', read: '.*' }]])
    },
  },
)

rule(
  'anew-empty-pattern-means-everything',
  ['BROKER-VHOSTS-04'],
  'A right given as the empty text becomes `.*` (001 4.3: "`configure`, `write`, `read` regex strings", which are given as written)',
  {
    rightsOfUser: (original) => (rights) =>
      new Map(
        [...original(rights)].map(([vhost, { configure, write, read }]) => [
          vhost,
          { configure: configure || '.*', write: write || '.*', read: read || '.*' },
        ]),
      ),
  },
)

rule(
  'anew-empty-map-refused',
  ['BROKER-VHOSTS-07'],
  'A role whose `vhosts` is the text of an empty map is refused (001 4.3: "JSON-encoded map", and an empty one is one)',
  {
    vhostsOf: (original) => (text) => {
      const rights = original(text)
      if (text !== '' && rights.size === 0) throw invalid('vhosts is empty')
      return rights
    },
  },
)

route(
  'anew-topics-of-listed-virtual-hosts-only',
  ['BROKER-TOPICS-01'],
  'Topic rights on a virtual host that `vhosts` does not name are left out (001 4.3: `vhost_topics` is a map of its own)',
  'broker.readCreds',
  (original) => (call) => {
    const role = call.state.roles.get(nameOf(call))
    if (!role?.vhostTopics) return original(call)
    const listed = call.rules.vhostsOf(role.vhosts)
    const topics = Object.entries(JSON.parse(role.vhostTopics) as JsonObject).filter(([vhost]) => listed.has(vhost))
    return original(withRole(call, { ...role, vhostTopics: JSON.stringify(Object.fromEntries(topics)) }))
  },
)

rule(
  'anew-ttl-must-stay-below-maximum',
  ['BROKER-LEASE-01'],
  'A `ttl` equal to `max_ttl` is refused (001 4.3: `ttl` and `max_ttl`, int seconds; the maximum itself is allowed)',
  {
    leaseOf: (original) => (body) => {
      const lease = original(body)
      if (lease.maxTtl > 0 && lease.ttl >= lease.maxTtl) throw invalid('ttl must be less than max_ttl')
      return lease
    },
  },
)

rule(
  'anew-ttl-needs-maximum',
  ['BROKER-LEASE-01'],
  'A `ttl` without `max_ttl` has no effect on credentials (001 4.3: `max_ttl` may be left out, "default 0")',
  { leaseTimes: (original) => (lease, mount) => original(lease.maxTtl === 0 ? { ...lease, ttl: 0 } : lease, mount) },
)

rule(
  'anew-maximum-needs-ttl',
  ['BROKER-LEASE-03'],
  'A `max_ttl` without `ttl` has no effect: leases last longer than it (001 4.3: `max_ttl` "int seconds"; `ttl` may be left out)',
  { leaseTimes: (original) => (lease, mount) => original(lease.ttl === 0 ? { ttl: 0, maxTtl: 0 } : lease, mount) },
)

rule(
  'anew-required-only-for-verification',
  ['BROKER-CONN-03'],
  'With `verify_connection` false, a connection without password or address is stored (001 4.3: three parameters are "required")',
  {
    connectionComplete: (original) => (body) => {
      if (body.verify_connection !== false) original(body)
    },
  },
)

route(
  'anew-names-cut-at-64',
  ['BROKER-ROLE-03'],
  'Two roles whose names have the first 64 characters in common are one (001 4.3: a role by its `:name`)',
  ROLE_OPERATIONS,
  renamed((name) => name.slice(0, 64)),
)
