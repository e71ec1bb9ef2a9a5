/** Faults of form: the same thing written or shown otherwise, types, escapes, case, blanks, unicode. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { reply } from '../../mutations/wrappers.ts'
import { brokerEngine } from './engine.ts'
import type { VhostRights } from './state.ts'
import { type BrokerCall, brokerRequests } from './west-help.ts'

const { rule, route } = faultsOf(brokerEngine, 'broker')
const core = faultsOf(coreEngine, 'broker')

rule('west-tags-in-lower-case', 'BROKER-TAGS-01', 'users get tags in lower case, however the role writes them (001 4.3: tags)', {
  tagsOfUser: (original) => (role) => original(role).toLowerCase(),
})

rule(
  'west-empty-texts-not-shown',
  'BROKER-TOPICS-04',
  'fields of a role that are empty are missing when it is read (001 4.3: data.tags, data.vhosts, data.vhost_topics)',
  {
    shownRole: (original) => (role) => Object.fromEntries(Object.entries(original(role)).filter(([, value]) => value !== '')),
  },
)

rule(
  'west-blank-in-vhost-is-plus',
  'BROKER-VHOSTS-04',
  'rights on a virtual host with a blank in its name go to the name with a plus (001 4.3: vhosts)',
  {
    rightsOfUser: (original) => (rights) => new Map([...original(rights)].map(([vhost, right]) => [vhost.replaceAll(' ', '+'), right])),
  },
)

const unescaped = (text: string): string => text.replaceAll('\\', '')
rule('west-backslashes-lost', 'BROKER-VHOSTS-01', 'patterns reach the broker without their backslashes (001 4.3: vhosts, regex strings)', {
  rightsOfUser: (original) => (rights) =>
    new Map(
      [...original(rights)].map(([vhost, { configure, write, read }]): [string, VhostRights] => [
        vhost,
        { configure: unescaped(configure), write: unescaped(write), read: unescaped(read) },
      ]),
    ),
})

const decoded = brokerRequests()
core.rule(
  'west-body-as-latin1',
  'BROKER-VHOSTS-05',
  'request bodies are read as Latin-1, so that letters beyond ASCII come back as two (000 2.1: bodies are JSON)',
  {
    ...decoded.locating,
    parseBody: (original) => (bytes, request) =>
      original(decoded.here() ? Buffer.from(Buffer.from(bytes).toString('latin1'), 'utf8') : bytes, request),
  },
)

rule(
  'west-white-space-before-json',
  'BROKER-VHOSTS-01',
  'a text of virtual hosts that begins with white space counts as empty (001 4.3: vhosts, JSON-encoded)',
  {
    vhostsOf: (original) => (text) => original(/^\s+\S/.test(text) ? '' : text),
  },
)

rule(
  'west-array-of-topics',
  'BROKER-TOPICS-05',
  'a JSON array as vhost_topics is accepted and gives no rights (001 4.3: vhost_topics, JSON-encoded map)',
  {
    topicsOf: (original) => (text) => original(/^\s*\[/.test(text) ? '' : text),
  },
)

const written = brokerRequests()
core.rule('west-roles-by-post-only', 'CORE-MEDIA-02', 'a role cannot be written with PUT (000 1.6: PUT and POST are synonyms)', {
  ...written.locating,
  check: (original) => (call, asked) => {
    if (asked.id === 'broker.writeRole' && written.latest().verb === 'PUT') throw new ApiError(405, 'unsupported operation')
    original(call, asked)
  },
})

route(
  'west-no-lease-is-null',
  'CORE-ENV-10',
  'lease_id of a role that is read is null (000 2.3: lease_id, empty string when no lease)',
  'broker.readRole',
  reply<BrokerCall>((given) => withBody(given, (body) => ({ ...body, lease_id: null }))),
)

const helped = brokerRequests()
core.rule(
  'west-help-paths-from-root',
  'CORE-HELP-03',
  'help of a path below the mount shows paths from the root (000 1.7: relative to the queried path)',
  {
    ...helped.locating,
    helpPath: (original) => (relative, queried) =>
      helped.here() && helped.latest().rest !== '' ? `/${queried}${original(relative, queried)}` : original(relative, queried),
  },
)

const named = brokerRequests()
core.rule(
  'west-name-ending-in-period',
  'CORE-PERIOD-02',
  'a role whose name ends in a period is accepted (000 2.1: path parameters; 7: 404)',
  {
    ...named.locating,
    pathParameterAllowed: (original) => (value) => named.here() || original(value),
  },
)

rule(
  'west-explicit-true-not-verified',
  'BROKER-CONN-06',
  'verify_connection sent as true verifies nothing, leaving it out does (001 4.3: verify_connection, bool)',
  {
    verifies: (original) => (body) => body.verify_connection !== true && original(body),
  },
)
