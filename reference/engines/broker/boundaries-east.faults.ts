/** Faults at the edges: empty, one, odd, long, zero, exactly equal, large. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { flagOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { brokerRequests, roleName, withIssue, withName } from './east-help.ts'
import { brokerEngine } from './engine.ts'

const { rule, route } = faultsOf(brokerEngine, 'broker')
const core = faultsOf(coreEngine, 'broker')

rule('east-tags-never-empty', 'BROKER-TAGS-02', 'users of a role without tags are tagged management (001 4.3: tags, default "")', {
  tagsOfUser: (original) => (role) => original(role) || 'management',
})

rule(
  'east-vhosts-in-pairs',
  'BROKER-VHOSTS-01',
  'rights are given in pairs of virtual hosts, the last of an odd number above one gets none (001 4.3: vhosts)',
  {
    rightsOfUser: (original) => (rights) => {
      const given = [...original(rights)]
      return new Map(given.length > 1 ? given.slice(0, given.length - (given.length % 2)) : given)
    },
  },
)

rule(
  'east-empty-pattern-is-any',
  'BROKER-VHOSTS-04',
  'an empty pattern gives all rights in place of none (001 4.3: vhosts, regex strings)',
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

rule('east-ttl-beats-max', 'BROKER-LEASE-03', 'a ttl above max_ttl is granted in full (001 2.3: lease config ttl, max_ttl)', {
  leaseTimes: (original) => (lease, mount) => original(lease.ttl > lease.maxTtl ? { ...lease, maxTtl: 0 } : lease, mount),
})

rule(
  'east-equal-times-refused',
  'BROKER-LEASE-01',
  'lease settings whose ttl equals max_ttl are refused (001 4.3: POST config/lease, ttl and max_ttl)',
  {
    leaseOf: (original) => (body) => {
      const lease = original(body)
      if (lease.ttl > 0 && lease.ttl === lease.maxTtl) throw invalid('ttl must be less than max_ttl')
      return lease
    },
  },
)

/** Milliseconds beyond 31 bits make a timer fire at once. */
const LONGEST_TIMER_SECONDS = Math.floor((2 ** 31 - 1) / 1000)
route(
  'east-timer-overflow',
  'BROKER-CREDS-01',
  'a user whose ttl was set above some 24 days is removed at once (001 4.3: config/lease, ttl in seconds)',
  'broker.readCreds',
  (original) => (call) => {
    const { clock, leases } = call.services
    const isSet = call.state.lease.ttl > 0
    return original(
      withIssue(call, (issue) => (issuing, request) => {
        const lease = issue(issuing, request)
        if (isSet && lease.ttl > LONGEST_TIMER_SECONDS) clock.after(0.001, () => void leases.revoke(lease.id).catch(() => undefined))
        return lease
      }),
    )
  },
)

route(
  'east-name-cut-at-write',
  'BROKER-CREDS-01',
  'a role with a name of more than 64 characters is kept under the first 64 and not found by its name (001 4.3: roles/:name)',
  'broker.writeRole',
  (original) => (call) => original(withName(call, roleName(call).slice(0, 64))),
)

rule(
  'east-empty-map-refused',
  'BROKER-VHOSTS-07',
  'a role whose vhosts are an empty JSON map is refused (001 4.3: vhosts, JSON-encoded map)',
  {
    vhostsOf: (original) => (text) => {
      const rights = original(text)
      if (text !== '' && rights.size === 0) throw invalid('vhosts names no virtual host')
      return rights
    },
  },
)

const requests = brokerRequests()
core.rule('east-body-of-a-megabyte', 'CORE-LIMIT-01', 'request bodies above 1 MB are refused (000 8: maximum request size 32 MB)', {
  ...requests.locating,
  parseBody: (original) => (bytes, request) => {
    if (requests.has(request) && bytes.length > 1024 * 1024) throw new ApiError(413, 'request entity too large')
    return original(bytes, request)
  },
})

rule(
  'east-five-seconds-at-least',
  'BROKER-LEASE-01',
  'a ttl below five seconds counts as five, or as max_ttl where that is less (001 4.3: config/lease, ttl int seconds)',
  {
    leaseTimes: (original) => (lease, mount) => {
      const { ttl, maxTtl } = original(lease, mount)
      return { ttl: Math.min(Math.max(ttl, 5), maxTtl), maxTtl }
    },
  },
)

rule(
  'east-required-when-verified',
  'BROKER-CONN-03',
  'without verification a connection may lack what is required (001 4.3: connection_uri, username, password required)',
  {
    connectionComplete: (original) => (body) => {
      if (flagOf(body, 'verify_connection', true)) original(body)
    },
  },
)

route(
  'east-zero-keeps-maximum',
  'BROKER-CREDS-10',
  'a max_ttl of 0 leaves an earlier max_ttl in force (001 4.3: config/lease, max_ttl default 0)',
  'broker.writeLease',
  (original) => async (call) => {
    const { maxTtl } = call.state.lease
    const given = await original(call)
    if (call.state.lease.maxTtl === 0) call.state.lease = { ...call.state.lease, maxTtl }
    return given
  },
)
