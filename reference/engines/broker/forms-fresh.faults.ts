/** Faults of form: types, escaping, case, blanks, what is absent, what stands in an envelope. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isWrite } from '../../mutations/request-kinds.ts'
import { reply, requestNestedAs } from '../../mutations/wrappers.ts'
import { brokerEngine } from './engine.ts'

const { rule, route } = faultsOf(brokerEngine, 'broker')
const core = faultsOf(coreEngine, 'broker')

rule(
  'fresh-empty-topics-left-out',
  ['BROKER-TOPICS-04'],
  'a role without topic rights is read without `vhost_topics` (001 4.3: `data.vhost_topics`)',
  {
    shownRole: (original) => (role) =>
      Object.fromEntries(Object.entries(original(role)).filter(([field, value]) => field !== 'vhost_topics' || value !== '')),
  },
)

rule(
  'fresh-vhost-escaped-twice',
  ['BROKER-VHOSTS-04'],
  'no credentials for a virtual host whose name has blanks, umlauts or percent signs (001 4.3: `vhosts`)',
  {
    rightsOfUser: (original) => (rights) =>
      new Map([...original(rights)].map(([vhost, right]) => [vhost.split('/').map(encodeURIComponent).join('/'), right])),
  },
)

const anchored = (pattern: string): string => (/^$|^\^|^\.\*/.test(pattern) ? pattern : `^${pattern}$`)

rule(
  'fresh-patterns-anchored',
  ['BROKER-VHOSTS-03'],
  'patterns without `^` are given as whole-name patterns (001 4.3: `configure`, `write`, `read` regex strings)',
  {
    rightsOfUser: (original) => (rights) =>
      new Map(
        [...original(rights)].map(([vhost, { configure, write, read }]) => [
          vhost,
          { configure: anchored(configure), write: anchored(write), read: anchored(read) },
        ]),
      ),
  },
)

rule(
  'fresh-exchange-lowered',
  ['BROKER-TOPICS-01'],
  'topic rights go to the exchange of the lower-case name (001 4.3: `vhost_topics` by exchange)',
  {
    topicsOfUser: (original) => (topics) =>
      new Map(
        [...original(topics)].map(([vhost, exchanges]) => [
          vhost,
          new Map([...exchanges].map(([exchange, right]) => [exchange.toLowerCase(), right])),
        ]),
      ),
  },
)

route(
  'fresh-plus-read-as-blank',
  ['BROKER-ROLE-03'],
  'a role whose name holds a plus sign is not found by a read (001 4.3: GET roles/:name)',
  'broker.readRole',
  (original) => (call) => original({ ...call, params: { ...call.params, name: (call.params.name ?? '').replaceAll('+', ' ') } }),
)

const ascii = (text: string): string => text.replaceAll(/[^ -~\s]/gu, '?')

rule(
  'fresh-role-texts-ascii',
  ['BROKER-VHOSTS-05'],
  'letters beyond ASCII in `vhosts` and `vhost_topics` are stored as question marks (001 4.3; 000 2.1: bodies are JSON)',
  {
    roleOf: (original) => (body) => {
      const role = original(body)
      return { ...role, vhosts: ascii(role.vhosts), vhostTopics: ascii(role.vhostTopics) }
    },
  },
)

route(
  'fresh-nested-maximum-as-none',
  ['BROKER-LEASE-05'],
  'an object as `max_ttl` is taken for none (001 4.3: int seconds; 000 7: 400 for invalid data)',
  'broker.writeLease',
  requestNestedAs('max_ttl'),
)

rule(
  'fresh-vhosts-list-as-none',
  ['BROKER-VHOSTS-06'],
  '`vhosts` that holds a JSON list or null is accepted as no virtual hosts (001 4.3: a JSON-encoded map; 000 7: 400)',
  {
    vhostsOf: (original) => (text) => (/^\s*(\[.*\]|null)\s*$/s.test(text) ? new Map() : original(text)),
  },
)

core.rule(
  'fresh-role-needs-content-type',
  ['CORE-MEDIA-02'],
  'a role is refused without a Content-Type header (000 2.1: clients need not send it)',
  {
    parseBody: (original) => (bytes, request) => {
      const isRole = isWrite(request) && /\/roles\/[^/]+$/.test(request.path)
      if (isRole && bytes.length > 0 && !request.headers['content-type']) throw invalid('the content type is missing')
      return original(bytes, request)
    },
  },
)

core.rule(
  'fresh-period-after-period',
  ['CORE-PERIOD-02'],
  'a name with a period inside may end in one (000 2.1: a path parameter must not end in a period)',
  {
    pathParameterAllowed: (original) => (value) => original(value) || /\..*\.$/s.test(value),
  },
)

route(
  'fresh-role-read-shows-ttl',
  ['CORE-ENV-10'],
  'the read of a role has the configured ttl as its `lease_duration` (000 2.3: 0 when no lease)',
  'broker.readRole',
  reply((given, call) => ({ ...given, body: { ...(given.body as JsonObject), lease_duration: call.state.lease.ttl } })),
)
