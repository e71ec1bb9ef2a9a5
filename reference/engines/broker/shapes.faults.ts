import { faultsOf } from '../../mutations/declare.ts'
import { brokerEngine } from './engine.ts'

const { rule, route } = faultsOf(brokerEngine)

rule('shape-tags-list', ['BROKER-TAGS-03'], 'tags read as a list (001 4.3, tags is a string)', {
  shownRole: (original) => (role) => ({ ...original(role), tags: role.tags === '' ? [] : role.tags.split(',') }),
})

rule('shape-topics-twice', ['BROKER-TOPICS-04'], 'vhost_topics reads as JSON text of JSON text (001 4.3, vhost_topics)', {
  shownRole: (original) => (role) => ({ ...original(role), vhost_topics: role.vhostTopics === '' ? '' : JSON.stringify(role.vhostTopics) }),
})

rule(
  'shape-read-and-write',
  ['BROKER-TOPICS-01', 'BROKER-TOPICS-02', 'BROKER-TOPICS-03'],
  'topic rights for reading are given for writing and the reverse where both are stated (001 4.3, vhost_topics)',
  {
    topicsOfUser: (original) => (topics) =>
      new Map(
        [...original(topics)].map(([host, exchanges]) => [
          host,
          new Map([...exchanges].map(([exchange, { write, read }]) => [exchange, { write: read, read: write }])),
        ]),
      ),
  },
)

route(
  'shape-role-name-case',
  ['BROKER-ROLE-03'],
  'role names that differ by case are one role (001 4.3, roles/:name)',
  ['broker.writeRole', 'broker.readRole', 'broker.deleteRole', 'broker.readCreds'],
  (original) => (call) => original({ ...call, params: { ...call.params, name: (call.params.name ?? '').toLowerCase() } }),
)
