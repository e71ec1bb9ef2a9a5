/** Removes what was made on a target. */
import { OBJECT } from './left-objects.ts'
import type { UndoEntry } from './provisioner.ts'
import type { Target } from './target.ts'

/** Something to take back; what a check defers is on no target. */
export interface UndoStep {
  undo(): Promise<unknown>
  on?: { target: Pick<Target, 'provisioner'>; entry: UndoEntry }
}

/** What people call an object, e.g. `mount team/assay-k2x7-kv-1`. */
export const nameOf = ({ kind, namespace, name }: UndoEntry): string => `${kind} ${namespace}${name}`

/** What was made last goes first; what lies in a mount or namespace goes with it; mounts may hold on to objects; a namespace goes after those inside it. */
const KINDS = ['mount', 'identity', OBJECT, 'namespace']

const depth = ({ namespace, name }: UndoEntry): number => `${namespace}${name}`.split('/').filter(Boolean).length

const placeOf = (entry: UndoEntry): number => KINDS.indexOf(entry.kind) + (entry.kind === 'namespace' ? 1 / (1 + depth(entry)) : 0)

/** Objects in groups, in the order in which these can be removed; those of one group hold on to nothing of each other. */
export const removalGroups = <T>(items: readonly T[], entryOf: (item: T) => UndoEntry): T[][] => {
  const groups = new Map<number, T[]>()
  for (const item of items) {
    const place = placeOf(entryOf(item))
    groups.set(place, [...(groups.get(place) ?? []), item])
  }
  return [...groups].sort(([left], [right]) => left - right).map(([, group]) => group)
}

/** Has the target end the leases of all mounts, beside one another: a mount whose leases are gone goes at once. */
export const endLeases = async ({ provisioner }: Pick<Target, 'provisioner'>, entries: readonly UndoEntry[]): Promise<void> => {
  const mounts = entries.filter(({ kind }) => kind === 'mount')
  await Promise.allSettled(mounts.map((entry) => provisioner.endLeases?.(entry)))
}

/**
 * Removes one object. A mount whose leases cannot be ended, for a backend of theirs is gone or refuses the target, goes without that at once.
 *
 * @returns whether a mount had to go that way.
 * @throws what the target says.
 */
export const undoOrForce = async ({ provisioner }: Pick<Target, 'provisioner'>, entry: UndoEntry): Promise<boolean> => {
  try {
    await provisioner.undo(entry)
    return false
  } catch (error) {
    if (entry.kind !== 'mount') throw error
    await provisioner.undo(entry, true)
    return true
  }
}

/** The step that removes one object. */
export const stepOf = (target: Pick<Target, 'provisioner'>, entry: UndoEntry): UndoStep => ({
  on: { target, entry },
  undo: () => undoOrForce(target, entry),
})
