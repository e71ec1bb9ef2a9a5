/** Faults at boundaries: none, one, many, first, last, long, deep, large. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { mapNumbers } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { isKv, locating, mapLeaves, mapLists } from './dawn-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const kv1 = faultsOf(kv1Engine, 'kv')
const kv2 = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

kv2.route(
  'dawn-destroy-spares-last',
  'KV-V2-10',
  'v2: of several versions named to be destroyed, the one named last stays (000 1.8: destroy removes versions permanently)',
  'kv2.destroyVersions',
  requestBody((body) =>
    Array.isArray(body.versions) && body.versions.length > 1 ? { ...body, versions: body.versions.slice(0, -1) } : body,
  ),
)

kv2.rule(
  'dawn-newest-by-text',
  'KV-V2-06',
  'v2: from the tenth version on reads show the ninth, for numbers are sorted as text (000 1.4, 4.1)',
  {
    latest: (original) => (record, now) => Number([...record.versions.keys()].map(String).sort().at(-1) ?? original(record, now)),
  },
)

kv2.rule(
  'dawn-long-keys-cut',
  'KV-V2-02',
  'v2: keys are kept with 255 characters, and longer ones with the same beginning are one (000 1.4: <key>)',
  {
    keyOf: (original) => (path) => original(path.slice(0, 255)),
  },
)

kv1.rule(
  'dawn-list-three-levels',
  'KV-LIST-01',
  'v1: listing a directory of the fourth level or deeper lists the one of the third (000 1.5)',
  {
    namesIn: (original) => (keys, directory) => original(keys, directory.split('/').slice(0, 3).join('/')),
  },
)

kv2.rule(
  'dawn-only-directories-empty',
  'KV-LIST-09',
  'v2: a directory in which there are directories only is listed as empty, with 404 (000 1.5)',
  {
    namesIn: (original) => (keys, directory) => {
      const names = original(keys, directory)
      return names.every((name) => name.endsWith('/')) ? [] : names
    },
  },
)

kv2.rule('dawn-list-first-page', 'KV-LIST-09', 'v2: a listing returns the first 25 names only (000 1.5: returns the keys at the path)', {
  namesIn: (original) => (keys, directory) => original(keys, directory).sort().slice(0, 25),
})

kv2.rule('dawn-empty-text-null', 'KV-V2-03', 'v2: an empty text in a secret is read back as null (000 4.1: body has data object; 1.4)', {
  replaced: (original) => (previous, written) =>
    original(
      previous,
      mapLeaves(written, (leaf) => (leaf === '' ? null : leaf)),
    ),
})

kv1.rule('dawn-single-item-unwrapped', 'KV-V1-04', 'v1: a list of one item is read back as the item (000 4.1: JSON object body; stored)', {
  replaced: (original) => (previous, written) =>
    original(
      previous,
      mapLists(written, (items) => (items.length === 1 ? (items[0] ?? null) : items)),
    ),
})

const LARGEST = 2n ** 63n - 1n
const within64Bits = (text: string): string => {
  if (!/^-?\d+$/.test(text)) return text
  const number = BigInt(text)
  return number > LARGEST ? String(LARGEST) : number < -LARGEST - 1n ? String(-LARGEST - 1n) : text
}

kv2.rule(
  'dawn-numbers-of-64-bits',
  'KV-V2-29',
  'v2: whole numbers beyond 64 bits are read back as the largest or smallest of 64 bits (000 1.4, 4.1)',
  {
    replaced: (original) => (previous, written) => original(previous, mapNumbers(written, within64Bits)),
  },
)

core.rule('dawn-half-the-size', 'CORE-LIMIT-01', 'writes to kv mounts are refused beyond 16 MB (000 8: maximum request size 32 MB)', {
  ...locating,
  parseBody: (original) => (bytes, request) => {
    if (isKv(request) && bytes.length > 16 * 1024 * 1024) throw new ApiError(413, 'the object is too large')
    return original(bytes, request)
  },
})

kv2.rule(
  'dawn-oldest-never-chosen',
  'KV-V2-10',
  'v2: of an object with several versions the oldest can be neither deleted nor destroyed (000 1.8)',
  {
    chosen: (original) => (named, present) =>
      original(named, present).filter((number) => present.length === 1 || present.indexOf(number) > 0),
  },
)

kv2.route(
  'dawn-delete-stops-at-absent',
  'KV-V2-08',
  'v2: versions that are named behind a number that does not exist are not deleted (000 1.8: delete marks versions deleted)',
  'kv2.deleteVersions',
  (original) => (call) => {
    const { versions } = call.body
    const record = call.state.keys.get(call.rules.keyOf(call.params.path ?? ''))
    const end = Array.isArray(versions) && record ? versions.findIndex((number) => !record.versions.has(Number(number))) : -1
    if (end < 0 || !Array.isArray(versions)) return original(call)
    return end === 0 ? call.rules.done() : original({ ...call, body: { ...call.body, versions: versions.slice(0, end) } })
  },
)
