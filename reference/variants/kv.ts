/** Legal alternatives of the key-value engines. */
import type { Json, JsonObject } from '../core/engine.ts'
import { bare, empty, secret } from '../core/envelope.ts'
import { ApiError, invalid, notFound } from '../core/errors.ts'
import { mapNumbers } from '../core/json.ts'
import { type Variant, variant } from '../core/mutation.ts'
import { kv1Engine } from '../engines/kv/kv1.ts'
import { kv2Engine } from '../engines/kv/kv2.ts'

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

export const kvVariants: Variant[] = [
  variant(
    kv1Engine,
    {
      id: 'kv-v1-read-at-top',
      engine: 'kv',
      title: 'a read of version 1 is the stored object itself',
      reading: 'at the top level or under data',
    },
    { rules: { shown: () => (stored) => bare(stored) } },
  ),
  variant(
    kv1Engine,
    {
      id: 'kv-v1-default-lease-time',
      engine: 'kv',
      title: 'a read of version 1 shows the default lease time',
      reading: 'no lease: graded on version 2 only',
    },
    { rules: { shown: () => (stored, ttl) => secret(stored as JsonObject, { id: '', ttl, renewable: false }) } },
  ),
  variant(
    kv1Engine,
    { id: 'kv-v1-delete-absent-404', engine: 'kv', title: 'deleting what is absent is answered with 404', reading: '204, 200 or 404' },
    { rules: { absentDeleteStatus: () => () => 404 } },
  ),
  variant(
    kv1Engine,
    { id: 'kv-v1-no-delete', engine: 'kv', title: 'version 1 has no deletion', reading: 'no row shows DELETE on a key' },
    {
      routes: {
        'kv1.delete': () => () => {
          throw new ApiError(405, 'unsupported operation')
        },
      },
    },
  ),
  variant(
    kv1Engine,
    { id: 'kv-v1-empty-refused', engine: 'kv', title: 'an empty object is refused', reading: 'the empty object: open' },
    {
      rules: {
        checkObject: () => (object) => {
          if (Object.keys(object).length === 0) throw invalid('no data')
        },
      },
    },
  ),
  variant(
    kv1Engine,
    {
      id: 'kv-v1-numbers-normalised',
      engine: 'kv',
      title: 'numbers with fraction come back as doubles',
      reading: '1 against 1.0 and beyond double precision: open',
    },
    { rules: { replaced: (original) => (previous, written) => normalised(original(previous, written)) } },
  ),
  variant(
    kv1Engine,
    {
      id: 'kv-v1-members-reordered',
      engine: 'kv',
      title: 'members come back in another order',
      reading: 'the order of members has no meaning in JSON',
    },
    { rules: { replaced: (original) => (previous, written) => sorted(original(previous, written)) } },
  ),
  variant(
    kv1Engine,
    { id: 'kv-v1-list-leaf', engine: 'kv', title: 'listing a key shows the key', reading: 'listing a leaf: open' },
    {
      rules: {
        namesIn: (original) => (keys, directory) => {
          const names = original(keys, directory)
          return names.length === 0 && keys.includes(directory) ? [directory.slice(directory.lastIndexOf('/') + 1)] : names
        },
      },
    },
  ),
  variant(
    kv1Engine,
    { id: 'kv-v1-list-leaf-400', engine: 'kv', title: 'listing a key is a bad request', reading: 'listing a leaf: open' },
    {
      rules: {
        namesIn: (original) => (keys, directory) => {
          const names = original(keys, directory)
          if (names.length === 0 && keys.includes(directory)) throw invalid('not a directory')
          return names
        },
      },
    },
  ),
  variant(
    kv2Engine,
    { id: 'kv-v2-write-204', engine: 'kv', title: 'a write of version 2 is answered with 204', reading: '200 or 204' },
    { rules: { written: () => () => empty() } },
  ),
  variant(
    kv2Engine,
    {
      id: 'kv-v2-hidden-with-metadata',
      engine: 'kv',
      title: 'the refusal to show a deleted version carries its metadata',
      reading: 'fields beside data.data: not shown',
    },
    {
      rules: {
        hidden: () => (metadata) => {
          const { body } = secret({ data: null, metadata })
          return { status: 404, body: { ...(body as JsonObject), errors: [] } }
        },
      },
    },
  ),
  variant(
    kv2Engine,
    {
      id: 'kv-v2-deleted-falls-back',
      engine: 'kv',
      title: 'a read shows the newest version that is not deleted',
      reading: 'deleted versions are hidden; what a read shows then is not said',
    },
    {
      rules: {
        latest: (original) => (record, now) =>
          [...record.versions.keys()]
            .filter((number) => {
              const version = record.versions.get(number)
              return version && !version.destroyed && (version.deletedAt === undefined || version.deletedAt > now)
            })
            .at(-1) ?? original(record, now),
      },
    },
  ),
  variant(
    kv2Engine,
    { id: 'kv-v2-version-ignored', engine: 'kv', title: 'the query parameter version is not read', reading: 'version: open' },
    { routes: { 'kv2.read': (original) => (call) => original({ ...call, query: new URLSearchParams() }) } },
  ),
  variant(
    kv2Engine,
    { id: 'kv-v2-conditions-ignored', engine: 'kv', title: 'conditions on the present version are not read', reading: 'conditions: open' },
    { rules: { conditionHolds: () => () => true } },
  ),
  variant(
    kv2Engine,
    {
      id: 'kv-v2-absent-key-404',
      engine: 'kv',
      title: 'version routes of an absent key answer 404',
      reading: 'absent keys on version routes: open',
    },
    {
      rules: {
        absentKey: () => () => {
          throw notFound()
        },
      },
    },
  ),
  variant(
    kv2Engine,
    { id: 'kv-v2-all-versions-kept', engine: 'kv', title: 'every version is kept', reading: 'how many versions are kept: not shown' },
    { rules: { keptVersions: () => () => Number.MAX_SAFE_INTEGER } },
  ),
  variant(
    kv2Engine,
    { id: 'kv-v2-null-is-empty', engine: 'kv', title: 'data null stores an empty object', reading: 'null as data: open' },
    {
      rules: {
        checkData: (original) => (data) => (data === null ? undefined : original(data)),
        replaced: (original) => (previous, written) => original(previous, written ?? {}),
      },
    },
  ),
  variant(
    kv2Engine,
    {
      id: 'kv-v2-extra-fields-refused',
      engine: 'kv',
      title: 'a write with unknown fields is refused',
      reading: 'unknown extra fields: accepted or refused',
    },
    {
      routes: {
        'kv2.write': (original) => (call) => {
          withoutExtras(call.body, ['data', 'options'])
          return original(call)
        },
      },
    },
  ),
  variant(
    kv2Engine,
    {
      id: 'kv-v2-versions-strict',
      engine: 'kv',
      title: 'version numbers must be numbers',
      reading: 'a number as text: accepted or refused',
    },
    {
      routes: Object.fromEntries(
        ['kv2.deleteVersions', 'kv2.undeleteVersions', 'kv2.destroyVersions'].map((id) => [
          id,
          (original) => (call) => {
            const { versions } = call.body
            if (!Array.isArray(versions) || versions.some((version) => typeof version !== 'number'))
              throw invalid('versions must be numbers')
            return original(call)
          },
        ]),
      ),
    },
  ),
  variant(
    kv2Engine,
    {
      id: 'kv-v2-metadata-bare',
      engine: 'kv',
      title: 'metadata are shown without envelope and in other words',
      reading: 'metadata and config: not shown',
    },
    {
      routes: {
        'kv2.readMetadata': (original) => async (call) => {
          await original(call)
          return bare({ newest: 1 })
        },
        'kv2.readConfig': () => () => bare({ limit: 10 }),
      },
    },
  ),
  variant(
    kv2Engine,
    {
      id: 'kv-v2-numbers-normalised',
      engine: 'kv',
      title: 'numbers with fraction come back as doubles',
      reading: '1 against 1.0 and beyond double precision: open',
    },
    { rules: { replaced: (original) => (previous, written) => normalised(original(previous, written)) } },
  ),
  variant(
    kv2Engine,
    {
      id: 'kv-v2-members-reordered',
      engine: 'kv',
      title: 'members come back in another order',
      reading: 'the order of members has no meaning in JSON',
    },
    { rules: { replaced: (original) => (previous, written) => sorted(original(previous, written)) } },
  ),
]
