/** Faults at boundaries: one, many, first, last, the longest, the deepest and the largest that a client stores or lists. */
import { type Json, type JsonObject, mapNumbers } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const v1 = faultsOf(kv1Engine, 'kv')
const v2 = faultsOf(kv2Engine, 'kv')

/** Exact numbers are objects of their own kind. */
const isPlain = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const mapTexts = (value: Json, change: (text: string) => string): Json => {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  return isPlain(value) ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, change)])) : value
}

const cutBelow = (value: Json, depth: number): Json => {
  if (Array.isArray(value)) return depth === 0 ? [] : value.map((item) => cutBelow(item, depth - 1))
  if (!isPlain(value)) return value
  return depth === 0 ? {} : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cutBelow(member, depth - 1)]))
}

const itemsOf = ({ versions }: JsonObject): Json[] =>
  Array.isArray(versions) ? versions : typeof versions === 'string' ? versions.split(',') : []

v1.rule('keen-list-first-100', ['KV-LIST-01'], 'a v1 listing ends after 100 names (000 1.5: returns the keys at the path)', {
  namesIn: (original) => (keys, directory) => [...original(keys, directory)].sort().slice(0, 100),
})

v2.rule(
  'keen-list-page-seam',
  ['KV-LIST-09'],
  'a v2 listing, put together from pages of 30, lacks the first name of each further page (000 1.5)',
  {
    namesIn: (original) => (keys, directory) =>
      [...original(keys, directory)].sort().filter((_name, index) => index === 0 || index % 30 !== 0),
  },
)

v1.rule(
  'keen-list-lone-directory',
  ['KV-LIST-01'],
  'a v1 directory that holds one subdirectory and nothing else is listed as empty (000 1.5)',
  {
    namesIn: (original) => (keys, directory) => {
      const names = original(keys, directory)
      return directory !== '' && names.length === 1 && names[0]?.endsWith('/') ? [] : names
    },
  },
)

v1.rule(
  'keen-list-fourth-level',
  ['KV-LIST-01'],
  'a v1 directory at the fourth level or below is listed as empty (000 4.1, LIST <mount>/<dir>/)',
  {
    namesIn: (original) => (keys, directory) => (directory.split('/').length > 3 ? [] : original(keys, directory)),
  },
)

v2.route(
  'keen-delete-first-named',
  ['KV-V2-08'],
  'delete of several versions marks only the one named first (000 1.8: delete marks versions deleted)',
  'kv2.deleteVersions',
  requestBody((body) => (itemsOf(body).length > 1 ? { ...body, versions: itemsOf(body).slice(0, 1) } : body)),
)

v2.route(
  'keen-destroy-third-named',
  ['KV-V2-10'],
  'destroy of several versions stops after the second one (000 1.8: destroy removes versions permanently)',
  'kv2.destroyVersions',
  requestBody((body) => (itemsOf(body).length > 2 ? { ...body, versions: itemsOf(body).slice(0, 2) } : body)),
)

v2.route(
  'keen-undelete-first-version',
  ['KV-V2-09'],
  'undelete skips the oldest of several versions (000 1.8: undelete restores versions)',
  'kv2.undeleteVersions',
  requestBody((body, call) => {
    const present = [...(call.state.keys.get(call.params.path ?? '')?.versions.keys() ?? [])].sort((a, b) => a - b)
    const others = itemsOf(body).filter((item) => Number(item) !== present[0])
    return present.length > 1 && others.length < itemsOf(body).length ? { ...body, versions: others.length > 0 ? others : [0] } : body
  }),
)

v1.rule(
  'keen-long-text-cut',
  ['KV-V1-06'],
  'texts of more than 65535 characters are cut in v1 (000 4.1, POST secret/<key>: JSON object body; stored)',
  {
    replaced: (original) => (previous, written) =>
      original(
        previous,
        mapTexts(written, (text) => text.slice(0, 65_535)),
      ),
  },
)

v1.rule(
  'keen-hundred-members',
  ['KV-V1-06'],
  'v1 keeps the first 100 members of an object only (000 4.1, POST secret/<key>: JSON object body; stored)',
  {
    replaced: (original) => (previous, written) =>
      original(previous, isPlain(written) ? Object.fromEntries(Object.entries(written).slice(0, 100)) : written),
  },
)

v2.rule(
  'keen-deep-values-emptied',
  ['KV-V2-03'],
  'what is nested more than eight levels deep is emptied in v2 (000 4.1, POST secret/data/<key>)',
  {
    replaced: (original) => (previous, written) => original(previous, cutBelow(written, 8)),
  },
)

v2.rule(
  'keen-integers-of-64-bits',
  ['KV-V2-29'],
  'whole numbers beyond 64 bits are kept in v2 as the largest of 64 bits (000 4.1, POST secret/data/<key>)',
  {
    replaced: (original) => (previous, written) =>
      original(
        previous,
        mapNumbers(written, (text) => {
          if (!/^-?\d{19,}$/.test(text)) return text
          const limit = text.startsWith('-') ? -(2n ** 63n) : 2n ** 63n - 1n
          const value = BigInt(text)
          return String(text.startsWith('-') ? (value < limit ? limit : value) : value > limit ? limit : value)
        }),
      ),
  },
)
