/** Faults in spelling, types, letter case, and in the same thing by another way. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { brokerEngine } from './engine.ts'
import type { VhostRights } from './state.ts'

const { rule, route } = faultsOf(brokerEngine)

const { rule: core } = faultsOf(coreEngine, 'broker')

rule('shape-tags-list', ['BROKER-TAGS-03'], 'tags read as a list (001 4.3, tags is a string)', {
  shownRole: (original) => (role) => ({ ...original(role), tags: role.tags === '' ? [] : role.tags.split(',') }),
})

rule('shape-topics-twice', ['BROKER-TOPICS-04'], 'vhost_topics reads as JSON text of JSON text (001 4.3, vhost_topics)', {
  shownRole: (original) => (role) => ({ ...original(role), vhost_topics: role.vhostTopics === '' ? '' : JSON.stringify(role.vhostTopics) }),
})

const plain = ({ configure, write, read }: VhostRights): VhostRights => ({
  configure: configure.replaceAll('\\', ''),
  write: write.replaceAll('\\', ''),
  read: read.replaceAll('\\', ''),
})

rule('shape-backslash', ['BROKER-VHOSTS-02'], 'patterns lose their backslashes on the way to the broker (001 4.3, regex strings)', {
  rightsOfUser: (original) => (rights) => new Map([...original(rights)].map(([host, one]) => [host, plain(one)])),
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

rule('shape-password-escaped', ['BROKER-CONN-01'], 'the password of the connection is sent percent-encoded (001 4.3, password)', {
  connectionOf: (original) => (body) => {
    const connection = original(body)
    return { ...connection, password: encodeURIComponent(connection.password) }
  },
})

route(
  'shape-user-upper',
  ['BROKER-CREDS-01'],
  'the user name is shown in upper case (001 4.3, creds)',
  'broker.readCreds',
  replyData((data) => ({ ...data, username: String(data.username).toUpperCase() })),
)

core('shape-put-role', ['CORE-WRITE-01'], 'PUT at roles/ is an unknown path (000 1.6, PUT and POST are synonyms)', {
  effectivePath: (original) => (header, request, namespaces) =>
    original(header, request, namespaces) + (request.method === 'PUT' && /\/(roles|config)\//.test(request.path) ? '/put' : ''),
})

route(
  'shape-role-name-case',
  ['BROKER-ROLE-03'],
  'role names that differ by case are one role (001 4.3, roles/:name)',
  ['broker.writeRole', 'broker.readRole', 'broker.deleteRole', 'broker.readCreds'],
  (original) => (call) => original({ ...call, params: { ...call.params, name: (call.params.name ?? '').toLowerCase() } }),
)
