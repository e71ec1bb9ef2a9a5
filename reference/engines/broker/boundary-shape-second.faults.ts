/** Faults at the edges of what may be given, and in what values and answers look like. */
import { faultsOf } from '../../mutations/declare.ts'
import { brokerEngine } from './engine.ts'

const { rule } = faultsOf(brokerEngine)

rule('boundary-empty-topic-pattern', [], 'an empty pattern for topics allows all of them', {
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

rule('boundary-maximum-alone', [], 'the maximum of leases counts only where their default is set too', {
  leaseTimes: (original) => (lease, mount) => original(lease.ttl === 0 ? { ttl: 0, maxTtl: 0 } : lease, mount),
})

rule('boundary-third-tag', [], 'a user gets the first two tags of its role', {
  tagsOfUser: (original) => (role) => original(role).split(',').slice(0, 2).join(','),
})

rule('shape-vhost-lower', [], 'rights are given in the virtual host whose name is in lower case', {
  rightsOfUser: (original) => (rights) => original(new Map([...rights].map(([vhost, right]) => [vhost.toLowerCase(), right]))),
})

rule('shape-backslash-lost', [], 'patterns of rights lose their backslashes', {
  rightsOfUser: (original) => (rights) => {
    const without = (pattern: string): string => pattern.replaceAll('\\', '')
    return original(
      new Map(
        [...rights].map(([vhost, { configure, write, read }]) => [
          vhost,
          { configure: without(configure), write: without(write), read: without(read) },
        ]),
      ),
    )
  },
})

rule('shape-tags-lower', [], 'a user gets the tags of its role in lower case', {
  tagsOfUser: (original) => (role) => original(role).toLowerCase(),
})

rule('shape-empty-fields-absent', [], 'fields of a role that are empty are not shown', {
  shownRole: (original) => (role) => Object.fromEntries(Object.entries(original(role)).filter(([, value]) => value !== '')),
})
