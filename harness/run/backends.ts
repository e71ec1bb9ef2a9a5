/** Starts the backends of a run and keeps the journal of what that leaves on this machine. */
import { type Backends, removeBackendEntry, startBackends } from '../backends/ladder.ts'
import type { BackendEntry, BackendJournal } from '../backends/types.ts'
import type { RunContext } from './context.ts'
import type { Journal, JournalEntry } from './journal.ts'

const LOCAL = 'this machine'

const entryOf = (entry: BackendEntry): JournalEntry => {
  const name = entry.kind === 'backend-folder' ? entry.path : entry.kind === 'backend-process' ? String(entry.pid) : entry.id
  return { on: LOCAL, kind: entry.kind, name, entry: JSON.stringify(entry) }
}

/** True for journal entries of this machine rather than of a target. */
export const isLocalEntry = (entry: JournalEntry): boolean => entry.on === LOCAL

/** Removes a process, folder or container that an earlier run left. */
export const removeLocalEntry = (entry: JournalEntry): Promise<void> => removeBackendEntry(JSON.parse(entry.entry ?? '{}') as BackendEntry)

/** The backends' side of a journal: processes, folders and containers of this machine. */
export const localJournal = (journal: Journal): BackendJournal => ({
  add: (entry) => journal.add(entryOf(entry)),
  remove: (entry) => journal.remove(entryOf(entry)),
})

/** Starts what the selected checks need; the caller stops it. */
export const startForRun = async (context: RunContext, names: string[], onProgress: (message: string) => void): Promise<Backends> => {
  const [target] = context.targets.values()
  const { host, ...external } = (target?.config.backends ?? {}) as { host?: string; [name: string]: unknown }
  const backends = await startBackends(names, {
    external: external as Record<string, string | object>,
    ...(host === undefined ? {} : { targetHost: host }),
    journal: localJournal(context.journal),
    onProgress,
    signal: context.signal,
  })
  context.backends = backends.handles
  context.missingBackends = backends.missing
  for (const handle of Object.values(backends.handles)) if (handle.password !== '') context.secrets.add(handle.password)
  return backends
}
