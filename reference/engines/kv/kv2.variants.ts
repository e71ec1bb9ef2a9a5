/** Legal alternatives of key-value, version 2. */
import { bare, empty, secret } from '../../core/envelope.ts'
import { ApiError, invalid, notFound } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { variantsOf } from '../../faults/declare.ts'
import { kv2Engine } from './kv2.ts'
import { normalised, sorted } from './wrappers.ts'

const { rule, route, change, declared } = variantsOf(kv2Engine, 'kv')

const withoutExtras = (body: JsonObject, known: string[]): void => {
  const extra = Object.keys(body).find((name) => !known.includes(name))
  if (extra !== undefined) throw invalid(`unknown field ${extra}`)
}

rule('v2-write-204', '200 or 204', 'a write of version 2 is answered with 204', { written: () => () => empty() })
rule('v2-hidden-with-metadata', 'fields beside data.data: not shown', 'the refusal to show a deleted version carries its metadata', {
  hidden: () => (metadata) => {
    const { body } = secret({ data: null, metadata })
    return { status: 404, body: { ...(body as JsonObject), errors: [] } }
  },
})
rule(
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
route(
  'v2-version-ignored',
  'version: open',
  'the query parameter version is not read',
  'kv2.read',
  (original) => (call) => original({ ...call, query: new URLSearchParams() }),
)
rule('v2-conditions-ignored', 'conditions: open', 'conditions on the present version are not read', {
  conditionHolds: () => () => true,
})
rule('v2-absent-key-404', 'absent keys on version routes: open', 'version routes of an absent key answer 404', {
  absentKey: () => () => {
    throw notFound()
  },
})
rule('v2-all-versions-kept', 'how many versions are kept: not shown', 'every version is kept', {
  keptVersions: () => () => Number.MAX_SAFE_INTEGER,
})
rule('v2-null-is-empty', 'null as data: open', 'data null stores an empty object', {
  part: 'null',
  checkData: (original) => (data) => (data === null ? undefined : original(data)),
  replaced: (original) => (previous, written) => original(previous, written ?? {}),
})
route(
  'v2-extra-fields-refused',
  'unknown extra fields: accepted or refused',
  'a write with unknown fields is refused',
  'kv2.write',
  (original) => (call) => {
    withoutExtras(call.body, ['data', 'options'])
    return original(call)
  },
)
const VERSION_ROUTES = ['kv2.deleteVersions', 'kv2.undeleteVersions', 'kv2.destroyVersions']

change('v2-versions-strict', 'a number as text: accepted or refused', 'version numbers must be numbers', {
  routes: Object.fromEntries(
    VERSION_ROUTES.map((id) => [
      id,
      (original) => (call) => {
        const { versions } = call.body
        if (!Array.isArray(versions) || versions.some((version) => typeof version !== 'number')) throw invalid('versions must be numbers')
        return original(call)
      },
    ]),
  ),
})
change('v2-absent-versions-refused', 'absent versions on version routes: open', 'a list that names an unknown version is refused', {
  routes: Object.fromEntries(
    VERSION_ROUTES.map((id) => [
      id,
      (original) => (call) => {
        const record = call.state.keys.get(call.rules.keyOf(call.params.path ?? ''))
        const { versions } = call.body
        if (record && Array.isArray(versions) && versions.some((version) => !record.versions.has(Number(version))))
          throw invalid('the version does not exist')
        return original(call)
      },
    ]),
  ),
})
change('v2-metadata-bare', 'metadata and config: not shown', 'metadata are shown without envelope and in other words', {
  routes: {
    'kv2.readMetadata': (original) => async (call) => {
      await original(call)
      return bare({ newest: 1 })
    },
    'kv2.readConfig': () => () => bare({ limit: 10 }),
  },
})
route(
  'v2-settings-unread',
  'that these paths answer a read: advised',
  'configuration and metadata are written and not read',
  ['kv2.readMetadata', 'kv2.readConfig'],
  () => () => {
    throw new ApiError(405, 'unsupported operation')
  },
)
rule('v2-numbers-normalised', '1 against 1.0 and beyond double precision: open', 'numbers with fraction come back as doubles', {
  part: 'numbers',
  replaced: (original) => (previous, written) => normalised(original(previous, written)),
})
rule('v2-members-reordered', 'the order of members has no meaning in JSON', 'members come back in another order', {
  part: 'order',
  replaced: (original) => (previous, written) => sorted(original(previous, written)),
})

rule('v2-list-keys-only', 'that a directory is named: advised', 'a listing of version 2 names keys alone', {
  namesIn: (original) => (keys, directory) => original(keys, directory).filter((name) => !name.endsWith('/')),
})
route(
  'v2-delete-below',
  'a deletion of a directory: advised',
  'a deletion takes the keys below its path along',
  'kv2.deleteMetadata',
  (original) => (call) => {
    for (const key of [...call.state.keys.keys()]) if (key.startsWith(`${call.params.path}/`)) call.state.keys.delete(key)
    return original(call)
  },
)
route('v2-versions-otherwise', 'bodies of version routes: not shown', 'version routes take another body', VERSION_ROUTES, () => () => {
  throw invalid('a version is missing')
})

export const variants = declared
