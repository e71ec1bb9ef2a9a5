/** Empty, one, many, the last, the second of a list, and sizes at which something gives way. */
import { ApiError } from '../../core/errors.ts'
import { type Json, type JsonObject, mapNumbers } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import type { Kv2Call } from './kv2-data.ts'

const v1 = faultsOf(kv1Engine, 'kv')
const v2 = faultsOf(kv2Engine, 'kv')

/** Exact numbers are objects as well, but no plain ones. */
const isPlain = (value: Json): value is JsonObject =>
  value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype

const members = (value: Json, change: (entries: [string, Json][]) => [string, Json][]): Json =>
  isPlain(value) ? Object.fromEntries(change(Object.entries(value))) : value

const emptyListsAsNull = (value: Json): Json => {
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(emptyListsAsNull)
  return members(value, (entries) => entries.map(([name, member]) => [name, emptyListsAsNull(member)]))
}

v1.rule(
  'fresh-v1-list-hundred',
  ['KV-LIST-01'],
  'a listing ends after 100 names, without any hint at more (000 1.5: returns the keys at the path)',
  {
    namesIn: (original) => (keys, directory) => original(keys, directory).sort().slice(0, 100),
  },
)

v1.rule(
  'fresh-v1-empty-text-dropped',
  ['KV-V1-06'],
  'members whose value is the empty text are not stored (000 4.1: JSON object body; stored)',
  {
    replaced: (original) => (previous, written) =>
      members(original(previous, written), (entries) => entries.filter(([, value]) => value !== '')),
  },
)

v1.rule(
  'fresh-v1-key-cut-at-255',
  ['KV-V1-09'],
  'keys are cut to 255 characters, so that long ones that begin alike are one object (000 1.4: written with POST on the same path)',
  { keyOf: (original) => (path) => original(path).slice(0, 255) },
)

v1.rule(
  'fresh-v1-text-cut-at-64k',
  ['KV-V1-06'],
  'text values are cut to 65535 characters without a word (000 4.1: JSON object body; stored)',
  {
    replaced: (original) => (previous, written) =>
      members(original(previous, written), (entries) =>
        entries.map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, 65_535) : value]),
      ),
  },
)

v2.route(
  'fresh-undelete-first-only',
  ['KV-V2-09'],
  'of several versions named, undelete restores only the first (000 1.8: undelete restores versions)',
  'kv2.undeleteVersions',
  requestBody<Kv2Call>((body) => (Array.isArray(body.versions) ? { ...body, versions: body.versions.slice(0, 1) } : body)),
)

v2.rule(
  'fresh-latest-by-text-order',
  ['KV-V2-06'],
  'a read takes version 9 for newer than version 10 (000 1.4 and 4.1: what was written last is what a GET reads)',
  {
    latest: (original) => (record, now) => {
      const newest = [...record.versions.keys()].map(String).sort().at(-1)
      return newest === undefined ? original(record, now) : Number(newest)
    },
  },
)

v2.rule(
  'fresh-list-scans-hundred',
  ['KV-LIST-09'],
  'a listing looks at the first 100 keys of the mount only; directories filled later seem empty (000 1.5: returns the keys at the path)',
  { namesIn: (original) => (keys, directory) => original(keys.slice(0, 100), directory) },
)

v2.rule('fresh-empty-list-as-null', ['KV-V2-06'], 'an empty list in the data is stored as null (000 4.1: body has `data` object, stored)', {
  replaced: (original) => (previous, written) => emptyListsAsNull(original(previous, written)),
})

v2.route(
  'fresh-body-limit-1mb',
  ['CORE-LIMIT-01'],
  'a write whose body is longer than 1 MiB, white space included, is refused (000 8: maximum request size 32 MB)',
  'kv2.write',
  (original) => (call) => {
    if (Buffer.byteLength(call.text) > 1024 * 1024) throw new ApiError(413, 'request body too large')
    return original(call)
  },
)

const LARGEST = 2n ** 63n - 1n
const SMALLEST = -(2n ** 63n)

v2.rule(
  'fresh-integers-saturate',
  ['KV-V2-29'],
  'whole numbers beyond 64 bits are stored as the largest that fits (000 4.1: body has `data` object, stored; whole numbers of any length)',
  {
    replaced: (original) => (previous, written) =>
      mapNumbers(original(previous, written), (text) => {
        if (!/^-?\d+$/.test(text)) return text
        const number = BigInt(text)
        return number > LARGEST ? String(LARGEST) : number < SMALLEST ? String(SMALLEST) : text
      }),
  },
)

v2.rule(
  'fresh-list-without-short-names',
  ['KV-LIST-09'],
  'a listing leaves out keys whose name is a single character (000 1.5: returns the keys at the path)',
  { namesIn: (original) => (keys, directory) => original(keys, directory).filter((name) => name.length > 1) },
)
