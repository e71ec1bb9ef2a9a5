/** Faults of the broker engine in which the same thing, said in another way, is taken otherwise. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestNestedAs } from '../../mutations/wrappers.ts'
import { type BrokerCall, renamed } from './anew-help.ts'
import { brokerEngine } from './engine.ts'
import { beforehand, withPatterns, withRights } from './later-help.ts'

const { rule, route } = faultsOf(brokerEngine, 'broker')

rule(
  'later-vhosts-in-lower-case',
  ['BROKER-VHOSTS-04'],
  'names of virtual hosts are taken in lower case (001 4.3: `vhosts`: map of virtual host)',
  {
    rightsOfUser: (original) => (rights) => withRights(original(rights), (vhost, right) => [vhost.toLowerCase(), right]),
  },
)

rule(
  'later-vhosts-encoded-twice',
  ['BROKER-VHOSTS-04'],
  'users get no rights in virtual hosts with blanks or letters beyond ASCII in their names (001 4.3: `vhosts`: map of virtual host)',
  { rightsOfUser: (original) => (rights) => withRights(original(rights), (vhost, right) => [encodeURI(vhost), right]) },
)

rule(
  'later-backslashes-lost',
  ['BROKER-VHOSTS-01'],
  'patterns reach the broker without their backslashes (001 4.3: `configure`, `write`, `read` regex strings)',
  {
    rightsOfUser: (original) => (rights) =>
      withRights(original(rights), (vhost, right) => [vhost, withPatterns(right, (pattern) => pattern.replaceAll('\\', ''))]),
  },
)

rule(
  'later-rights-by-position',
  ['BROKER-VHOSTS-01'],
  'rights are taken in the order in which they are written, whatever their names (001 4.3: `configure`, `write`, `read`)',
  {
    vhostsOf: (original) => (text) => {
      const named = original(text)
      const written = text === '' ? {} : (JSON.parse(text) as Record<string, Record<string, string>>)
      return withRights(named, (vhost, right) => {
        const [configure, write, read] = Object.values(written[vhost] ?? {})
        return [vhost, configure !== undefined && write !== undefined && read !== undefined ? { configure, write, read } : right]
      })
    },
  },
)

rule(
  'later-tags-read-as-list',
  ['BROKER-TAGS-03'],
  'several tags read as an array, one as a string (001 4.3: `tags` string, comma-separated)',
  {
    shownRole: (original) => (role) => ({ ...original(role), ...(role.tags.includes(',') ? { tags: role.tags.split(',') } : {}) }),
  },
)

rule(
  'later-empty-fields-left-out',
  ['BROKER-TOPICS-04'],
  'a read leaves out what is empty (001 4.3: `data.tags`, `data.vhosts`, `data.vhost_topics`; default `""`)',
  {
    shownRole: (original) => (role) => Object.fromEntries(Object.entries(original(role)).filter(([, value]) => value !== '')),
  },
)

rule(
  'later-unicode-garbled-on-read',
  ['BROKER-VHOSTS-05'],
  'a read garbles letters beyond ASCII in `vhosts` and `vhost_topics` (001 4.3: `data.vhosts`)',
  {
    shownRole: (original) => (role) => {
      const garbled = (text: string) => Buffer.from(text).toString('latin1')
      return original({ ...role, vhosts: garbled(role.vhosts), vhostTopics: garbled(role.vhostTopics) })
    },
  },
)

route(
  'later-creds-in-lower-case',
  ['CORE-NAME-01'],
  'roles with capital letters in their names are unknown where credentials are asked for (001 4.3: `creds/:name`)',
  'broker.readCreds',
  renamed((name) => name.toLowerCase()),
)

route(
  'later-explicit-default-refused',
  ['BROKER-ROLE-01'],
  '`vhost_topics` sent as its default, the empty text, is refused as no JSON (001 4.3: `vhost_topics` default `""`)',
  'broker.writeRole',
  beforehand(({ body }) => {
    if (body.vhost_topics === '') throw invalid('vhost_topics is not JSON')
  }),
)

route(
  'later-nested-maximum-is-none',
  ['BROKER-LEASE-05'],
  'an object or a list for `max_ttl` is taken for 0 (001 4.3: `max_ttl` int seconds; 000 7: 400 invalid data)',
  'broker.writeLease',
  requestNestedAs<BrokerCall>('max_ttl', 0),
)

rule(
  'later-list-is-a-map',
  ['BROKER-TOPICS-05'],
  'a JSON list in `vhost_topics` is accepted and stands for no rights (001 4.3: JSON-encoded map; 000 7: 400)',
  {
    topicsOf: (original) => (text) => (/^\s*\[.*\]\s*$/s.test(text) ? new Map() : original(text)),
  },
)
