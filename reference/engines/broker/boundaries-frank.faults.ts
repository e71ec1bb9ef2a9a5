/** Faults at the edges: nothing, one and many, the last one, exactly at a limit, long and large. */
import { ApiError, invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { brokerEngine } from './engine.ts'
import { aboutLease, eachPattern, type Topics, WRITES, withRules } from './frank-help.ts'

const { rule, route } = faultsOf(brokerEngine, 'broker')

/** Seconds after which a timer of milliseconds in 32 bits runs over. */
const LONGEST_TIMER = 2_147_483
const COLUMN = 255
const MEGABYTE = 1_000_000

rule('frank-tags-never-empty', 'BROKER-TAGS-02', 'users of a role without tags are tagged management (001 4.3: tags, default "")', {
  tagsOfUser: (original) => (role) => original(role) || 'management',
})

rule(
  'frank-last-vhost-missed',
  'BROKER-VHOSTS-01',
  'a role of more than two vhosts gives no rights in the last one (001 4.3: vhosts, map of virtual host to object)',
  {
    rightsOfUser: (original) => (rights) => {
      const all = [...original(rights)]
      return new Map(all.length > 2 ? all.slice(0, -1) : all)
    },
  },
)

rule(
  'frank-one-exchange-a-vhost',
  'BROKER-TOPICS-01',
  'topic rights are given on the first exchange of each vhost only (001 4.3: vhost_topics, map of virtual host to exchange to object)',
  {
    topicsOfUser:
      (original) =>
      (topics): Topics =>
        new Map([...original(topics)].map(([vhost, exchanges]) => [vhost, new Map([...exchanges].slice(0, 1))])),
  },
)

route(
  'frank-long-ttl-overflows',
  'BROKER-CREDS-01',
  'a ttl beyond 2^31 milliseconds runs over its timer, and the user is gone at once (001 4.3: config/lease, ttl in int seconds)',
  'broker.readCreds',
  aboutLease(({ id, ttl }, { services, state }) => {
    if (state.lease.ttl === 0 || ttl <= LONGEST_TIMER) return
    services.clock.after(0.05, () => void services.leases.revoke(id).catch(() => undefined))
  }),
)

rule(
  'frank-smaller-maximum-ignored',
  'BROKER-LEASE-03',
  'a max_ttl below the ttl does not count (001 4.3: config/lease, max_ttl; 000 2.3: lease_duration)',
  {
    leaseTimes: (original) => (lease, mount) => original(lease.maxTtl < lease.ttl ? { ...lease, maxTtl: 0 } : lease, mount),
  },
)

rule(
  'frank-required-if-verified',
  'BROKER-CONN-05',
  'a connection without password is stored where it is not to be verified (001 4.3: config/connection, password required)',
  {
    connectionComplete: (original) => (body) => original(body.verify_connection === false ? { password: 'unset', ...body } : body),
  },
)

rule(
  'frank-no-vhosts-is-root-vhost',
  'BROKER-VHOSTS-07',
  'users of a role without vhosts may do everything in the vhost / (001 4.3: vhosts, default "")',
  {
    rightsOfUser: (original) => (rights) => {
      const given = original(rights)
      return given.size > 0 ? given : new Map([['/', { configure: '.*', write: '.*', read: '.*' }]])
    },
  },
)

rule(
  'frank-patterns-cut',
  'BROKER-VHOSTS-04',
  'the expressions of vhosts are cut after 255 characters (001 4.3: configure, write, read regex strings)',
  {
    rightsOfUser: (original) => (rights) => eachPattern(original(rights), (pattern) => pattern.slice(0, COLUMN)),
  },
)

route(
  'frank-role-of-nothing-refused',
  'BROKER-ROLE-01',
  'a role that leaves all three parameters at their defaults is refused (001 4.3: tags, vhosts and vhost_topics, each default "")',
  'broker.writeRole',
  (original) => (call) => {
    if (['tags', 'vhosts', 'vhost_topics'].every((field) => textOf(call.body, field) === '')) {
      throw invalid('one of tags, vhosts and vhost_topics must be set')
    }
    return original(call)
  },
)

rule(
  'frank-ttl-must-be-below-maximum',
  'BROKER-LEASE-01',
  'lease settings with equal ttl and max_ttl are refused (001 4.3: config/lease, ttl and max_ttl; a ttl at its maximum is within it)',
  {
    leaseOf: (original) => (body) => {
      const lease = original(body)
      if (lease.maxTtl > 0 && lease.ttl === lease.maxTtl) throw invalid('ttl must be less than max_ttl')
      return lease
    },
  },
)

route(
  'frank-topics-need-vhost-rights',
  'BROKER-TOPICS-01',
  'topic rights are given only in vhosts that the role names in vhosts, too (001 4.3: vhosts, default ""; vhost_topics)',
  'broker.readCreds',
  (original) => (call) => {
    const { rules } = call
    let permitted = new Set<string>()
    return original(
      withRules(call, {
        rightsOfUser: (rights) => {
          permitted = new Set(rights.keys())
          return rules.rightsOfUser(rights)
        },
        topicsOfUser: (topics) => new Map([...rules.topicsOfUser(topics)].filter(([vhost]) => permitted.has(vhost))),
      }),
    )
  },
)

route(
  'frank-bodies-to-a-megabyte',
  'CORE-LIMIT-01',
  'writes with a body beyond 1 MB are refused (000 8: maximum request size 32 MB)',
  WRITES,
  (original) => (call) => {
    if (call.text.length > MEGABYTE) throw new ApiError(413, 'request body too large')
    return original(call)
  },
)
