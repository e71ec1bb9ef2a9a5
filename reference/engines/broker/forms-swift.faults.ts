/** Faults in the form of what goes in and comes out: text, blanks, case, escapes, null and absence, error bodies. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { brokerEngine } from './engine.ts'
import type { VhostRights } from './state.ts'

const { rule } = faultsOf(brokerEngine)
const core = faultsOf(coreEngine, 'broker')

/** The rights under other names of virtual hosts. */
const renamed = <T>(all: Map<string, T>, name: (vhost: string) => string): Map<string, T> =>
  new Map([...all].map(([vhost, value]) => [name(vhost), value]))

const mapped = (all: Map<string, VhostRights>, change: (pattern: string) => string): Map<string, VhostRights> =>
  new Map(
    [...all].map(([vhost, { configure, write, read }]) => [
      vhost,
      { configure: change(configure), write: change(write), read: change(read) },
    ]),
  )

rule('vhost-lower-case', ['BROKER-CREDS-14'], 'names of virtual hosts are turned to lower case (001 4.3, vhosts: map of virtual host)', {
  rightsOfUser: (original) => (rights) => original(renamed(rights, (vhost) => vhost.toLowerCase())),
})

rule(
  'vhost-leading-slash-cut',
  ['BROKER-VHOSTS-04'],
  'a virtual host that begins with a slash loses it (001 4.3, vhosts: map of virtual host)',
  {
    rightsOfUser: (original) => (rights) => original(renamed(rights, (vhost) => (vhost.length > 1 ? vhost.replace(/^\//, '') : vhost))),
  },
)

rule(
  'pattern-backslashes-lost',
  ['BROKER-VHOSTS-01', 'BROKER-VHOSTS-02'],
  'backslashes of the patterns are lost on the way to the broker (001 4.3, vhosts: regex strings)',
  {
    rightsOfUser: (original) => (rights) => original(mapped(rights, (pattern) => pattern.replaceAll('\\', ''))),
  },
)

rule(
  'exchange-ascii-only',
  ['BROKER-TOPICS-01', 'BROKER-TOPICS-02'],
  'letters beyond ASCII in names of exchanges become question marks (001 4.3, vhost_topics)',
  {
    topicsOfUser: (original) => (topics) =>
      original(
        new Map([...topics].map(([vhost, exchanges]) => [vhost, renamed(exchanges, (exchange) => exchange.replaceAll(/[^ -~]/gu, '?'))])),
      ),
  },
)

rule(
  'topic-write-as-read',
  ['BROKER-TOPICS-02'],
  'the topic pattern for writing is used for reading, too (001 4.3, vhost_topics: write, read)',
  {
    topicsOfUser: (original) => (topics) =>
      original(
        new Map(
          [...topics].map(([vhost, exchanges]) => [
            vhost,
            new Map([...exchanges].map(([exchange, { write }]) => [exchange, { write, read: write }])),
          ]),
        ),
      ),
  },
)

rule(
  'connection-password-trimmed',
  ['BROKER-CONN-01'],
  'blanks at the ends of the password of the connection are cut (001 4.3, config/connection, password)',
  {
    connectionOf: (original) => (body) => {
      const connection = original(body)
      return { ...connection, password: connection.password.trim() }
    },
  },
)

rule(
  'verify-false-overlooked',
  ['BROKER-CONN-07'],
  'verify_connection false is taken for absent, so the connection is verified (001 4.3, verify_connection)',
  {
    verifies: (original) => (body) => original({ ...body, verify_connection: body.verify_connection || null }),
  },
)

rule(
  'object-as-tags',
  ['BROKER-TAGS-04'],
  'an object or a list of objects as tags is stored as text (readings: what cannot be coerced is refused)',
  {
    roleOf: (original) => (body) =>
      original(typeof body.tags === 'object' && body.tags !== null ? { ...body, tags: JSON.stringify(body.tags) } : body),
  },
)

core.rule('put-role-without-topics', ['CORE-WRITE-01'], 'PUT of a role leaves vhost_topics out (000 1.6: PUT and POST are synonyms)', {
  parseBody: (original) => (bytes, request) => {
    const parsed = original(bytes, request)
    if (request.method !== 'PUT' || !request.path.includes('/roles/')) return parsed
    const { vhost_topics: _lost, ...body } = parsed.body
    return { ...parsed, body }
  },
})
