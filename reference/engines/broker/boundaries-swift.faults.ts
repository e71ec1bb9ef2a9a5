/** Faults at the ends of ranges and lists: none, one, the second, the third, exactly as much as allowed. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { brokerEngine } from './engine.ts'

const { rule } = faultsOf(brokerEngine)

const firstOf = <K, V>(all: Map<K, V>, count: number): Map<K, V> => new Map([...all].slice(0, count))

rule('first-vhost-only', ['BROKER-CREDS-07'], 'users get rights in the first virtual host of their role only (001 4.3, roles, vhosts)', {
  rightsOfUser: (original) => (rights) => original(firstOf(rights, 1)),
})

rule(
  'third-vhost-lost',
  ['BROKER-VHOSTS-01', 'BROKER-VHOSTS-02'],
  'the third virtual host of a role and those after it are left out (001 4.3, roles, vhosts)',
  {
    rightsOfUser: (original) => (rights) => original(firstOf(rights, 2)),
  },
)

rule(
  'first-exchange-only',
  ['BROKER-TOPICS-01', 'BROKER-TOPICS-02'],
  'of each virtual host only the first exchange gets topic rights (001 4.3, roles, vhost_topics)',
  {
    topicsOfUser: (original) => (topics) => original(new Map([...topics].map(([vhost, exchanges]) => [vhost, firstOf(exchanges, 1)]))),
  },
)

rule(
  'topics-of-first-vhost-only',
  ['BROKER-TOPICS-01', 'BROKER-TOPICS-02'],
  'topic rights of the second virtual host are left out (001 4.3, roles, vhost_topics)',
  {
    topicsOfUser: (original) => (topics) => original(firstOf(topics, 1)),
  },
)

rule('first-tag-only', ['BROKER-TAGS-01'], 'users get the first tag of their role only (001 4.3, tags, comma-separated)', {
  tagsOfUser: (original) => (role) => original(role).split(',')[0] ?? '',
})

rule('no-tags-means-management', ['BROKER-TAGS-02'], 'users of a role without tags get the tag management (001 4.3, tags, default "")', {
  tagsOfUser: (original) => (role) => original(role) || 'management',
})

rule('ttl-as-long-as-max-refused', ['BROKER-LEASE-01'], 'a ttl that equals max_ttl is refused (001 4.3, POST config/lease)', {
  leaseOf: (original) => (body) => {
    const lease = original(body)
    if (lease.maxTtl > 0 && lease.ttl >= lease.maxTtl) throw invalid('ttl must be below max_ttl')
    return lease
  },
})

rule('short-ttl-raised', ['BROKER-CREDS-05'], 'a ttl below a minute is taken for a minute (001 4.3, config/lease, ttl)', {
  leaseTimes: (original) => (lease, mount) => {
    const times = original(lease, mount)
    return { ttl: Math.max(times.ttl, 60), maxTtl: Math.max(times.maxTtl, 60) }
  },
})

rule('max-ttl-without-ttl-ignored', ['BROKER-LEASE-03'], 'max_ttl does not bound the default ttl of 0 (001 4.3, config/lease, max_ttl)', {
  leaseTimes: (original) => (lease, mount) => original(lease.ttl === 0 ? { ttl: 0, maxTtl: 0 } : lease, mount),
})

rule('ttl-beyond-max-granted', ['BROKER-LEASE-03'], 'a ttl beyond max_ttl is granted in full (001 4.3, config/lease, max_ttl)', {
  leaseTimes: (original) => (lease, mount) =>
    original(lease.ttl > lease.maxTtl && lease.maxTtl > 0 ? { ttl: lease.ttl, maxTtl: lease.ttl } : lease, mount),
})

rule(
  'empty-pattern-grants-all',
  ['BROKER-VHOSTS-01', 'BROKER-VHOSTS-02'],
  'an empty pattern gives every right of its kind (001 4.3, roles, vhosts: regex strings)',
  {
    rightsOfUser: (original) => (rights) =>
      original(
        new Map(
          [...rights].map(([vhost, { configure, write, read }]) => [
            vhost,
            { configure: configure || '.*', write: write || '.*', read: read || '.*' },
          ]),
        ),
      ),
  },
)

rule(
  'no-vhosts-means-default-vhost',
  ['BROKER-VHOSTS-07'],
  'users of a role without virtual hosts get all rights in / (001 4.3, vhosts, default "")',
  {
    rightsOfUser: (original) => (rights) =>
      original(rights.size === 0 ? new Map([['/', { configure: '.*', write: '.*', read: '.*' }]]) : rights),
  },
)
