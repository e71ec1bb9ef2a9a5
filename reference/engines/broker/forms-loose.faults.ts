/** Faults in which the same thing looks different by another route, or is taken for another than the one that was sent. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { flagOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning, withBody } from '../../mutations/request-kinds.ts'
import { refusal, reply, replyData, requestNestedAs } from '../../mutations/wrappers.ts'
import { brokerEngine } from './engine.ts'
import { ROLE_ROUTES, renamed } from './loose-words.ts'

const { rule, route } = faultsOf(brokerEngine)
const core = faultsOf(coreEngine, 'broker')

rule('form-tags-lower-case', ['BROKER-TAGS-03'], 'a role shows its tags in lower case (001 4.3, GET roles/:name returns data.tags)', {
  shownRole: (original) => (role) => original({ ...role, tags: role.tags.toLowerCase() }),
})

rule('form-empty-tags-null', [], 'a role without tags shows null (001 4.3, tags, string, default "")', {
  shownRole: (original) => (role) => ({ ...original(role), tags: role.tags || null }),
})

rule(
  'form-read-loses-backslashes',
  ['BROKER-VHOSTS-05'],
  'vhosts on read lack the backslashes of their patterns (001 4.3, regex strings)',
  {
    shownRole: (original) => (role) => original({ ...role, vhosts: role.vhosts.replaceAll('\\\\', '') }),
  },
)

rule('form-user-loses-backslashes', [], 'patterns of users lack the backslashes of the role (001 4.3, regex strings)', {
  rightsOfUser: (original) => (rights) => {
    const bare = (pattern: string) => pattern.replaceAll('\\', '')
    const all = [...original(rights)]
    return new Map(
      all.map(([vhost, right]) => [vhost, { configure: bare(right.configure), write: bare(right.write), read: bare(right.read) }]),
    )
  },
})

rule('form-read-unicode-garbled', [], 'letters beyond ASCII in vhosts are garbled on read (001 4.3, GET roles/:name returns data.vhosts)', {
  shownRole: (original) => (role) => original({ ...role, vhosts: Buffer.from(role.vhosts, 'utf8').toString('latin1') }),
})

rule(
  'form-topic-rights-swapped',
  ['BROKER-TOPICS-01', 'BROKER-TOPICS-02'],
  'users may write to topics what they should read, and the reverse (001 4.3, `write`, `read`)',
  {
    topicsOfUser: (original) => (topics) =>
      new Map(
        [...original(topics)].map(([vhost, exchanges]) => [
          vhost,
          new Map([...exchanges].map(([name, { write, read }]) => [name, { write: read, read: write }])),
        ]),
      ),
  },
)

rule('form-configure-not-shown', [], 'vhosts on read lack configure (001 4.3, object with `configure`, `write`, `read`)', {
  shownRole: (original) => (role) => {
    if (role.vhosts === '') return original(role)
    const all = Object.entries(JSON.parse(role.vhosts) as { [vhost: string]: JsonObject })
    return original({ ...role, vhosts: JSON.stringify(Object.fromEntries(all.map(([vhost, { configure: _, ...rest }]) => [vhost, rest]))) })
  },
})

rule('form-topics-shown-as-vhosts', [], 'a role without vhosts shows its vhost_topics as vhosts (001 4.3, GET roles/:name)', {
  shownRole: (original) => (role) => original({ ...role, vhosts: role.vhosts || role.vhostTopics }),
})

route(
  'form-role-names-ignore-case',
  ['BROKER-ROLE-03', 'BROKER-ROLE-05'],
  'roles whose names differ in upper and lower case only are one (001 4.3, roles/:name)',
  ROLE_ROUTES,
  renamed((name) => name.toLowerCase()),
)

route(
  'form-creds-lower-case',
  [],
  'creds/:name looks for its role in lower case, and a role with capitals is unknown (001 4.3, GET creds/:name)',
  'broker.readCreds',
  renamed((name) => name.toLowerCase()),
)

route(
  'form-delete-stops-at-hyphen',
  ['BROKER-ROLE-05'],
  'deleting a role uses its name up to the first hyphen, and `app-read` stays (001 4.3, DELETE roles/:name)',
  'broker.deleteRole',
  renamed((name) => name.split('-')[0] ?? name),
)

route(
  'form-read-name-stops-at-period',
  [],
  'reading a role uses its name up to the first period, as if an extension followed (001 4.3, GET roles/:name)',
  'broker.readRole',
  renamed((name) => name.split('.')[0] ?? name),
)

route(
  'form-lease-duration-text',
  [],
  'creds show lease_duration as a text (000 2.3, int, seconds)',
  'broker.readCreds',
  reply((given) => withBody(given, (body) => ({ ...body, lease_duration: `${body.lease_duration}s` }))),
)

route(
  'form-role-lease-duration',
  ['CORE-ENV-10'],
  'a read of a role shows the ttl of config/lease as lease_duration (000 2.3, 0 when no lease)',
  'broker.readRole',
  reply((given, call) => withBody(given, (body) => ({ ...body, lease_duration: call.state.lease.ttl }))),
)

route(
  'form-role-renewable-null',
  [],
  'a read of a role shows null as renewable (000 2.3, bool)',
  'broker.readRole',
  reply((given) => withBody(given, (body) => ({ ...body, renewable: null }))),
)

route(
  'form-role-in-a-list',
  [],
  'a read of a role shows its tags as a list where there are several (001 4.3, tags, string, comma-separated)',
  'broker.readRole',
  replyData((data) => (String(data.tags).includes(',') ? { ...data, tags: String(data.tags).split(',') } : data)),
)

core.rule(
  'form-two-periods-allowed',
  ['CORE-PERIOD-01'],
  'a name that ends in two periods is accepted (000 2.1, must not end in a period)',
  {
    pathParameterAllowed: (original) => (value) => original(value) || value.endsWith('..'),
  },
)

core.rule('form-period-400', [], 'a name that ends in a period is refused with 400 (000 2.1, 404 with an unsupported-path error)', {
  unsupportedPathStatus: () => () => 400,
})

core.rule(
  'form-wrong-method-404',
  ['CORE-STATUS-08'],
  'methods that creds/ and roles/ do not have are answered 404 (000 7, 405 unsupported method)',
  {
    wrongMethodStatus: (original) => (method, routes) =>
      routes.some(({ id }) => id === 'broker.readCreds' || id === 'broker.readRole') ? 404 : original(method, routes),
  },
)

core.rule('form-wrong-method-400', [], 'DELETE of config/lease and config/connection is answered 400 (000 7, 405 unsupported method)', {
  wrongMethodStatus: (original) => (method, routes) =>
    method === 'DELETE' && routes.some(({ id }) => /^broker\.write(Lease|Connection)$/.test(id)) ? 400 : original(method, routes),
})

core.rule(
  'form-put-role-unread',
  [],
  'the body of a PUT of a role is not read, so that its defaults hold (000 1.6, PUT and POST are synonyms)',
  {
    parseBody: (original) => (bytes, request) =>
      request.method === 'PUT' && request.path.includes('/roles/') && !isProvisioning(request)
        ? { text: '{}', body: {} }
        : original(bytes, request),
  },
)

core.rule(
  'form-put-lease-unread',
  ['BROKER-LEASE-01'],
  'the body of a PUT of config/lease is not read, so that its defaults hold (000 1.6, synonyms)',
  {
    parseBody: (original) => (bytes, request) =>
      request.method === 'PUT' && request.path.endsWith('/config/lease') ? { text: '{}', body: {} } : original(bytes, request),
  },
)

route(
  'form-tags-object-accepted',
  [],
  'an object for tags is accepted as none (readings: an object for a scalar is refused)',
  'broker.writeRole',
  requestNestedAs('tags'),
)

route(
  'form-ttl-object-accepted',
  [],
  'an object or a nested list for ttl is accepted as none (readings: an object for a scalar is refused)',
  'broker.writeLease',
  requestNestedAs('ttl'),
)

route(
  'form-verify-object-accepted',
  ['BROKER-CONN-10'],
  'an object for verify_connection is accepted as true (readings: an object for a scalar is refused)',
  'broker.writeConnection',
  requestNestedAs('verify_connection'),
)

rule('form-vhosts-any-text', [], 'vhosts that are no JSON are accepted as none (001 4.3, JSON-encoded map; 000 7, 400 invalid data)', {
  vhostsOf: (original) => (text) => {
    try {
      return original(text)
    } catch {
      return new Map()
    }
  },
})

route(
  'form-bad-topics-500',
  ['BROKER-ROLE-02', 'BROKER-TOPICS-05'],
  'vhost_topics that are no JSON are answered 500 (readings: 5xx for bad client input is never a refusal)',
  'broker.writeRole',
  refusal((refused) => (/vhost_topics/.test(refused.message) ? new ApiError(500, refused.message) : refused)),
)

core.rule('form-creds-error-text', [], 'the body of refused creds has a text as errors (000 2.4, array of strings)', {
  failure: (original) => (status, body, request) => {
    const { errors } = body as { errors: string[] }
    const isCreds = request.path.includes('/creds/') && !isProvisioning(request)
    return original(status, isCreds ? { errors: errors.join('; ') } : body, request)
  },
})

rule('form-always-verifies', [], 'a connection is verified although verify_connection is false (001 4.3, verify_connection, bool)', {
  verifies: () => () => true,
})

rule(
  'form-verifies-on-demand',
  ['BROKER-CONN-06'],
  'a connection without verify_connection is not verified (001 4.3, verify_connection, default true)',
  {
    verifies: () => (body) => flagOf(body, 'verify_connection', false),
  },
)

core.rule('form-namespace-first-segment', [], 'of a namespace header with two segments only the first counts (000 2.2, <ns1>/<ns2>/)', {
  effectivePath: (original) => (header, request, namespaces) =>
    original(isProvisioning(request) ? header : header?.split('/').find((segment) => segment !== ''), request, namespaces),
})

core.rule('form-help-as-list', [], 'help is an array of lines (000 1.7, `help` (markdown text))', {
  helpBody: (original) => (help, openapi) => ({ ...original(help, openapi), help: help.split('\n') }),
})
