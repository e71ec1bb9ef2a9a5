/** Faults at the edges of what may be given, and in what values and answers look like. */
import { faultsOf } from '../../mutations/declare.ts'
import { brokerEngine } from './engine.ts'

const { rule } = faultsOf(brokerEngine)

rule('boundary-empty-topic-pattern', ['BROKER-TOPICS-01', 'BROKER-TOPICS-02'], 'an empty pattern for topics allows all of them', {
  topicsOfUser: (original) => (topics) =>
    original(
      new Map(
        [...topics].map(([vhost, exchanges]) => [
          vhost,
          new Map([...exchanges].map(([exchange, { write, read }]) => [exchange, { write: write || '.*', read: read || '.*' }])),
        ]),
      ),
    ),
})

rule('boundary-maximum-alone', 'BROKER-LEASE-03', 'the maximum of leases counts only where their default is set too', {
  leaseTimes: (original) => (lease, mount) => original(lease.ttl === 0 ? { ttl: 0, maxTtl: 0 } : lease, mount),
})

rule('boundary-third-tag', 'BROKER-TAGS-01', 'a user gets the first two tags of its role', {
  tagsOfUser: (original) => (role) => original(role).split(',').slice(0, 2).join(','),
})

rule('shape-vhost-lower', 'BROKER-VHOSTS-04', 'rights are given in the virtual host whose name is in lower case', {
  rightsOfUser: (original) => (rights) => original(new Map([...rights].map(([vhost, right]) => [vhost.toLowerCase(), right]))),
})

rule('shape-tags-lower', 'BROKER-TAGS-01', 'a user gets the tags of its role in lower case', {
  tagsOfUser: (original) => (role) => original(role).toLowerCase(),
})

rule(
  'shape-empty-fields-absent',
  ['BROKER-TAGS-03', 'BROKER-VHOSTS-05', 'BROKER-TOPICS-04'],
  'fields of a role that are empty are not shown',
  {
    shownRole: (original) => (role) => Object.fromEntries(Object.entries(original(role)).filter(([, value]) => value !== '')),
  },
)
