/** Starts the backends of a run and keeps the journal of what that leaves on this machine and on instances of others. */
import { existsSync } from 'node:fs'
import { type Backends, removeBackendEntry, startBackends } from '../backends/chain.ts'
import { keepsObjects, removeBackendLeftovers } from '../backends/objects.ts'
import type { BackendEntry, BackendJournal } from '../backends/provider.ts'
import { type AnyHandle, placeOfHandle, secretsOf } from '../base/backend-handle.ts'
import type { JsonObject } from '../base/json.ts'
import type { Journal, JournalEntry } from '../cleanup/journal.ts'
import type { RunContext } from '../sending/context.ts'

const LOCAL = 'this machine'

const entryOf = (entry: BackendEntry): JournalEntry => {
  const name = entry.kind === 'backend-folder' ? entry.path : entry.kind === 'backend-process' ? String(entry.pid) : entry.id
  return { on: LOCAL, kind: entry.kind, name, entry: JSON.stringify(entry) }
}

/** True for journal entries of this machine rather than of a target. */
export const isLocalEntry = (entry: JournalEntry): boolean => entry.on === LOCAL

const OBJECTS = 'objects of a run'

/** Where the objects of a run are, for journals and messages: the instance by its address, without credentials. */
export const instanceOf = (handle: AnyHandle): string => `${handle.name} at ${placeOfHandle(handle)}`

/** True for entries that say that a run made objects on an instance of somebody else; the name of such an entry is that of the run. */
export const isInstanceEntry = (entry: JournalEntry): boolean => entry.kind === OBJECTS

/** Whether a process, folder or container of a run in another container or on another machine can be removed from here. */
export const isReachable = (entry: JournalEntry): boolean => {
  const local = JSON.parse(entry.entry ?? '{}') as BackendEntry
  return local.kind === 'backend-container' || existsSync(local.kind === 'backend-folder' ? local.path : local.folder)
}

/** Removes a process, folder or container that an earlier run left. */
export const removeLocalEntry = (entry: JournalEntry): Promise<void> => removeBackendEntry(JSON.parse(entry.entry ?? '{}') as BackendEntry)

/** The backends' side of a journal: processes, folders and containers of this machine. */
export const localJournal = (journal: Journal): BackendJournal => ({
  add: (entry) => journal.add(entryOf(entry)),
  remove: (entry) => journal.remove(entryOf(entry)),
})

/** The backends that a configuration names. */
export const externalOf = (config: JsonObject): { external: Record<string, string | object>; targetHost?: string } => {
  const { host, ...external } = config as { host?: string; [name: string]: unknown }
  return { external: external as Record<string, string | object>, ...(host === undefined ? {} : { targetHost: host }) }
}

/**
 * Gives a run backends that are up.
 *
 * @returns the same backends; stopping them removes first what the run has left on instances of somebody else.
 */
export const useForRun = (context: RunContext, backends: Backends, onProgress: (message: string) => void): Backends => {
  context.backends = backends.handles
  context.missingBackends = backends.missing
  const handles = Object.values(backends.handles)
  for (const secret of handles.flatMap(secretsOf)) context.secrets.add(secret)
  const others = handles.filter((handle) => handle.provider === 'external' && keepsObjects(handle))
  const entryFor = (handle: AnyHandle): JournalEntry => ({ on: instanceOf(handle), kind: OBJECTS, name: context.run })
  for (const handle of others) context.journal.add(entryFor(handle))
  return {
    ...backends,
    async stop() {
      for (const handle of others.splice(0)) {
        try {
          await removeBackendLeftovers(handle, context.run)
          context.journal.remove(entryFor(handle))
        } catch (error) {
          onProgress(`objects of this run are left on ${instanceOf(handle)}: ${(error as Error).message}`)
        }
      }
      await backends.stop()
    },
  }
}

/** Starts what the selected checks need; the caller stops it. A target that `runsAlready` is not told of what starts now. */
export const startForRun = async (
  context: RunContext,
  names: string[],
  runsAlready: boolean,
  onProgress: (message: string) => void,
): Promise<Backends> => {
  const [target] = context.targets.values()
  const backends = await startBackends(names, {
    ...externalOf(target?.config.backends ?? {}),
    runsAlready,
    journal: localJournal(context.journal),
    onProgress,
    signal: context.signal,
  })
  return useForRun(context, backends, onProgress)
}
