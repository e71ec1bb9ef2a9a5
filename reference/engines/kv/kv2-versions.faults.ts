/** Faults of deleting, undeleting and destroying versions. */
import { notFound } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { kv2Engine } from './kv2.ts'
import { type Kv2Call, type Kv2Route, recordOf } from './kv2-data.ts'

const { rule, route } = faultsOf(kv2Engine, 'kv')

type Handle = Kv2Route['handle']

/** Names all versions of the key instead of those in the body. */
const onAll =
  (original: Handle): Handle =>
  (call) => {
    const versions = [...(recordOf(call)?.versions.keys() ?? [])]
    return original({ ...call, body: { ...call.body, versions } })
  }

/** Names the newest version instead of those in the body. */
const onNewest =
  (original: Handle): Handle =>
  (call) =>
    original({ ...call, body: withNewest(call) })

const withNewest = (call: Kv2Call): JsonObject => ({ ...call.body, versions: [recordOf(call)?.current ?? 1] })

route('v2-config-hidden', 'KV-V2-15', 'the configuration cannot be read', 'kv2.readConfig', () => () => {
  throw notFound()
})
route('v2-metadata-hidden', 'KV-V2-16', 'the metadata of a key cannot be read', 'kv2.readMetadata', () => () => {
  throw notFound()
})
rule('v2-deleted-shown', 'KV-V2-08', 'a deleted version is still shown', { visible: () => (version) => !version.destroyed })
route('v2-delete-newest', 'KV-V2-12', 'deleting takes the newest version, whichever is named', 'kv2.deleteVersions', onNewest)
rule('v2-undelete-nothing', 'KV-V2-09', 'undeleting is acknowledged and restores nothing', { undeleted: () => (version) => version })
rule('v2-undelete-empty', 'KV-V2-09', 'undeleting restores an empty object', {
  undeleted: (original) => (version) => ({ ...original(version), data: version.destroyed ? undefined : {} }),
})
rule('v2-destroy-nothing', 'KV-V2-10', 'destroying is acknowledged and removes nothing', { destroyed: () => (version) => version })
rule('v2-destroy-is-delete', 'KV-V2-11', 'destroying marks a version as deleted only', {
  destroyed: () => (version) => ({ ...version, deletedAt: 0 }),
})
rule('v2-undelete-destroyed', 'KV-V2-11', 'undeleting brings destroyed versions back', {
  destroyed: () => (version) => ({ ...version, destroyed: true }),
  undeleted: () => (version) => ({ ...version, deletedAt: undefined, destroyed: false }),
})
route('v2-delete-all', 'KV-V2-12', 'deleting one version deletes all', 'kv2.deleteVersions', onAll)
route('v2-destroy-all', 'KV-V2-13', 'destroying one version destroys all', 'kv2.destroyVersions', onAll)
route(
  'v2-delete-sticks',
  'KV-V2-14',
  'a key whose version was deleted hides what is written afterwards',
  'kv2.write',
  (original) => async (call) => {
    const before = recordOf(call)
    const deletedAt = before?.versions.get(before.current)?.deletedAt
    const reply = await original(call)
    const record = recordOf(call)
    const version = record?.versions.get(record.current)
    if (record && version) record.versions.set(record.current, { ...version, deletedAt })
    return reply
  },
)
rule('metadata-lost-with-version', 'KV-V2-16', 'metadata cannot be read any more once a version is destroyed', {
  metadataShown: (original) => (shown, record) => {
    if ([...record.versions.values()].some(({ destroyed }) => destroyed)) throw notFound()
    return original(shown, record)
  },
})

rule('older-shown-after-deletion', 'KV-V2-31', 'once the newest version is deleted, a read shows the one before it', {
  latest: (original) => (record, now) => {
    const shown = [...record.versions].filter(([, version]) => version.deletedAt === undefined && !version.destroyed)
    return shown.at(-1)?.[0] ?? original(record, now)
  },
})
