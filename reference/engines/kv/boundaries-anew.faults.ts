/** Faults at boundaries: empty, one, many, first, last, exactly at a limit. */
import { invalid } from '../../core/errors.ts'
import { type Json, mapNumbers } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { deep, isObject, withMembers, withTexts } from './anew-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const kv1 = faultsOf(kv1Engine, 'kv')
const kv2 = faultsOf(kv2Engine, 'kv')

kv1.rule(
  'anew-listing-ends-at-hundred',
  ['KV-LIST-01'],
  'a listing holds a hundred names at most, those written first (000 1.5: "returns the keys at the path")',
  { namesIn: (original) => (keys, directory) => original(keys, directory).slice(0, 100) },
)

kv1.rule('anew-empty-list-omitted', ['KV-V1-04'], 'members that are empty lists are not stored (000 4.1: "JSON object body; stored")', {
  replaced: (original) => (previous, written) =>
    original(
      previous,
      withMembers(written, (entries) => entries.filter(([, value]) => !(Array.isArray(value) && value.length === 0))),
    ),
})

kv2.rule('anew-empty-text-becomes-null', ['KV-V2-03'], 'an empty string is stored as null (000 4.1: "body has data object")', {
  replaced: (original) => (previous, written) =>
    original(
      previous,
      withTexts(written, (text) => text || null),
    ),
})

const depthOf = (value: Json): number => {
  const below = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : undefined
  return below ? 1 + Math.max(0, ...below.map(depthOf)) : 0
}

kv2.rule(
  'anew-depth-of-thirty-two',
  ['KV-V2-03'],
  'objects of more than 32 levels are refused, a limit that no row states (000 4.1: "body has data object"; 000 8)',
  {
    checkData: (original) => (data) => {
      original(data)
      if (data !== undefined && depthOf(data) > 32) throw invalid('data is nested too deeply')
    },
  },
)

kv2.rule(
  'anew-versions-read-as-range',
  ['KV-V2-13'],
  'delete, undelete and destroy of several versions take those between the first and the last named too (000 1.8)',
  {
    chosen: (original) => (named, present) =>
      named.length < 2 ? original(named, present) : present.filter((n) => n >= Math.min(...named) && n <= Math.max(...named)),
  },
)

kv2.route(
  'anew-undelete-takes-first-of-many',
  ['KV-V2-09'],
  'undeleting several versions restores only the one named first (000 1.8: "undelete restores versions")',
  'kv2.undeleteVersions',
  (original) => (call) => {
    const { versions } = call.body
    return original({ ...call, body: { ...call.body, ...(Array.isArray(versions) ? { versions: versions.slice(0, 1) } : {}) } })
  },
)

kv1.rule(
  'anew-third-level-lists-as-second',
  ['KV-LIST-01'],
  'the listing of a directory three levels down is the listing of the one above it (000 1.5: "returns the keys at the path")',
  { namesIn: (original) => (keys, directory) => original(keys, directory.split('/', 2).join('/')) },
)

kv1.rule(
  'anew-long-key-cut',
  ['KV-V1-09'],
  'keys are told apart by their first 255 characters only, so that long ones share an object (000 1.4: "/v1/secret/<key>")',
  { keyOf: (original) => (path) => original(path).slice(0, 255) },
)

const LARGEST = 2n ** 63n - 1n

kv2.rule(
  'anew-number-kept-in-64-bits',
  ['KV-V2-29'],
  'whole numbers beyond 64 bits are stored as the largest that fits (000 4.1: "body has data object", stored as it is)',
  {
    replaced: (original) => (previous, written) =>
      original(
        previous,
        mapNumbers(written, (text) => (/^\d+$/.test(text) && BigInt(text) > LARGEST ? LARGEST.toString() : text)),
      ),
  },
)

kv2.rule('anew-null-at-end-of-list-lost', ['KV-V2-03'], 'lists lose their last item where it is null (000 4.1: "body has data object")', {
  replaced: (original) => (previous, written) =>
    original(
      previous,
      deep(written, (part) => (Array.isArray(part) && part.at(-1) === null ? part.slice(0, -1) : part)),
    ),
})
