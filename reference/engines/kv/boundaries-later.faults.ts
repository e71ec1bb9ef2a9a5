/** Later faults: empty, one, many, first, last, zero, long, and stated limits. */
import { coreEngine } from '../../core/core-engine.ts'
import { type Json, mapNumbers, stringify } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { deep, isObject, withMembers, withTexts } from './anew-help.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const kv1 = faultsOf(kv1Engine, 'kv')
const kv2 = faultsOf(kv2Engine, 'kv')

const core = faultsOf(coreEngine, 'kv')

const shallow = (value: Json, levels: number): Json => {
  if (Array.isArray(value)) return levels === 0 ? [] : value.map((item) => shallow(item, levels - 1))
  if (!isObject(value)) return value
  return levels === 0 ? {} : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shallow(member, levels - 1)]))
}

const LARGEST = 2n ** 63n - 1n

const asInt64 = (text: string): string => {
  if (!/^-?\d+$/.test(text)) return text
  const number = BigInt(text)
  return number > LARGEST ? String(LARGEST) : number < -LARGEST - 1n ? String(-LARGEST - 1n) : text
}

kv1.rule(
  'later-empty-list-is-null',
  ['KV-V1-04'],
  'v1: a member that is an empty list reads as null (000 4.1: "JSON object body; stored")',
  {
    replaced: (original) => (previous, written) =>
      deep(original(previous, written), (part) => (Array.isArray(part) && part.length === 0 ? null : part)),
  },
)

kv2.rule('later-list-of-one-unwrapped', ['KV-V2-06'], 'v2: a list of one item reads as that item (000 4.1: "body has data object")', {
  replaced: (original) => (previous, written) =>
    deep(original(previous, written), (part) => (Array.isArray(part) && part.length === 1 ? (part[0] ?? null) : part)),
})

kv1.rule('later-zero-left-out', ['KV-V1-06'], 'v1: members with the number 0 are not kept (000 4.1: "JSON object body; stored")', {
  replaced: (original) => (previous, written) =>
    withMembers(original(previous, written), (entries) => entries.filter(([, value]) => stringify(value) !== '0')),
})

kv2.rule(
  'later-copied-to-five-levels',
  ['KV-V2-03'],
  'v2: what lies deeper than five levels comes back empty (000 4.1: "body has data object")',
  {
    replaced: (original) => (previous, written) => shallow(original(previous, written), 5),
  },
)

kv2.rule(
  'later-listing-scans-hundred-keys',
  ['KV-LIST-09'],
  'v2: a listing looks at the first hundred keys of the mount only; later ones are missing (000 1.5: "the keys at the path")',
  { namesIn: (original) => (keys, directory) => original(keys.slice(0, 100), directory) },
)

kv1.rule(
  'later-directory-of-directories-unlisted',
  ['CORE-CAP-11'],
  'v1: a directory that holds nothing but directories is missing in the listing above it (000 1.5: "returns the keys at the path")',
  {
    namesIn: (original) => (keys, directory) => {
      const length = directory === '' ? 0 : directory.length + 1
      return original(
        keys.filter((key) => key.slice(length).split('/').length <= 2),
        directory,
      )
    },
  },
)

kv2.rule(
  'later-tenth-version-sorts-first',
  ['KV-V2-06'],
  'v2: version numbers are ordered as texts, so that from the tenth write on a read shows version 9 (000 1.4, 4.1: written data is read)',
  { latest: (original) => (record, now) => Number([...record.versions.keys()].map(String).sort().at(-1) ?? original(record, now)) },
)

kv2.route(
  'later-last-of-several-not-destroyed',
  ['KV-V2-10'],
  'v2: destroy/ of several versions leaves the last one that is named (000 1.8: "destroy removes versions permanently")',
  'kv2.destroyVersions',
  requestBody((body) =>
    Array.isArray(body.versions) && body.versions.length > 1 ? { ...body, versions: body.versions.slice(0, -1) } : body,
  ),
)

kv1.rule(
  'later-text-cut-at-64k',
  ['KV-V1-06'],
  'v1: texts are cut after 65,535 characters without a word (000 4.1: "JSON object body; stored")',
  {
    replaced: (original) => (previous, written) => withTexts(original(previous, written), (text) => text.slice(0, 65_535)),
  },
)

kv2.rule(
  'later-whole-numbers-within-int64',
  ['KV-V2-29'],
  'v2: whole numbers beyond 64 bits come back as the largest that fits (000 4.1: "data object"; readings: of any length)',
  { replaced: (original) => (previous, written) => mapNumbers(original(previous, written), asInt64) },
)

core.rule(
  'later-nested-namespace-needs-header',
  ['CORE-NS-03'],
  'a path <ns1>/<ns2>/secret/foo without header is looked for in <ns1>, though one level works (000 2.2: "no header with path")',
  {
    namespaceOf: (original) => (path, namespaces, header) =>
      original(path, header || isProvisioning({ path }) ? namespaces : namespaces.filter((name) => name.split('/').length <= 2), header),
  },
)
