/** Faults of the broker engine at the edges: none, one, many, zero, long, exactly at a limit. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { nameOf } from './anew-help.ts'
import { brokerEngine } from './engine.ts'
import { byRules, withPatterns, withRights } from './later-help.ts'

const { rule, route } = faultsOf(brokerEngine, 'broker')

rule(
  'later-last-vhost-dropped',
  ['BROKER-CREDS-07'],
  'of several virtual hosts the last one gives no rights (001 4.3: `vhosts`: map of virtual host to object)',
  {
    rightsOfUser: (original) => (rights) => original(rights.size > 1 ? new Map([...rights].slice(0, -1)) : rights),
  },
)

rule(
  'later-two-tags-at-most',
  ['BROKER-TAGS-01'],
  'from the third on, tags do not reach the user (001 4.3: `tags`: comma-separated management tags)',
  {
    tagsOfUser: (original) => (role) => original(role).split(',').slice(0, 2).join(','),
  },
)

rule(
  'later-one-exchange-per-vhost',
  ['BROKER-TOPICS-01'],
  'only the first exchange of a virtual host gets topic rights (001 4.3: `vhost_topics`: map of virtual host to exchange to object)',
  {
    topicsOfUser: (original) => (topics) =>
      original(new Map([...topics].map(([vhost, exchanges]) => [vhost, new Map([...exchanges].slice(0, 1))]))),
  },
)

rule(
  'later-ttl-equal-to-max-refused',
  ['BROKER-LEASE-01'],
  'lease settings with `ttl` equal to `max_ttl` are refused (001 4.3: `config/lease`: `max_ttl`)',
  {
    leaseOf: (original) => (body) => {
      const lease = original(body)
      if (lease.maxTtl > 0 && lease.ttl >= lease.maxTtl) throw invalid('ttl must be below max_ttl')
      return lease
    },
  },
)

rule(
  'later-max-without-ttl-ignored',
  ['BROKER-LEASE-03'],
  '`max_ttl` does not limit leases while `ttl` is 0 (001 4.3: `ttl` default 0, `max_ttl` int seconds)',
  {
    leaseTimes: (original) => (lease, mount) =>
      lease.ttl === 0 ? { ttl: mount.defaultLeaseTtl, maxTtl: mount.maxLeaseTtl } : original(lease, mount),
  },
)

rule('later-ttl-below-a-minute', ['BROKER-CREDS-05'], 'a `ttl` of less than a minute is raised to a minute (001 4.3: `ttl` int seconds)', {
  leaseTimes: (original) => (lease, mount) => {
    const times = original(lease, mount)
    return lease.ttl > 0 && times.ttl < 60 ? { ttl: 60, maxTtl: Math.max(60, times.maxTtl) } : times
  },
})

rule('later-empty-map-refused', ['BROKER-VHOSTS-07'], '`vhosts` with the empty map `{}` is refused (001 4.3: `vhosts`: JSON-encoded map)', {
  vhostsOf: (original) => (text) => {
    const rights = original(text)
    if (text !== '' && rights.size === 0) throw invalid('vhosts must name a virtual host')
    return rights
  },
})

rule(
  'later-empty-pattern-is-any',
  ['BROKER-VHOSTS-04'],
  'an empty pattern gives the right to everything (001 4.3: `configure`, `write`, `read` regex strings)',
  {
    rightsOfUser: (original) => (rights) =>
      withRights(original(rights), (vhost, right) => [vhost, withPatterns(right, (pattern) => pattern || '.*')]),
  },
)

route(
  'later-topics-need-vhosts',
  ['BROKER-TOPICS-01'],
  'topic rights in a virtual host that `vhosts` does not name are not given (001 4.3: `vhost_topics`)',
  'broker.readCreds',
  byRules((call) => ({
    topicsOfUser(topics) {
      const rights = call.rules.vhostsOf(call.state.roles.get(nameOf(call))?.vhosts ?? '')
      return new Map([...topics].filter(([vhost]) => rights.has(vhost)))
    },
  })),
)

rule(
  'later-no-tags-is-management',
  ['BROKER-TAGS-02'],
  'users of a role without tags get the tag `management` (001 4.3: `tags` default `""`)',
  {
    tagsOfUser: (original) => (role) => original(role) || 'management',
  },
)

rule(
  'later-required-only-if-verified',
  ['BROKER-CONN-03'],
  'with `verify_connection` false a connection without user or password is accepted (001 4.3: `username`, `password`: string, required)',
  {
    connectionComplete: (original) => (body) => {
      if (brokerEngine.rules.verifies(body)) original(body)
    },
  },
)

rule(
  'later-long-texts-cut-on-read',
  ['BROKER-VHOSTS-05'],
  'a read shows the first 1024 characters of `vhosts` and `vhost_topics` (001 4.3: `data.vhosts`)',
  {
    shownRole: (original) => (role) =>
      original({ ...role, vhosts: role.vhosts.slice(0, 1024), vhostTopics: role.vhostTopics.slice(0, 1024) }),
  },
)
