/** Faults at the ends of what is counted: empty, first, last, the second of several, exactly at a limit, longer than somebody thought. */
import { secret } from '../../core/envelope.ts'
import { type Json, mapNumbers, plain } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal } from '../../mutations/wrappers.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { isObject, mapped, mappedMembers, mappedTexts } from './loose-words.ts'

const v1 = faultsOf(kv1Engine, 'kv')
const v2 = faultsOf(kv2Engine, 'kv')

v1.rule(
  'edge-list-hundred',
  ['KV-LIST-01'],
  'a listing of version 1 ends after its first hundred names (000 1.5, returns the keys at the path)',
  {
    namesIn: (original) => (keys, directory) => original(keys, directory).sort().slice(0, 100),
  },
)

v2.rule(
  'edge-list-page-joint',
  ['KV-LIST-09'],
  'a listing of version 2 lacks each name where a page of thirty ends (000 1.5, the keys at the path)',
  {
    namesIn: (original) => (keys, directory) =>
      original(keys, directory)
        .sort()
        .filter((_name, index) => index % 31 !== 30),
  },
)

v1.rule('edge-empty-texts-lost', ['KV-V1-06'], 'members whose value is the empty text are not stored (000 4.1, JSON object body; stored)', {
  replaced: (original) => (previous, written) => mappedMembers(original(previous, written), (member) => member !== ''),
})

v2.rule(
  'edge-empty-lists-null',
  ['KV-V2-03'],
  'an empty list inside of an object comes back as null (000 4.1, body has data object, stored)',
  {
    replaced: (original) => (previous, written) =>
      mapped(original(previous, written), (inner) => (Array.isArray(inner) && inner.length === 0 ? null : inner)),
  },
)

v2.rule(
  'edge-versions-by-digits',
  ['KV-V2-12', 'KV-V2-13'],
  'whoever names version 1 also means 10 to 19, for numbers are compared as texts (000 1.8)',
  {
    chosen: () => (named, present) => present.filter((number) => named.some((wanted) => String(number).startsWith(String(wanted)))),
  },
)

v2.rule(
  'edge-latest-by-text',
  ['KV-V2-06'],
  'from the tenth version on a read shows the ninth, for numbers are sorted as texts (000 1.4 and 4.1)',
  {
    latest: (original) => (record, now) => [...record.versions.keys()].sort().at(-1) ?? original(record, now),
  },
)

v2.rule(
  'edge-list-two-levels',
  ['CORE-CAP-11'],
  'a listing shows keys two directories down by the whole path of their directory (000 1.5, returns the keys at the path)',
  {
    namesIn: () => (keys, directory) => {
      const prefix = directory === '' ? '' : `${directory}/`
      const rests = keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length))
      return [...new Set(rests.map((rest) => rest.slice(0, rest.lastIndexOf('/') + 1) || rest))]
    },
  },
)

v1.route(
  'edge-empty-mount-lists',
  ['KV-LIST-05'],
  'the listing of a version 1 mount without any key answers 200 with an empty array (000 1.5, an empty listing returns 404)',
  'kv1.list',
  insteadOfRefusal(
    () => secret({ keys: [] }),
    (call) => call.params.directory === '',
  ),
)

v2.rule(
  'edge-integers-in-lists-rounded',
  ['KV-V2-29'],
  'whole numbers above 2^53 inside of lists are rounded (000 4.1, data object, stored)',
  {
    replaced: (original) => (previous, written) =>
      mapped(original(previous, written), (inner) => (Array.isArray(inner) ? plain(inner) : inner)),
  },
)

v2.rule('edge-integers-of-twenty-digits', ['KV-V2-29'], 'whole numbers of twenty digits and more lose their last ones (000 4.1, stored)', {
  replaced: (original) => (previous, written) =>
    mapNumbers(original(previous, written), (text) => (/^-?\d{20,}$/.test(text) ? `${BigInt(Number(text))}` : text)),
})

v1.rule(
  'edge-texts-cut',
  ['KV-V1-06'],
  'texts of more than 65,535 characters are cut there (000 8, requests of up to 32 MB; 4.1, stored)',
  {
    replaced: (original) => (previous, written) => mappedTexts(original(previous, written), (text) => text.slice(0, 65_535)),
  },
)

v1.rule(
  'edge-keys-cut',
  ['KV-V1-09'],
  'keys are told apart by their first 255 characters only (000 1.4, a secret is read at /v1/secret/<key>)',
  {
    keyOf: (original) => (path) => original(path).slice(0, 255),
  },
)

v2.rule(
  'edge-key-or-directory',
  ['CORE-CAP-11'],
  'a listing shows one entry for a key and the directory of the same name (000 1.5, the keys)',
  {
    namesIn: (original) => (keys, directory) => {
      const names = original(keys, directory)
      return names.filter((name) => !names.includes(`${name}/`))
    },
  },
)

v2.rule('edge-false-lost', ['KV-V2-03'], 'members whose value is false are not stored (000 4.1, body has data object, stored)', {
  replaced: (original) => (previous, written) => mappedMembers(original(previous, written), (member) => member !== false),
})

const flattened = (value: Json, depth: number): Json => {
  if (Array.isArray(value)) return value.map((item) => flattened(item, depth + 1))
  if (!isObject(value)) return value
  if (depth > 4) return null
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, flattened(member, depth + 1)]))
}

v2.rule('edge-depth-five', ['KV-V2-03'], 'objects more than four levels down come back as null (000 4.1, body has data object, stored)', {
  replaced: (original) => (previous, written) => flattened(original(previous, written), 0),
})

v2.rule(
  'edge-sixty-four-members',
  ['KV-V2-03'],
  'of an object with more than 64 members only the first 64 are stored (000 4.1, data object, stored)',
  {
    replaced: (original) => (previous, written) =>
      mapped(original(previous, written), (inner) => (isObject(inner) ? Object.fromEntries(Object.entries(inner).slice(0, 64)) : inner)),
  },
)
