/** Legal alternatives of the key-value engines. */

import { bare, empty, secret } from '../../core/envelope.ts'
import { ApiError, invalid, notFound } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { mapNumbers } from '../../core/json.ts'
import { variantsOf } from '../../mutations/declare.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const kv1 = variantsOf(kv1Engine, 'kv')
const kv2 = variantsOf(kv2Engine, 'kv')

/** Numbers beyond whole ones as a double prints them: `1.0` becomes `1`. */
const normalised = (value: Json): Json =>
  mapNumbers(value, (text) => (/[.eE]/.test(text) && Number.isFinite(Number(text)) ? String(Number(text)) : text))

const sorted = (value: Json): Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => b.localeCompare(a)))
    : value

const withoutExtras = (body: JsonObject, known: string[]): void => {
  const extra = Object.keys(body).find((name) => !known.includes(name))
  if (extra !== undefined) throw invalid(`unknown field ${extra}`)
}

kv1.rule('v1-read-at-top', 'at the top level or under data', 'a read of version 1 is the stored object itself', {
  shown: () => (stored) => bare(stored),
})
kv1.rule('v1-default-lease-time', 'no lease: graded on version 2 only', 'a read of version 1 shows the default lease time', {
  shown: () => (stored, ttl) => secret(stored as JsonObject, { id: '', ttl, renewable: false }),
})
kv1.rule('v1-delete-absent-404', '204, 200 or 404', 'deleting what is absent is answered with 404', { absentDeleteStatus: () => () => 404 })
kv1.route('v1-no-delete', 'no row shows DELETE on a key', 'version 1 has no deletion', 'kv1.delete', () => () => {
  throw new ApiError(405, 'unsupported operation')
})
kv1.rule('v1-empty-refused', 'the empty object: open', 'an empty object is refused', {
  checkObject: () => (object) => {
    if (Object.keys(object).length === 0) throw invalid('no data')
  },
})
kv1.rule('v1-numbers-normalised', '1 against 1.0 and beyond double precision: open', 'numbers with fraction come back as doubles', {
  replaced: (original) => (previous, written) => normalised(original(previous, written)),
})
kv1.rule('v1-members-reordered', 'the order of members has no meaning in JSON', 'members come back in another order', {
  replaced: (original) => (previous, written) => sorted(original(previous, written)),
})
kv1.rule('v1-list-leaf', 'listing a leaf: open', 'listing a key shows the key', {
  namesIn: (original) => (keys, directory) => {
    const names = original(keys, directory)
    return names.length === 0 && keys.includes(directory) ? [directory.slice(directory.lastIndexOf('/') + 1)] : names
  },
})
kv1.rule('v1-list-leaf-400', 'listing a leaf: open', 'listing a key is a bad request', {
  namesIn: (original) => (keys, directory) => {
    const names = original(keys, directory)
    if (names.length === 0 && keys.includes(directory)) throw invalid('not a directory')
    return names
  },
})
kv2.rule('v2-write-204', '200 or 204', 'a write of version 2 is answered with 204', { written: () => () => empty() })
kv2.rule('v2-hidden-with-metadata', 'fields beside data.data: not shown', 'the refusal to show a deleted version carries its metadata', {
  hidden: () => (metadata) => {
    const { body } = secret({ data: null, metadata })
    return { status: 404, body: { ...(body as JsonObject), errors: [] } }
  },
})
kv2.rule(
  'v2-deleted-falls-back',
  'deleted versions are hidden; what a read shows then is not said',
  'a read shows the newest version that is not deleted',
  {
    latest: (original) => (record, now) =>
      [...record.versions.keys()]
        .filter((number) => {
          const version = record.versions.get(number)
          return version && !version.destroyed && (version.deletedAt === undefined || version.deletedAt > now)
        })
        .at(-1) ?? original(record, now),
  },
)
kv2.route(
  'v2-version-ignored',
  'version: open',
  'the query parameter version is not read',
  'kv2.read',
  (original) => (call) => original({ ...call, query: new URLSearchParams() }),
)
kv2.rule('v2-conditions-ignored', 'conditions: open', 'conditions on the present version are not read', {
  conditionHolds: () => () => true,
})
kv2.rule('v2-absent-key-404', 'absent keys on version routes: open', 'version routes of an absent key answer 404', {
  absentKey: () => () => {
    throw notFound()
  },
})
kv2.rule('v2-all-versions-kept', 'how many versions are kept: not shown', 'every version is kept', {
  keptVersions: () => () => Number.MAX_SAFE_INTEGER,
})
kv2.rule('v2-null-is-empty', 'null as data: open', 'data null stores an empty object', {
  checkData: (original) => (data) => (data === null ? undefined : original(data)),
  replaced: (original) => (previous, written) => original(previous, written ?? {}),
})
kv2.route(
  'v2-extra-fields-refused',
  'unknown extra fields: accepted or refused',
  'a write with unknown fields is refused',
  'kv2.write',
  (original) => (call) => {
    withoutExtras(call.body, ['data', 'options'])
    return original(call)
  },
)
kv2.change('v2-versions-strict', 'a number as text: accepted or refused', 'version numbers must be numbers', {
  routes: Object.fromEntries(
    ['kv2.deleteVersions', 'kv2.undeleteVersions', 'kv2.destroyVersions'].map((id) => [
      id,
      (original) => (call) => {
        const { versions } = call.body
        if (!Array.isArray(versions) || versions.some((version) => typeof version !== 'number')) throw invalid('versions must be numbers')
        return original(call)
      },
    ]),
  ),
})
kv2.change('v2-metadata-bare', 'metadata and config: not shown', 'metadata are shown without envelope and in other words', {
  routes: {
    'kv2.readMetadata': (original) => async (call) => {
      await original(call)
      return bare({ newest: 1 })
    },
    'kv2.readConfig': () => () => bare({ limit: 10 }),
  },
})
kv2.rule('v2-numbers-normalised', '1 against 1.0 and beyond double precision: open', 'numbers with fraction come back as doubles', {
  replaced: (original) => (previous, written) => normalised(original(previous, written)),
})
kv2.rule('v2-members-reordered', 'the order of members has no meaning in JSON', 'members come back in another order', {
  replaced: (original) => (previous, written) => sorted(original(previous, written)),
})
