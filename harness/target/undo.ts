/** Removes what was made on a target. */
import type { UndoEntry } from './provisioner.ts'
import type { Target } from './target.ts'

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
