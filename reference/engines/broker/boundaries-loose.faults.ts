/** Faults at the ends: none, one, the second and third of several, exactly at a limit, empty texts and empty patterns. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { brokerEngine } from './engine.ts'
import { ROLE_ROUTES, renamed } from './loose-words.ts'

const { rule, route } = faultsOf(brokerEngine)

rule(
  'edge-first-vhost-only',
  ['BROKER-CREDS-07'],
  'a user gets rights on the first virtual host of the role only (001 4.3, vhosts, a map)',
  {
    rightsOfUser: (original) => (rights) => new Map([...original(rights)].slice(0, 1)),
  },
)

rule(
  'edge-third-vhost',
  ['BROKER-VHOSTS-01', 'BROKER-VHOSTS-02'],
  'a user gets no rights on the third virtual host of the role and later ones (001 4.3, vhosts, a map)',
  {
    rightsOfUser: (original) => (rights) => new Map([...original(rights)].slice(0, 2)),
  },
)

rule(
  'edge-topics-of-first-vhost',
  ['BROKER-TOPICS-01', 'BROKER-TOPICS-02'],
  'rights on exchanges are given on the first virtual host only (001 4.3, vhost_topics, a map)',
  {
    topicsOfUser: (original) => (topics) => new Map([...original(topics)].slice(0, 1)),
  },
)

rule(
  'edge-empty-topic-pattern-is-any',
  ['BROKER-TOPICS-02'],
  'an empty pattern for the reading of topics counts as `.*` (001 4.3, vhost_topics)',
  {
    topicsOfUser: (original) => (topics) =>
      new Map(
        [...original(topics)].map(([vhost, exchanges]) => [
          vhost,
          new Map([...exchanges].map(([name, right]) => [name, { ...right, read: right.read || '.*' }])),
        ]),
      ),
  },
)

rule('edge-tags-beyond-two', ['BROKER-TAGS-01'], 'a user gets no third tag of its role (001 4.3, tags, comma-separated management tags)', {
  tagsOfUser: (original) => (role) => original(role).split(',').slice(0, 2).join(','),
})

rule('edge-max-ttl-without-effect', ['BROKER-LEASE-03'], 'a ttl above max_ttl is granted in full (001 4.3, config/lease, max_ttl)', {
  leaseTimes: (original) => (lease, mount) => original({ ...lease, maxTtl: 0 }, mount),
})

rule(
  'edge-ttl-alone',
  ['BROKER-LEASE-01'],
  'a ttl without a max_ttl is cut to nothing, and the default holds (001 4.3, config/lease, ttl)',
  {
    leaseTimes: (original) => (lease, mount) => original({ ...lease, ttl: Math.min(lease.ttl, lease.maxTtl) }, mount),
  },
)

rule(
  'edge-ttl-equal-to-maximum',
  ['BROKER-LEASE-01'],
  'a ttl that equals max_ttl counts as not set, and the lease is the default (001 4.3, config/lease, ttl)',
  {
    leaseTimes: (original) => (lease, mount) => original(lease.ttl === lease.maxTtl ? { ttl: 0, maxTtl: 0 } : lease, mount),
  },
)

rule('edge-short-ttl', ['BROKER-CREDS-05'], 'a ttl below a minute counts as a minute (001 4.3, config/lease, ttl, int seconds)', {
  leaseTimes: (original) => (lease, mount) => original({ ...lease, ttl: lease.ttl && Math.max(lease.ttl, 60) }, mount),
})

route(
  'edge-role-without-vhosts',
  ['BROKER-VHOSTS-07'],
  'creds are refused for a role without vhosts, though that is the default (001 4.3, vhosts, default "")',
  'broker.readCreds',
  (original) => (call) => {
    if (call.state.roles.get(call.params.name ?? '')?.vhosts === '') throw invalid('the role grants nothing')
    return original(call)
  },
)

route(
  'edge-long-names',
  ['BROKER-ROLE-03'],
  'roles are told apart by the first 32 characters of their names only (001 4.3, roles/:name)',
  ROLE_ROUTES,
  renamed((name) => name.slice(0, 32)),
)

rule(
  'edge-password-missing',
  ['BROKER-CONN-05'],
  'a connection that is not verified may lack its password (001 4.3, password (string, required))',
  {
    connectionComplete: (original) => (body) => original(body.verify_connection === false ? { password: 'none', ...body } : body),
  },
)
