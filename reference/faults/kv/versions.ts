/** Faults of deleting, undeleting and destroying versions. */
import type { JsonObject } from '../../core/engine.ts'
import { type Fault, fault } from '../../core/mutation.ts'
import { kv2Engine } from '../../engines/kv/kv2.ts'
import { type Kv2Call, type Kv2Route, recordOf } from '../../engines/kv/kv2-data.ts'

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

export const versionFaults: Fault[] = [
  fault(
    kv2Engine,
    { id: 'kv-v2-deleted-shown', engine: 'kv', title: 'a deleted version is still shown', clauses: ['KV-V2-08'] },
    { rules: { visible: () => (version) => !version.destroyed } },
  ),
  fault(
    kv2Engine,
    { id: 'kv-v2-delete-newest', engine: 'kv', title: 'deleting takes the newest version, whichever is named', clauses: ['KV-V2-12'] },
    { routes: { 'kv2.deleteVersions': onNewest } },
  ),
  fault(
    kv2Engine,
    { id: 'kv-v2-undelete-nothing', engine: 'kv', title: 'undeleting is acknowledged and restores nothing', clauses: ['KV-V2-09'] },
    { rules: { undeleted: () => (version) => version } },
  ),
  fault(
    kv2Engine,
    { id: 'kv-v2-undelete-empty', engine: 'kv', title: 'undeleting restores an empty object', clauses: ['KV-V2-09'] },
    { rules: { undeleted: (original) => (version) => ({ ...original(version), data: version.destroyed ? undefined : {} }) } },
  ),
  fault(
    kv2Engine,
    { id: 'kv-v2-destroy-nothing', engine: 'kv', title: 'destroying is acknowledged and removes nothing', clauses: ['KV-V2-10'] },
    { rules: { destroyed: () => (version) => version } },
  ),
  fault(
    kv2Engine,
    { id: 'kv-v2-destroy-is-delete', engine: 'kv', title: 'destroying marks a version as deleted only', clauses: ['KV-V2-11'] },
    { rules: { destroyed: () => (version) => ({ ...version, deletedAt: 0 }) } },
  ),
  fault(
    kv2Engine,
    { id: 'kv-v2-undelete-destroyed', engine: 'kv', title: 'undeleting brings destroyed versions back', clauses: ['KV-V2-11'] },
    {
      rules: {
        destroyed: () => (version) => ({ ...version, destroyed: true }),
        undeleted: () => (version) => ({ ...version, deletedAt: undefined, destroyed: false }),
      },
    },
  ),
  fault(
    kv2Engine,
    { id: 'kv-v2-delete-all', engine: 'kv', title: 'deleting one version deletes all', clauses: ['KV-V2-12'] },
    { routes: { 'kv2.deleteVersions': onAll } },
  ),
  fault(
    kv2Engine,
    { id: 'kv-v2-destroy-all', engine: 'kv', title: 'destroying one version destroys all', clauses: ['KV-V2-13'] },
    { routes: { 'kv2.destroyVersions': onAll } },
  ),
  fault(
    kv2Engine,
    {
      id: 'kv-v2-delete-sticks',
      engine: 'kv',
      title: 'a key whose version was deleted hides what is written afterwards',
      clauses: ['KV-V2-14'],
    },
    {
      routes: {
        'kv2.write': (original) => async (call) => {
          const before = recordOf(call)
          const deletedAt = before?.versions.get(before.current)?.deletedAt
          const reply = await original(call)
          const record = recordOf(call)
          const version = record?.versions.get(record.current)
          if (record && version) record.versions.set(record.current, { ...version, deletedAt })
          return reply
        },
      },
    },
  ),
]
