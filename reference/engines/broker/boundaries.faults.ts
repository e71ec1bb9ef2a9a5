/** Faults at the edges: the first, the last, one, many, exactly at a limit. */
import { faultsOf } from '../../mutations/declare.ts'
import { brokerEngine } from './engine.ts'
import type { VhostRights } from './state.ts'

const { rule } = faultsOf(brokerEngine)

const some = <V>(map: Map<string, V>, from: number, to?: number): Map<string, V> => new Map([...map].slice(from, to))

rule('boundary-first-host', ['BROKER-CREDS-07'], 'of several virtual hosts only the first is permitted (001 4.3, vhosts map)', {
  rightsOfUser: (original) => (rights) => some(original(rights), 0, 1),
})

rule(
  'boundary-first-exchange',
  ['BROKER-TOPICS-01'],
  'of several exchanges of a virtual host only the first has topic rights (001 4.3, vhost_topics map)',
  {
    topicsOfUser: (original) => (topics) => new Map([...original(topics)].map(([host, exchanges]) => [host, some(exchanges, 0, 1)])),
  },
)

rule(
  'boundary-last-topic-host',
  ['BROKER-TOPICS-01'],
  'of several virtual hosts only the last has topic rights (001 4.3, vhost_topics map)',
  {
    topicsOfUser: (original) => (topics) => some(original(topics), -1),
  },
)

rule('boundary-ttl-at-max', ['BROKER-LEASE-01'], 'a ttl equal to max_ttl stands for the default (001 4.3, config/lease)', {
  leaseTimes: (original) => (lease, mount) => original(lease.ttl === lease.maxTtl ? { ...lease, ttl: 0, maxTtl: 0 } : lease, mount),
})

rule('boundary-no-max', ['BROKER-LEASE-01'], 'a ttl without max_ttl is not looked at (001 4.3, config/lease)', {
  leaseTimes: (original) => (lease, mount) => original(lease.maxTtl === 0 ? { ...lease, ttl: 0 } : lease, mount),
})

const filled = (rights: VhostRights): VhostRights => ({
  configure: rights.configure || '.*',
  write: rights.write || '.*',
  read: rights.read || '.*',
})

rule('boundary-empty-pattern', ['BROKER-VHOSTS-01'], 'an empty pattern permits all (001 4.3, regex strings)', {
  rightsOfUser: (original) => (rights) => new Map([...original(rights)].map(([host, one]) => [host, filled(one)])),
})

rule('boundary-first-tag', ['BROKER-TAGS-01'], 'of several tags only the first is given (001 4.3, comma-separated tags)', {
  tagsOfUser: (original) => (role) => original(role).split(',')[0] ?? '',
})

rule('boundary-no-hosts', ['BROKER-VHOSTS-07'], 'a role without virtual hosts permits the default one (001 4.3, vhosts default)', {
  rightsOfUser: (original) => (rights) =>
    rights.size === 0 ? new Map([['/', { configure: '.*', write: '.*', read: '.*' }]]) : original(rights),
})

rule('boundary-ttl-over-max', ['BROKER-LEASE-03'], 'a ttl above max_ttl is granted (001 4.3, max_ttl)', {
  leaseTimes: (original) => (lease, mount) => original(lease.ttl > lease.maxTtl ? { ...lease, maxTtl: lease.ttl } : lease, mount),
})
