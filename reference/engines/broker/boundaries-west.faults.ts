/** Faults at the edges: none, one, many, last, exactly at a limit, long and large. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { flagOf, textOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { brokerEngine } from './engine.ts'
import { brokerRequests, roleNameOf, underName } from './west-help.ts'

const { rule, route } = faultsOf(brokerEngine, 'broker')
const core = faultsOf(coreEngine, 'broker')

rule(
  'west-last-of-many-vhosts-lost',
  'BROKER-VHOSTS-01',
  'of three or more virtual hosts the last one is left out (001 4.3: vhosts, map of virtual host)',
  {
    rightsOfUser: (original) => (rights) => {
      const given = [...original(rights)]
      return new Map(given.length > 2 ? given.slice(0, -1) : given)
    },
  },
)

rule(
  'west-ttl-equal-to-maximum-refused',
  'BROKER-LEASE-01',
  'a lease ttl that equals max_ttl is refused (001 4.3: config/lease ttl, max_ttl)',
  {
    leaseOf: (original) => (body) => {
      const lease = original(body)
      if (lease.maxTtl > 0 && lease.ttl >= lease.maxTtl) throw invalid('ttl must be below max_ttl')
      return lease
    },
  },
)

rule('west-one-second-is-none', 'BROKER-LEASE-01', 'a ttl of one second counts as not set (001 4.3: config/lease ttl, int seconds)', {
  leaseOf: (original) => (body) => {
    const lease = original(body)
    return { ...lease, ttl: lease.ttl > 1 ? lease.ttl : 0 }
  },
})

const DAY = 86_400
rule(
  'west-ttl-loses-its-days',
  'BROKER-LEASE-01',
  'of lease times of a day and more only what exceeds whole days counts (001 4.3: config/lease, int seconds)',
  {
    leaseOf: (original) => (body) => {
      const { ttl, maxTtl } = original(body)
      return { ttl: ttl % DAY, maxTtl: maxTtl % DAY }
    },
  },
)

rule(
  'west-vhost-without-rights-skipped',
  'BROKER-VHOSTS-01',
  'a virtual host with three empty patterns cannot be entered (001 4.3: vhosts, map to object)',
  {
    rightsOfUser: (original) => (rights) =>
      new Map([...original(rights)].filter(([, { configure, write, read }]) => configure + write + read !== '')),
  },
)

rule(
  'west-empty-pattern-is-everything',
  'BROKER-VHOSTS-04',
  'an empty pattern beside one that is not allows everything (001 4.3: vhosts, regex strings)',
  {
    rightsOfUser: (original) => (rights) =>
      new Map(
        [...original(rights)].map(([vhost, right]) => {
          const { configure, write, read } = right
          const filled = { configure: configure || '.*', write: write || '.*', read: read || '.*' }
          return [vhost, configure + write + read === '' ? right : filled]
        }),
      ),
  },
)

const LONGEST_TEXT = 512
rule(
  'west-long-vhosts-refused',
  'BROKER-ROLE-01',
  'a text of virtual hosts over 512 characters is refused (001 4.3: vhosts, string; 000 8: request size)',
  {
    roleOf: (original) => (body) => {
      const role = original(body)
      if (role.vhosts.length > LONGEST_TEXT) throw invalid('vhosts is too long')
      return role
    },
  },
)

const LONGEST_NAME = 64
route(
  'west-long-name-cut-on-write',
  'BROKER-CREDS-01',
  'a role is stored under the first 64 characters of its name and not found under the whole (001 4.3: POST and GET roles/:name)',
  'broker.writeRole',
  (original) => (call) => original(underName(call, roleNameOf(call).slice(0, LONGEST_NAME))),
)

rule(
  'west-unverified-needs-no-login',
  'BROKER-CONN-05',
  'without verification a connection without username or password is accepted (001 4.3: config/connection username, password required)',
  {
    connectionComplete: (original) => (body) => {
      if (flagOf(body, 'verify_connection', true)) original(body)
      else if (textOf(body, 'connection_uri') === '') throw invalid('connection_uri is required')
    },
  },
)

rule(
  'west-one-exchange-a-vhost',
  'BROKER-TOPICS-01',
  'of several exchanges of a virtual host only the last gets topic rights (001 4.3: vhost_topics)',
  {
    topicsOfUser: (original) => (topics) =>
      new Map([...original(topics)].map(([vhost, exchanges]) => [vhost, new Map([...exchanges].slice(-1))])),
  },
)

const at = brokerRequests()
const LARGEST_BODY = 1024 * 1024
core.rule('west-body-over-one-megabyte', 'CORE-LIMIT-01', 'a body of more than 1 MB is refused (000 8: maximum request size 32 MB)', {
  ...at.locating,
  parseBody: (original) => (bytes, request) => {
    if (at.here() && bytes.length > LARGEST_BODY) throw new ApiError(413, 'request body too large')
    return original(bytes, request)
  },
})

rule('west-no-tags-is-management', 'BROKER-TAGS-02', 'a user of a role without tags gets the tag management (001 4.3: tags, default "")', {
  tagsOfUser: (original) => (role) => original(role) || 'management',
})
