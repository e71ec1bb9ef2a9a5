/** Faults of key-value, version 2, in what is done to several versions at once or again, in long listings and in texts. */
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { kv2Engine } from './kv2.ts'
import { type Kv2Call, recordOf } from './kv2-data.ts'
import type { Version } from './records.ts'

const { rule, route } = faultsOf(kv2Engine, 'kv')

/** The numbers of the versions that a request names. */
const namedIn = ({ versions }: JsonObject): number[] =>
  (Array.isArray(versions) ? versions : typeof versions === 'string' ? versions.split(',') : []).map(Number)

route(
  'v2-destroy-takes-range',
  'KV-V2-13',
  'a destruction takes along the versions between those that it names',
  'kv2.destroyVersions',
  requestBody((body) => {
    const named = namedIn(body)
    const first = Math.min(...named)
    return named.length < 2
      ? body
      : { ...body, versions: Array.from({ length: Math.max(...named) - first + 1 }, (_, index) => first + index) }
  }),
)

route(
  'v2-undelete-by-second',
  'KV-V2-08',
  'an undelete also restores the versions that were deleted in the same second as one that it names',
  'kv2.undeleteVersions',
  requestBody((body, call: Kv2Call) => {
    const versions = recordOf(call)?.versions ?? new Map<number, Version>()
    const secondOf = (number: number) => Math.floor(versions.get(number)?.deletedAt ?? 0)
    const seconds = namedIn(body).map(secondOf)
    const along = [...versions.keys()].filter((number) => secondOf(number) > 0 && seconds.includes(secondOf(number)))
    return seconds.length === 0 ? body : { ...body, versions: [...namedIn(body), ...along] }
  }),
)

route(
  'v2-undelete-all-but-last',
  'KV-V2-09',
  'an undelete of three or more versions leaves out the last of them',
  'kv2.undeleteVersions',
  requestBody((body) => (namedIn(body).length < 3 ? body : { ...body, versions: namedIn(body).slice(0, -1) })),
)

rule('v2-listing-of-hundred', 'KV-LIST-09', 'a listing ends after a hundred names', {
  namesIn: (original) => (keys, directory) => original(keys, directory).sort().slice(0, 100),
})

const restored = (version: Version): boolean => 'restored' in version

rule('v2-deleted-once-only', 'KV-V2-08', 'a version that was deleted and restored cannot be deleted again', {
  undeleted: (original) => (version) => ({ ...original(version), restored: true }),
  deleted: (original) => (version, now) => (restored(version) ? version : original(version, now)),
})

route(
  'v2-undelete-newest-only',
  'KV-V2-09',
  'an undelete restores a version only as long as no newer one was written',
  'kv2.undeleteVersions',
  (original) => (call) => {
    const newest = namedIn(call.body).filter((number) => number === recordOf(call)?.current)
    if (namedIn(call.body).length > 0 && newest.length === 0) return call.rules.done()
    return original(newest.length === 0 ? call : { ...call, body: { ...call.body, versions: newest } })
  },
)

/** The value with all its texts in one normal form of Unicode. */
const composed = (value: Json): Json => {
  if (typeof value === 'string') return value.normalize('NFC')
  if (Array.isArray(value)) return value.map(composed)
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, composed(member)]))
}

rule('v2-texts-composed', ['KV-V2-02', 'KV-V2-03'], 'texts are stored in the composed form of Unicode, whatever form was written', {
  replaced: (original) => (previous, written) => original(previous, composed(written)),
})
