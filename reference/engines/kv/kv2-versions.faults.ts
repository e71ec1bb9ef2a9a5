import { faultsOf } from '../../faults/declare.ts'
import { kv2Engine } from './kv2.ts'
import { type Kv2Call, type Kv2Route, recordOf } from './kv2-data.ts'
import type { Version } from './records.ts'

const { rule, route, declared } = faultsOf(kv2Engine, 'kv')

/** Another list of versions than the request names; nothing is done for an empty one. */
const naming =
  (change: (named: number[], call: Kv2Call) => number[]) =>
  (original: Kv2Route['handle']): Kv2Route['handle'] =>
  (call) => {
    const { versions } = call.body
    if (!Array.isArray(versions) || !recordOf(call)) return original(call)
    const changed = change(versions.map(Number), call)
    return changed.length === 0 ? call.rules.done() : original({ ...call, body: { ...call.body, versions: changed } })
  }

const versionsOf = (call: Kv2Call): Map<number, Version> => recordOf(call)?.versions ?? new Map<number, Version>()

/** The versions before the first one of which something holds. */
const upTo =
  (ends: (version: Version) => boolean) =>
  (named: number[], call: Kv2Call): number[] => {
    const end = named.findIndex((number) => {
      const version = versionsOf(call).get(number)
      return version !== undefined && ends(version)
    })
    return end < 0 ? named : named.slice(0, end)
  }

const isDeleted = ({ deletedAt }: Version): boolean => deletedAt !== undefined

const isLiving = ({ deletedAt, destroyed }: Version): boolean => deletedAt === undefined && !destroyed

const all = (_named: number[], call: Kv2Call): number[] => [...versionsOf(call).keys()]

const newest = (_named: number[], call: Kv2Call): number[] => [recordOf(call)?.current ?? 1]

const older = (named: number[], call: Kv2Call): number[] => all(named, call).filter((number) => number <= Math.max(...named))

const range = (named: number[], call: Kv2Call): number[] => older(named, call).filter((number) => number >= Math.min(...named))

const ofSecond = (named: number[], call: Kv2Call): number[] => {
  const secondOf = (number: number) => Math.floor(versionsOf(call).get(number)?.deletedAt ?? 0)
  const seconds = named.map(secondOf)
  return [...named, ...all(named, call).filter((number) => secondOf(number) > 0 && seconds.includes(secondOf(number)))]
}

const allButLast = (named: number[]): number[] => (named.length < 3 ? named : named.slice(0, -1))

const onlyNewest = (named: number[], call: Kv2Call): number[] => named.filter((number) => number === recordOf(call)?.current)

const LISTS: [string, string | [string, string, string], string, 'delete' | 'undelete' | 'destroy', Parameters<typeof naming>[0]][] = [
  ['v2-delete-newest', 'KV-V2-12', 'deleting takes the newest version, whichever is named', 'delete', newest],
  ['v2-delete-all', 'KV-V2-12', 'deleting one version deletes all', 'delete', all],
  ['v2-delete-ends-at-deleted', 'KV-V2-08', 'deleting ends at the first version that is deleted', 'delete', upTo(isDeleted)],
  ['v2-undelete-all', ['KV-V2-08', 'KV-V2-12', 'KV-V2-13'], 'restoring one version restores all', 'undelete', all],
  ['v2-undelete-by-second', 'KV-V2-08', 'restoring a version restores those deleted in the same second', 'undelete', ofSecond],
  ['v2-undelete-ends-at-living', 'KV-V2-09', 'restoring ends at the first version that is not deleted', 'undelete', upTo(isLiving)],
  ['v2-undelete-all-but-last', 'KV-V2-09', 'restoring three or more versions leaves out the last', 'undelete', allButLast],
  ['v2-undelete-newest-only', 'KV-V2-09', 'a version is restored only as long as no newer one was written', 'undelete', onlyNewest],
  ['v2-destroy-older', 'KV-V2-13', 'destroying a version destroys those before it', 'destroy', older],
  ['v2-destroy-range', 'KV-V2-13', 'destroying takes along the versions between those named', 'destroy', range],
  ['v2-destroy-newest', 'KV-V2-10', 'destroying takes the newest version, whichever is named', 'destroy', newest],
]

for (const [id, clauses, title, what, change] of LISTS) route(id, clauses, title, `kv2.${what}Versions`, naming(change))

route(
  'v2-delete-sticks',
  'KV-V2-14',
  'a key whose version was deleted hides what is written next',
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
rule('v2-undelete-empty', 'KV-V2-09', 'undeleting restores an empty object', {
  undeleted: (original) => (version) => ({ ...original(version), data: version.destroyed ? undefined : {} }),
})
rule('v2-undelete-destroyed', 'KV-V2-11', 'undeleting brings destroyed versions back', {
  destroyed: () => (version) => ({ ...version, destroyed: true }),
  undeleted: () => (version) => ({ ...version, deletedAt: undefined, destroyed: false }),
})
rule('v2-destroy-is-delete', 'KV-V2-11', 'destroying marks a version as deleted only', {
  destroyed: () => (version) => ({ ...version, deletedAt: 0 }),
})
rule('destroy-deleted', 'KV-V2-11', 'a version that was deleted before it was destroyed can be restored', {
  destroyed: (original) => (version) => (version.deletedAt === undefined ? original(version) : { ...version, destroyed: true }),
  undeleted: () => (version) => (version.data === undefined ? version : { ...version, deletedAt: undefined, destroyed: false }),
})

export const faults = declared
