/** Faults of form: case, escaping, line breaks, unicode, types, absent fields, bodies of answers. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { reply, requestNestedAs } from '../../mutations/wrappers.ts'
import { brokerEngine } from './engine.ts'
import { type BrokerCall, here, noticing, toBroker } from './north-help.ts'
import type { TopicRights } from './state.ts'

const { rule, route } = faultsOf(brokerEngine, 'broker')
const core = faultsOf(coreEngine, 'broker')

rule(
  'north-tags-in-lower-case',
  'BROKER-TAGS-01',
  'users get the tags of their role in lower case (001 4.3: tags, comma-separated management tags)',
  {
    tagsOfUser: (original) => (role) => original(role).toLowerCase(),
  },
)

route(
  'north-object-of-tags-is-none',
  'BROKER-TAGS-04',
  'an object for tags is accepted as no tags (001 4.3: tags, string; 000 7: 400, invalid data)',
  'broker.writeRole',
  requestNestedAs<BrokerCall>('tags', ''),
)

rule(
  'north-leading-slash-cut-from-vhosts',
  'BROKER-VHOSTS-04',
  'a virtual host whose name begins with a slash is looked for without it, save / itself (001 4.3: vhosts, map of virtual host)',
  {
    rightsOfUser: (original) => (rights) => new Map([...original(rights)].map(([vhost, right]) => [vhost.replace(/^\/(?=.)/, ''), right])),
  },
)

const unescaped = (text: string): string => text.replace(/\\(.)/g, '$1')
rule(
  'north-backslashes-lost-in-patterns',
  'BROKER-VHOSTS-04',
  'patterns are unescaped a second time, so that \\. becomes a dot (001 4.3: vhosts, configure, write, read regex strings)',
  {
    rightsOfUser: (original) => (rights) =>
      new Map(
        [...original(rights)].map(([vhost, { configure, write, read }]) => [
          vhost,
          { configure: unescaped(configure), write: unescaped(write), read: unescaped(read) },
        ]),
      ),
  },
)

/** A binding's routing key as a regular expression; the usual pattern for everything stays. */
const fromRoutingKey = (text: string): string => (text === '.*' ? text : text.replaceAll('*', '[^.]+').replaceAll('#', '.*'))
const translated = ({ write, read }: TopicRights): TopicRights => ({ write: fromRoutingKey(write), read: fromRoutingKey(read) })
rule(
  'north-topic-patterns-as-routing-keys',
  'BROKER-TOPICS-01',
  'the star in topic patterns is taken for that of routing keys, one word (001 4.3: vhost_topics, object with write, read as vhosts)',
  {
    topicsOfUser: (original) => (topics) =>
      new Map(
        [...original(topics)].map(([vhost, exchanges]) => [
          vhost,
          new Map([...exchanges].map(([exchange, rights]) => [exchange, translated(rights)])),
        ]),
      ),
  },
)

rule(
  'north-json-in-one-line-only',
  'BROKER-VHOSTS-07',
  'vhosts written over several lines are refused (001 4.3: vhosts, JSON-encoded map)',
  {
    vhostsOf: (original) => (text) => {
      if (text !== '' && !/^\{.*\}$/.test(text)) throw invalid('vhosts is not JSON')
      return original(text)
    },
  },
)

rule(
  'north-unset-topics-not-shown',
  'BROKER-TOPICS-04',
  'a role without topic rights is read without vhost_topics (001 4.3: GET roles/:name, data.tags, data.vhosts, data.vhost_topics)',
  {
    shownRole: (original) => (role) => {
      const { vhost_topics: topics, ...rest } = original(role)
      return topics === undefined || topics === '' ? rest : { ...rest, vhost_topics: topics }
    },
  },
)

rule(
  'north-admin-password-percent-encoded',
  'BROKER-CONN-01',
  'the password of the connection is percent-encoded, so that one with other signs fails (001 4.3: config/connection, password string)',
  {
    connectionOf: (original) => (body) => {
      const connection = original(body)
      return { ...connection, password: encodeURIComponent(connection.password) }
    },
  },
)

route(
  'north-role-read-with-lease-duration',
  'CORE-ENV-10',
  'a role read shows the configured ttl as its lease_duration (000 2.3: lease_duration, 0 when no lease)',
  'broker.readRole',
  reply((given, call) => withBody(given, (body) => ({ ...body, lease_duration: call.state.lease.ttl }))),
)

core.rule(
  'north-lease-needs-content-type',
  'CORE-MEDIA-02',
  'lease times without a JSON content type are refused (000 2.1: clients need not send Content-Type)',
  {
    ...noticing,
    parseBody: (original) => (bytes, request) => {
      const isJson = /json/i.test(request.headers['content-type'] ?? '')
      if (!isJson && toBroker(request) && /(^|\/)config\/lease$/.test(request.path)) throw new ApiError(415, 'JSON is expected')
      return original(bytes, request)
    },
  },
)

core.rule(
  'north-period-behind-name-allowed',
  'CORE-PERIOD-02',
  'a role name that ends in a period is refused only where it is nothing but periods (000 2.1: a path parameter must not end in a period)',
  {
    ...noticing,
    pathParameterAllowed: (original) => (value) => original(value) || (here() && /[^.]/.test(value)),
  },
)
