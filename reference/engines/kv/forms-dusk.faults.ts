/** Faults of form: the same by another route or verb, absent against null, text forms, blanks, unicode, escaping. */
import { coreEngine } from '../../core/core-engine.ts'
import { durationOf } from '../../core/durations.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { plain } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isMembers, kvRequests, mapTexts } from './dusk-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const v1 = faultsOf(kv1Engine, 'kv')
const v2 = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')
const requests = kvRequests()
const { locating } = requests

v1.route(
  'dusk-get-lists-no-directories',
  'KV-LIST-02',
  'GET with list=true leaves out the directories that LIST shows (000 1.5: either the verb LIST, or GET with list=true)',
  'kv1.list',
  (original) => (call) => {
    if (call.query.get('list') !== 'true') return original(call)
    const namesIn = (keys: string[], directory: string) => call.rules.namesIn(keys, directory).filter((name) => !name.endsWith('/'))
    return original({ ...call, rules: { ...call.rules, namesIn } })
  },
)

core.change(
  'dusk-put-numbers-as-doubles',
  'KV-V2-29',
  'whole numbers beyond 2^53 written with PUT are rounded, with POST they are not (000 1.6: synonyms; 4.1: stored)',
  {
    rules: {
      ...locating,
      parseBody: (original) => (bytes, request) => {
        const parsed = original(bytes, request)
        return requests.of(request)?.method === 'PUT' ? { ...parsed, text: JSON.stringify(parsed.body) } : parsed
      },
    },
  },
)

v1.rule('dusk-astral-characters-lost', 'KV-V1-06', 'characters beyond U+FFFF become question marks (000 4.1: JSON object body; stored)', {
  replaced: (original) => (previous, written) =>
    mapTexts(original(previous, written), (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '?')),
})

v2.rule('dusk-trailing-blanks-lost', 'KV-V2-03', 'texts lose line ends and blanks at their end (000 4.1: body has data object; 1.4)', {
  replaced: (original) => (previous, written) => mapTexts(original(previous, written), (text) => text.trimEnd()),
})

const unfolded = (written: Json): Json => {
  if (!isMembers(written)) return written
  const members = Object.entries(written).map(([name, member]): [string, Json] => {
    const [first = '', ...rest] = name.split('.')
    return [first, rest.reduceRight<Json>((inner, part) => ({ [part]: inner }), member)]
  })
  return Object.fromEntries(members)
}
v2.rule(
  'dusk-dotted-names-unfolded',
  'KV-V2-03',
  'a member `db.host` becomes an object `db` with a member `host` (000 4.1: body has data object; 1.4)',
  {
    replaced: (original) => (previous, written) => unfolded(original(previous, written)),
  },
)

v1.rule(
  'dusk-member-ttl-as-lease',
  'CORE-ENV-11',
  'an object with a member `ttl` shows it as lease_duration (000 2.3: lease_duration is 0 when no lease)',
  {
    shown: (original) => (stored, defaultTtl) => {
      const reply = original(stored, defaultTtl)
      const { ttl } = plain(stored) as JsonObject
      const isDuration = typeof ttl === 'number' ? ttl >= 0 : typeof ttl === 'string' && /^\d+[smh]?$/.test(ttl)
      if (!isDuration) return reply
      return { ...reply, body: { ...(reply.body as JsonObject), lease_duration: Math.floor(durationOf(ttl, 'ttl', 0)) } }
    },
  },
)

v2.rule(
  'dusk-inner-data-unwrapped',
  'KV-V2-03',
  'an object whose only member is an object `data` is kept as that (000 4.1: body has data object; 1.4)',
  {
    replaced: (original) => (previous, written) => {
      const kept = original(previous, written)
      return isMembers(kept) && Object.keys(kept).length === 1 && isMembers(kept.data) ? kept.data : kept
    },
  },
)

v2.route(
  'dusk-body-without-data-stored',
  'KV-V2-04',
  'a v2 body without `data` is stored as it is, in the manner of v1 (000 4.1: body has data object; 7: 400 missing data)',
  'kv2.write',
  (original) => (call) => {
    const isBare = Object.keys(call.body).length > 0 && !('data' in call.body) && !('options' in call.body)
    return original(isBare ? { ...call, text: `{"data":${call.text}}`, body: { data: call.body } } : call)
  },
)

core.change(
  'dusk-empty-listing-errors-null',
  'CORE-ERROR-01',
  'the 404 of an empty listing has null for `errors` (000 2.4: errors is an array of strings)',
  {
    rules: {
      ...locating,
      failure: (original) => (status, body, request) => {
        const isListing = request.method === 'LIST' || request.query.get('list') === 'true'
        return original(status, requests.of(request) && isListing && status === 404 ? { errors: null } : body, request)
      },
    },
  },
)

core.change(
  'dusk-help-relative-to-mount',
  'CORE-HELP-03',
  'paths in `openapi` are relative to the mount, whatever is asked below it (000 1.7: relative to the queried path)',
  {
    rules: {
      ...locating,
      helpPath: (original) => (relative, queried) => {
        const request = requests.latest()
        const rest = request ? queried.slice(request.mount.length).replace(/\/$/, '') : ''
        return rest === '' ? original(relative, queried) : `/${rest}${original(relative, queried).replace(/^\/$/, '')}`
      },
    },
  },
)

v2.rule(
  'dusk-plus-in-key-as-blank',
  'KV-LIST-09',
  'a plus sign in a key counts as a blank (000 4.1: POST data/<key>; 1.5: the keys at the path)',
  {
    keyOf: (original) => (path) => original(path.replaceAll('+', ' ')),
  },
)
