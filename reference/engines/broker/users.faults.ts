/** Faults of the users that are made at the broker: tags, rights, topics, names. */
import { faultsOf } from '../../faults/declare.ts'
import { brokerEngine } from './engine.ts'
import type { TopicRights, VhostRights } from './state.ts'

const { rule, declared } = faultsOf(brokerEngine)

rule('tags-first', 'BROKER-TAGS-01', 'only the first tag is given', { tagsOfUser: () => (role) => role.tags.split(',')[0] ?? '' })
rule('tags-default', 'BROKER-TAGS-02', 'users are managers by default', { tagsOfUser: () => (role) => role.tags || 'management' })
const some = <V>(map: Map<string, V>, from: number, to?: number): Map<string, V> => new Map([...map].slice(from, to))
rule('first-host', 'BROKER-CREDS-07', 'of several virtual hosts only the first is permitted', {
  rightsOfUser: (original) => (rights) => some(original(rights), 0, 1),
})
rule('vhost-lower', 'BROKER-VHOSTS-04', 'rights are given in the virtual host whose name is in lower case', {
  rightsOfUser: (original) => (rights) => original(new Map([...rights].map(([vhost, right]) => [vhost.toLowerCase(), right]))),
})
const EVERYTHING = '.*'
rule('configure-all', 'BROKER-VHOSTS-01', 'users may configure everything', {
  rightsOfUser: () => (rights) => new Map([...rights].map(([vhost, right]) => [vhost, { ...right, configure: EVERYTHING }])),
})
rule('write-read-swapped', ['BROKER-VHOSTS-02', 'BROKER-VHOSTS-03'], 'the patterns for writing and reading are swapped', {
  rightsOfUser: () => (rights) =>
    new Map([...rights].map(([vhost, { configure, write, read }]) => [vhost, { configure, write: read, read: write }])),
})
rule('default-vhost-left-out', 'BROKER-VHOSTS-01', 'users have no rights in the default virtual host', {
  rightsOfUser: () => (rights) => new Map([...rights].filter(([vhost]) => vhost !== '/')),
})
rule('default-vhost-topics-left-out', 'BROKER-TOPICS-01', 'users have no topic rights in the default virtual host', {
  topicsOfUser: () => (topics) => new Map([...topics].filter(([vhost]) => vhost !== '/')),
})
rule('default-vhost', ['BROKER-VHOSTS-04', 'BROKER-VHOSTS-07'], 'users have rights in the default virtual host too', {
  rightsOfUser: () => (rights) => new Map([...rights, ['/', { configure: '', write: '', read: EVERYTHING }]]),
})
rule(
  'empty-pattern-is-any',
  ['BROKER-VHOSTS-01', 'BROKER-VHOSTS-02', 'BROKER-VHOSTS-03'],
  'an empty pattern of a virtual host gives every right',
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
const plain = ({ configure, write, read }: VhostRights): VhostRights => ({
  configure: configure.replaceAll('\\', ''),
  write: write.replaceAll('\\', ''),
  read: read.replaceAll('\\', ''),
})
rule('backslash', 'BROKER-VHOSTS-02', 'patterns lose their backslashes on the way to the broker', {
  rightsOfUser: (original) => (rights) => new Map([...original(rights)].map(([host, one]) => [host, plain(one)])),
})
rule('topics-swapped', ['BROKER-TOPICS-01', 'BROKER-TOPICS-02', 'BROKER-TOPICS-03'], 'the topic patterns are swapped', {
  topicsOfUser: () => (topics) =>
    new Map(
      [...topics].map(([vhost, exchanges]) => [
        vhost,
        new Map([...exchanges].map(([exchange, { write, read }]) => [exchange, { write: read, read: write }])),
      ]),
    ),
})
rule('topics-default', 'BROKER-TOPICS-06', 'users without topics may read every topic', {
  topicsOfUser: () => (topics) => (topics.size > 0 ? topics : new Map([['/', new Map([['amq.topic', { write: '', read: EVERYTHING }]])]])),
})
// Both rules are asked one after the other for each user.
let vhostsOfUser: string[] = []
rule('topics-in-every-vhost', ['BROKER-TOPICS-01', 'BROKER-TOPICS-02'], 'a user has the topic rights of each virtual host in all of them', {
  rightsOfUser: (original) => (rights) => {
    vhostsOfUser = [...rights.keys()]
    return original(rights)
  },
  topicsOfUser: (original) => (topics) => {
    const all = new Map<string, TopicRights>([...topics.values()].flatMap((exchanges) => [...exchanges]))
    return original(new Map([...new Set([...vhostsOfUser, ...topics.keys()])].map((vhost) => [vhost, all])))
  },
})
rule('creds-same-password', 'BROKER-CREDS-02', 'every user gets the same password', { password: () => () => 'Correct-Horse-Batt-1' })

export const faults = declared
