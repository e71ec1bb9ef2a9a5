/** Faults of the broker at boundaries: nothing, one, several, the last, exactly the limit, small and large. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { brokerRequests, nameOf, objectIn, withRole, withRules } from './amber-help.ts'
import { brokerEngine } from './engine.ts'

const { rule, route } = faultsOf(brokerEngine, 'broker')
const core = faultsOf(coreEngine, 'broker')

rule(
  'amber-no-tags-means-management',
  'BROKER-TAGS-02',
  'users of a role without tags get the tag management (001 4.3: tags, default "")',
  {
    tagsOfUser: (original) => (role) => original(role) || 'management',
  },
)

route(
  'amber-topics-only-beside-rights',
  'BROKER-TOPICS-01',
  'topic rights of a vhost that is not among the vhosts are left out (001 4.3: vhost_topics)',
  'broker.readCreds',
  (original) => (call) => {
    const vhosts = call.rules.vhostsOf(call.state.roles.get(nameOf(call))?.vhosts ?? '')
    return original(withRules(call, { topicsOfUser: (topics) => new Map([...topics].filter(([vhost]) => vhosts.has(vhost))) }))
  },
)

rule(
  'amber-one-exchange-per-vhost',
  'BROKER-TOPICS-01',
  'of several exchanges of a vhost only the last gets its topic rights (001 4.3: vhost_topics)',
  {
    topicsOfUser: (original) => (topics) =>
      new Map([...original(topics)].map(([vhost, exchanges]) => [vhost, new Map([...exchanges].slice(-1))])),
  },
)

rule(
  'amber-ttl-raises-max',
  'BROKER-LEASE-03',
  'a ttl above max_ttl raises the maximum instead of being held by it (001 4.3: config/lease, max_ttl)',
  {
    leaseTimes: (original) => (lease, mount) => original({ ...lease, maxTtl: lease.maxTtl && Math.max(lease.maxTtl, lease.ttl) }, mount),
  },
)

rule('amber-ttl-alone-ignored', 'BROKER-LEASE-01', 'a ttl without max_ttl is not used (001 4.3: config/lease, ttl; max_ttl default 0)', {
  leaseTimes: (original) => (lease, mount) => original(lease.maxTtl === 0 ? { ttl: 0, maxTtl: 0 } : lease, mount),
})

rule('amber-ttl-at-max-refused', 'BROKER-LEASE-01', 'a ttl that equals max_ttl is refused (001 4.3: config/lease, ttl and max_ttl)', {
  leaseOf: (original) => (body) => {
    const lease = original(body)
    if (lease.ttl > 0 && lease.ttl === lease.maxTtl) throw invalid('ttl must be below max_ttl')
    return lease
  },
})

rule('amber-hour-at-most', 'BROKER-LEASE-01', 'leases of more than an hour are cut to an hour (001 4.3: config/lease, ttl in seconds)', {
  leaseTimes: (original) => (lease, mount) => {
    const times = original(lease, mount)
    return lease.ttl > 3600 ? { ...times, ttl: Math.min(times.ttl, 3600) } : times
  },
})

rule(
  'amber-unverified-may-be-incomplete',
  'BROKER-CONN-03',
  'with verify_connection false, nothing of the connection is required (001 4.3: config/connection, required)',
  {
    connectionComplete: (original) => (body) => {
      if (body.verify_connection !== false) original(body)
    },
  },
)

const { here, marking } = brokerRequests()

core.rule('amber-megabyte-at-most', 'CORE-LIMIT-01', 'a body of more than one megabyte is refused (000 8: maximum request size 32 MB)', {
  ...marking,
  parseBody: (original) => (bytes, request) => {
    if (here() && bytes.length > 1024 * 1024) throw new ApiError(413, 'request entity too large')
    return original(bytes, request)
  },
})

route(
  'amber-last-vhost-may-fail',
  'BROKER-CREDS-07',
  'credentials are given although the last of several vhosts cannot be granted (001 4.3: vhosts; 000 7: 500, 502)',
  'broker.readCreds',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const role = call.state.roles.get(nameOf(call))
      const vhosts = Object.entries(objectIn(role?.vhosts ?? ''))
      if (role === undefined || vhosts.length < 2) throw cause
      return original(withRole(call, { ...role, vhosts: JSON.stringify(Object.fromEntries(vhosts.slice(0, -1))) }))
    }
  },
)

rule(
  'amber-empty-role-refused',
  'BROKER-ROLE-01',
  'a role that leaves all parameters out is refused (001 4.3: tags, vhosts, vhost_topics, default "")',
  {
    roleOf: (original) => (body) => {
      const role = original(body)
      if (role.tags === '' && role.vhosts === '' && role.vhostTopics === '') throw invalid('a role needs tags, vhosts or vhost_topics')
      return role
    },
  },
)
