/** Faults of the broker engine: the same thing in another form. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { brokerEngine } from './engine.ts'

const { rule } = faultsOf(brokerEngine, 'broker')
const core = faultsOf(coreEngine, 'broker')

const latin = (value: Json): Json => (typeof value === 'string' ? Buffer.from(value).toString('latin1') : value)

rule(
  'anew-tags-in-lower-case',
  ['BROKER-TAGS-03'],
  'Tags with capitals are read back and given to users in lower case (001 4.3: `tags` string, `data.tags` on read)',
  {
    roleOf: (original) => (body) => {
      const role = original(body)
      return { ...role, tags: role.tags.toLowerCase() }
    },
  },
)

rule(
  'anew-empty-fields-absent-on-read',
  ['BROKER-TOPICS-04'],
  'A role read lacks `vhosts`, `vhost_topics` or `tags` where they are empty (001 4.3: GET shows all three; defaults `""`)',
  { shownRole: (original) => (role) => Object.fromEntries(Object.entries(original(role)).filter(([, value]) => value !== '')) },
)

rule(
  'anew-role-read-in-latin-1',
  ['BROKER-VHOSTS-05'],
  'Letters beyond ASCII in `tags` and `vhosts` come out garbled on read (001 4.3: GET roles/:name shows what was written; 000 2.1: JSON)',
  {
    shownRole: (original) => (role) => Object.fromEntries(Object.entries(original(role)).map(([field, value]) => [field, latin(value)])),
  },
)

rule(
  'anew-false-taken-for-absent',
  ['BROKER-CONN-07'],
  '`verify_connection` false as a JSON boolean has no effect: the connection is verified (001 4.3: `verify_connection` bool, default true)',
  { verifies: (original) => (body) => body.verify_connection === false || original(body) },
)

rule(
  'anew-explicit-true-verifies-nothing',
  ['BROKER-CONN-10'],
  'With `verify_connection` given as true the connection is not verified, as if any value turned it off (001 4.3: "default true")',
  { verifies: (original) => (body) => body.verify_connection === undefined && original(body) },
)

rule(
  'anew-virtual-host-encoded-twice',
  ['BROKER-VHOSTS-04'],
  'Rights on a virtual host with a blank or letters beyond ASCII fail: its name is encoded twice (001 4.3: "map of virtual host")',
  { rightsOfUser: (original) => (rights) => new Map([...original(rights)].map(([vhost, right]) => [encodeURI(vhost), right])) },
)

rule(
  'anew-patterns-lose-backslashes',
  ['BROKER-VHOSTS-01'],
  'Patterns with a backslash reach the broker without it (001 4.3: "`configure`, `write`, `read` regex strings")',
  {
    rightsOfUser: (original) => (rights) => {
      const bare = (pattern: string): string => pattern.replaceAll('\\', '')
      return new Map(
        [...original(rights)].map(([vhost, { configure, write, read }]) => [
          vhost,
          { configure: bare(configure), write: bare(write), read: bare(read) },
        ]),
      )
    },
  },
)

rule(
  'anew-topic-rights-by-position',
  ['BROKER-TOPICS-01', 'BROKER-TOPICS-02'],
  'Topic rights go by position: where the object names `read` first, the two are swapped (001 4.3: "object with `write`, `read`")',
  {
    topicsOf: (original) => (text) => {
      const topics = original(text)
      for (const [vhost, exchanges] of topics) {
        const given = (JSON.parse(text) as Record<string, Record<string, JsonObject>>)[vhost] ?? {}
        for (const [exchange, right] of exchanges)
          if (Object.keys(given[exchange] ?? {})[0] === 'read') exchanges.set(exchange, { write: right.read, read: right.write })
      }
      return topics
    },
  },
)

rule(
  'anew-list-text-accepted',
  ['BROKER-VHOSTS-06'],
  'A role whose `vhosts` is the text of a list is accepted and gives no rights (001 4.3: "JSON-encoded map"; 000 7: 400 invalid data)',
  { vhostsOf: (original) => (text) => (text.trim().startsWith('[') ? new Map() : original(text)) },
)

rule(
  'anew-blanks-around-map-refused',
  ['BROKER-VHOSTS-04', 'BROKER-VHOSTS-07'],
  'A `vhosts` text that begins with a line break or a blank is refused (001 4.3: "JSON-encoded map", and JSON allows white space)',
  {
    vhostsOf: (original) => (text) => {
      if (/^\s/.test(text)) throw invalid('vhosts must be a JSON object')
      return original(text)
    },
  },
)

core.rule(
  'anew-settings-need-content-type',
  ['CORE-MEDIA-02'],
  'A write of lease settings without a Content-Type header counts as empty (000 2.1: "clients need not send it")',
  {
    parseBody: (original) => (bytes, request) =>
      original(/(^|\/)config\/lease$/.test(request.path) && !request.headers['content-type'] ? new Uint8Array() : bytes, request),
  },
)

core.rule(
  'anew-wrong-method-is-404',
  ['CORE-STATUS-08'],
  'A method that a path of this engine does not have is answered 404 (000 7: 405 "unsupported method for the path")',
  {
    wrongMethodStatus: (original) => (method, routes) =>
      routes.some(({ id }) => id.startsWith('broker.')) ? 404 : original(method, routes),
  },
)
