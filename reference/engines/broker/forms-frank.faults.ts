/** Faults of form: the same shown by another route, absent values, types, lists as text, escapes, case, blanks. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { brokerEngine } from './engine.ts'
import { eachPattern, nameOf, withName } from './frank-help.ts'

const { rule, route } = faultsOf(brokerEngine, 'broker')
const core = faultsOf(coreEngine, 'broker')

route(
  'frank-several-tags-read-as-list',
  'BROKER-TAGS-03',
  'several tags are read as a list where one tag is a text (001 4.3: GET roles/:name, data.tags; tags is a string)',
  'broker.readRole',
  replyData((data) => (String(data.tags).includes(',') ? { ...data, tags: String(data.tags).split(',') } : data)),
)

rule(
  'frank-vhost-escaped-twice',
  'BROKER-VHOSTS-04',
  'rights are asked for a vhost whose name is already escaped, which fails for blanks and for other letters (001 4.3: vhosts, map of virtual host)',
  {
    rightsOfUser: (original) => (rights) => new Map([...original(rights)].map(([vhost, right]) => [encodeURI(vhost), right])),
  },
)

rule(
  'frank-tags-joined-by-blank',
  'BROKER-TAGS-01',
  'a user gets the tags of its role as one, with blanks between (001 4.3: tags, comma-separated)',
  {
    tagsOfUser: (original) => (role) => original(role).replaceAll(/\s*,\s*/g, ' '),
  },
)

rule(
  'frank-backslashes-lost',
  'BROKER-VHOSTS-04',
  'backslashes are lost from the expressions of vhosts (001 4.3: configure, write, read regex strings)',
  {
    rightsOfUser: (original) => (rights) => eachPattern(original(rights), (pattern) => pattern.replaceAll(/\\(.)/g, '$1')),
  },
)

route(
  'frank-lease-shown-uncapped',
  'BROKER-LEASE-03',
  'lease_duration is the ttl of the settings even where max_ttl makes the lease shorter (000 2.3: lease_duration; 001 4.3: max_ttl)',
  'broker.readCreds',
  (original) => async (call) => {
    const reply = await original(call)
    const { ttl } = call.state.lease
    return ttl > 0 ? { ...reply, body: { ...(reply.body as JsonObject), lease_duration: ttl } } : reply
  },
)

route(
  'frank-plus-written-as-blank',
  'BROKER-ROLE-03',
  'a role whose name holds a plus is stored under one with a blank, as in query strings, and not found under its own (001 4.3: roles/:name)',
  'broker.writeRole',
  (original) => (call) => original(withName(call, nameOf(call).replaceAll('+', ' '))),
)

rule(
  'frank-username-shown-in-lower-case',
  'BROKER-CREDS-01',
  'the name of a role with capitals is shown in lower case within the username, which the broker does not know (001 4.3: creds, data.username)',
  {
    shownCredential: (original) => (username, password) =>
      original(
        username.replace(/^s-[^-]*/, (role) => role.toLowerCase()),
        password,
      ),
  },
)

core.rule(
  'frank-last-period-dropped',
  'CORE-PERIOD-02',
  'a period at the end of a role name is dropped, and the role without it is meant (000 2.1: a path parameter must not end in a period, 404)',
  {
    pathBelow: (original) => (mount, path, type) => {
      const rest = original(mount, path, type)
      return type === 'broker' ? rest.replace(/\.$/, '') : rest
    },
  },
)

rule(
  'frank-json-must-begin-with-brace',
  'BROKER-VHOSTS-07',
  'vhosts with white space around its JSON is refused (001 4.3: vhosts, JSON-encoded map)',
  {
    vhostsOf: (original) => (text) => {
      if (text !== '' && !/^\{.*\}$/s.test(text)) throw invalid('vhosts is not JSON')
      return original(text)
    },
  },
)

core.rule(
  'frank-settings-by-header-only',
  'CORE-NS-03',
  'the connection and the lease settings of a namespace are found by header, but not by a path that begins with it (000 2.2: both are equivalent)',
  {
    namespaceOf: (original) => (effectivePath, namespaces, header) =>
      header === undefined && /(^|\/)config\/(connection|lease)$/.test(effectivePath) ? '' : original(effectivePath, namespaces, header),
  },
)

rule(
  'frank-broken-json-is-none',
  'BROKER-TOPICS-05',
  'a text in vhost_topics that is no JSON counts as none (001 4.3: vhost_topics, JSON-encoded map; 000 7: 400, invalid data)',
  {
    topicsOf: (original) => (text) => {
      try {
        return original(text)
      } catch {
        return new Map()
      }
    },
  },
)
