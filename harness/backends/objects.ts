/** What checks made on instances that somebody else runs: found by the names that our runs give, and removed. */
import { type AnyHandle, isModule } from '../base/backend-handle.ts'
import { kindOf } from './backend-kinds.ts'

/** Whether checks make objects there that outlive a run that is killed. */
export const keepsObjects = (handle: AnyHandle): boolean => kindOf(handle.name).removeLeftovers !== undefined

/**
 * The run that gave a name, by the whole shape of what `Bench.fresh` makes and what checks put behind it. Names of others
 * that only begin alike do not count.
 *
 * @param run only this one; default any.
 */
export const runOfName = (name: string, run = '[a-z0-9]{6}'): string | undefined =>
  new RegExp(`^assay([-_])(${run})\\1[a-z0-9]{3}\\1[a-z][a-z_.]*\\1[a-z0-9]+(?:[-_.].*)?$`, 'is').exec(name)?.[2]

/**
 * Removes databases, users and virtual hosts that runs made and could not remove.
 *
 * @param run only those of this run; without it those of every run, also of one that goes on elsewhere.
 * @param spared names of runs whose objects stay.
 * @returns what was removed, in words.
 * @throws what the instance answers when it refuses.
 */
export const removeBackendLeftovers = async (handle: AnyHandle, run?: string, spared: readonly string[] = []): Promise<string[]> => {
  if (isModule(handle)) return []
  return (
    (await kindOf(handle.name).removeLeftovers?.(handle, (name) => {
      const owner = runOfName(name, run)
      return owner !== undefined && !spared.includes(owner)
    })) ?? []
  )
}
