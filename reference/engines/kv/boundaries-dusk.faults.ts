/** Faults at the edges: empty, one, many, first, last, long, deep, large. */
import { coreEngine } from '../../core/core-engine.ts'
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import { mapNumbers } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, replyData } from '../../mutations/wrappers.ts'
import { isMembers, kvRequests, mapDeep, mapTexts } from './dusk-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { type Kv2Call, recordOf } from './kv2-data.ts'

const v1 = faultsOf(kv1Engine, 'kv')
const v2 = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')
const requests = kvRequests()

v1.rule('dusk-texts-cut-at-64k', 'KV-V1-06', 'texts are cut after 65535 characters (000 4.1: JSON object body; stored)', {
  replaced: (original) => (previous, written) => mapTexts(original(previous, written), (text) => text.slice(0, 65_535)),
})

core.change(
  'dusk-size-counted-as-base64',
  'CORE-LIMIT-01',
  'the limit counts bodies as base64, so that 24 MB are too many (000 8: maximum request size 32 MB)',
  {
    rules: {
      ...requests.locating,
      parseBody: (original) => (bytes, request) => {
        const size = Math.ceil(bytes.length / 3) * 4
        if (requests.of(request) && size > 32 * 1024 * 1024) throw new ApiError(413, 'request body too large')
        return original(bytes, request)
      },
    },
  },
)

v1.rule('dusk-list-first-page-only', 'KV-LIST-01', 'a listing ends after 25 names (000 1.5: returns the keys at the path)', {
  namesIn: (original) => (keys, directory) => original(keys, directory).sort().slice(0, 25),
})

v2.rule(
  'dusk-list-only-directories-empty',
  'KV-LIST-09',
  'a directory that holds nothing but directories lists as empty (000 1.5: returns the keys at the path)',
  {
    namesIn: (original) => (keys, directory) => {
      const names = original(keys, directory)
      return names.every((name) => name.endsWith('/')) ? [] : names
    },
  },
)

v1.rule(
  'dusk-list-deep-directories-whole',
  'KV-LIST-02',
  'a listing shows `a/b/` for the key `a/b/c`, not `a/` (000 1.5: returns the keys at the path)',
  {
    namesIn: (original) => (keys, directory) => {
      const prefix = directory === '' ? '' : `${directory}/`
      const below = keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length))
      const directories = below.filter((rest) => rest.includes('/')).map((rest) => rest.slice(0, rest.lastIndexOf('/') + 1))
      return [...new Set([...directories, ...original(keys, directory).filter((name) => !name.endsWith('/'))])]
    },
  },
)

const LARGEST = 2n ** 63n - 1n
const asInt64 = (text: string): string => {
  if (!/^-?\d+$/.test(text)) return text
  const number = BigInt(text)
  if (number > LARGEST) return String(LARGEST)
  return number < -LARGEST - 1n ? String(-LARGEST - 1n) : text
}
v1.rule(
  'dusk-whole-numbers-as-int64',
  'KV-V1-15',
  'whole numbers beyond 64 bits are kept as the largest of these (000 4.1: JSON object body; stored)',
  {
    replaced: (original) => (previous, written) => mapNumbers(original(previous, written), asInt64),
  },
)

v2.route(
  'dusk-delete-first-of-list',
  'KV-V2-08',
  'of several versions named in `delete` the first is deleted only (000 1.8: delete marks versions deleted)',
  'kv2.deleteVersions',
  (original) => (call) => {
    const { versions } = call.body
    return original(Array.isArray(versions) ? { ...call, body: { ...call.body, versions: versions.slice(0, 1) } } : call)
  },
)

v2.route(
  'dusk-destroy-spares-newest',
  'KV-V2-10',
  'the newest of several versions is not destroyed (000 1.8: destroy removes versions permanently)',
  'kv2.destroyVersions',
  (original) => async (call) => {
    const record = recordOf(call)
    const newest = record?.versions.get(record.current)
    const reply = await original(call)
    if (record && newest && record.versions.size > 1) record.versions.set(record.current, newest)
    return reply
  },
)

v2.route(
  'dusk-empty-directory-lists',
  'CORE-LIST-04',
  'an empty directory of a mount that holds keys lists as 200 without names (000 1.5: an empty listing returns 404)',
  'kv2.list',
  insteadOfRefusal<Kv2Call>(
    () => secret({ keys: [] }),
    ({ state }) => state.keys.size > 0,
  ),
)

const cutBelow = (value: Json, left: number): Json => {
  if (Array.isArray(value)) return left === 0 ? null : value.map((item) => cutBelow(item, left - 1))
  if (!isMembers(value)) return value
  return left === 0 ? null : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cutBelow(member, left - 1)]))
}
v2.rule(
  'dusk-deep-values-null',
  'KV-V2-03',
  'objects and arrays below the sixteenth level become null (000 4.1: body has data object; 1.4)',
  {
    replaced: (original) => (previous, written) => cutBelow(original(previous, written), 16),
  },
)

v1.rule('dusk-array-of-one-unpacked', 'KV-V1-04', 'an array of one value is kept as that value (000 4.1: JSON object body; stored)', {
  replaced: (original) => (previous, written) =>
    mapDeep(original(previous, written), (inner) => (Array.isArray(inner) && inner.length === 1 ? (inner[0] ?? null) : inner)),
})

v2.route(
  'dusk-list-of-one-as-text',
  'CORE-LIST-03',
  'a listing of one name has a string in `keys` (000 4.1: data.keys, array of strings)',
  'kv2.list',
  replyData<Kv2Call>((data) => (Array.isArray(data.keys) && data.keys.length === 1 ? { ...data, keys: data.keys[0] ?? null } : data)),
)
