/** All faults and variants of the reference server: what the files `*.faults.ts`, `places.ts` and `*.variants.ts` export. */
import type { Fault, Variant } from '../core/mutation.ts'
import { importAll } from '../discovery.ts'

/** Each entry once. */
const distinct = <Entry extends { id: string }>(entries: Entry[]): Entry[] => {
  const ids = new Set<string>()
  for (const { id } of entries) {
    if (ids.has(id)) throw new Error(`two declarations have the id ${id}`)
    ids.add(id)
  }
  return entries
}

/**
 * The faults of one folder below the reference's own, or of all.
 * @param folder for instance `engines/kv`; faults of the conventions of all requests that show in this engine are among them
 */
export const faultsBelow = async (folder?: string): Promise<Fault[]> =>
  distinct((await importAll<{ faults: Fault[] }>(/\.faults$|^places$/, folder)).flatMap(({ faults }) => faults))

export const allFaults = await faultsBelow()

export const allVariants = distinct((await importAll<{ variants: Variant[] }>(/\.variants$/)).flatMap(({ variants }) => variants))

/** Defects that a reader understands at once, of one engine, so that a run against them is short. */
export const FIRST_FAULTS = ['kv/v1-merged', 'kv/v2-undelete-destroyed', 'kv/list-shows-values']
