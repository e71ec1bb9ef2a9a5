/** Faults of forms: the same value, name or listing written another way. */
import type { Json, JsonObject } from '../../core/json.ts'
import { plain } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { isObject, withMembers, withTexts } from './anew-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const kv1 = faultsOf(kv1Engine, 'kv')
const kv2 = faultsOf(kv2Engine, 'kv')

type Replaced = (previous: Json | undefined, written: Json) => Json

const storing =
  (change: (written: Json) => Json) =>
  (original: Replaced): Replaced =>
  (previous, written) =>
    original(previous, change(written))

kv2.rule(
  'anew-key-without-blanks-around',
  ['CORE-CAP-03'],
  'keys that differ by blanks at an end are one (000 1.4: "/v1/secret/data/<key>")',
  {
    keyOf: (original) => (path) => original(path.trim()),
  },
)

kv1.route(
  'anew-get-listing-with-directory',
  ['CORE-LIST-02'],
  'GET with list=true names keys of a directory by their whole path, LIST by their name (000 1.5: "either the verb LIST, or GET")',
  'kv1.list',
  replyData((data, call) => {
    const { directory } = call.params
    if (!directory || call.query.get('list') !== 'true' || !Array.isArray(data.keys)) return data
    return { ...data, keys: data.keys.map((name) => `${directory}/${name}`) }
  }),
)

kv2.rule('anew-null-member-dropped', ['CORE-CAP-07'], 'members that are null are absent when read (000 4.1: "body has data object")', {
  replaced: storing((written) => withMembers(written, (entries) => entries.filter(([, value]) => value !== null))),
})

kv1.rule('anew-digits-become-number', ['KV-V1-06'], 'a string of digits comes back as a number (000 4.1: "JSON object body; stored")', {
  replaced: storing((written) => withTexts(written, (text) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : text))),
})

kv2.rule('anew-trailing-blanks-lost', ['KV-V2-03'], 'strings lose blanks and line ends at their end (000 4.1: "body has data object")', {
  replaced: storing((written) => withTexts(written, (text) => text.trimEnd())),
})

kv2.rule(
  'anew-backslash-unescaped-twice',
  ['KV-V2-03'],
  'a backslash before n or t in a string becomes a line end or a tab (000 2.1, 4.1)',
  {
    replaced: storing((written) => withTexts(written, (text) => text.replace(/\\([nt])/g, (_, letter) => (letter === 'n' ? '\n' : '\t')))),
  },
)

kv1.rule('anew-characters-beyond-three-bytes', ['KV-V1-06'], 'characters of four bytes in UTF-8 come back as U+FFFD (000 4.1: "stored")', {
  replaced: storing((written) => withTexts(written, (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd'))),
})

kv1.rule(
  'anew-v1-data-member-unwrapped',
  ['KV-V1-06'],
  'an object whose only member is an object called data is stored without it, as if for v2 (000 1.4: v2 "inserts data/", v1 does not)',
  {
    replaced: storing((written) =>
      isObject(written) && Object.keys(written).join() === 'data' && isObject(written.data) ? written.data : written,
    ),
  },
)

kv1.rule(
  'anew-ttl-member-shown-as-lease',
  ['CORE-ENV-11'],
  'an object with a number as member ttl is read with that lease_duration (000 2.3: "0 when no lease")',
  {
    shown: (original) => (stored, defaultTtl) => {
      const { ttl } = plain(stored) as JsonObject
      const given = original(stored, defaultTtl)
      return typeof ttl === 'number' ? withBody(given, (body) => ({ ...body, lease_duration: Math.floor(ttl) })) : given
    },
  },
)
