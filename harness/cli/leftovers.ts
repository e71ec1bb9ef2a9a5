/** What runs that were killed have left: on this machine, on targets, and on backends of somebody else. */
import { connectExternal } from '../backends/chain.ts'
import { removeBackendLeftovers } from '../backends/objects.ts'
import type { AnyHandle } from '../base/backend-handle.ts'
import { CleanUpTime } from '../cleanup/cleanup.ts'
import { abandonedJournals, entriesOf, type FoundJournal, isOn, type JournalEntry, strike } from '../cleanup/journal.ts'
import { externalOf, instanceOf, isInstanceEntry, isLocalEntry, isReachable, removeLocalEntry } from '../running/used-backends.ts'
import type { RunContext } from '../sending/context.ts'
import type { UndoEntry } from '../target/provisioner.ts'
import { endLeases, removalGroups, undoOrForce } from '../target/undo.ts'
import { baseUrl } from '../target/url.ts'
import { say } from './terminal.ts'

export interface Abandoned {
  file: string
  /** Objects on targets, by base URL. */
  onTargets: JournalEntry[]
  /** Runs that made objects on instances of somebody else. */
  onInstances: JournalEntry[]
  /** Processes and folders in another container or on another machine. */
  outOfReach: JournalEntry[]
  host: string
}

/** Milliseconds for one process, folder or container. */
const NEVER = new AbortController().signal
const LOCAL_DEADLINE = 20_000
/** A container that is gone took its processes and folders with it: after this long nobody is asked to look. */
const FORGOTTEN_AFTER = 24 * 3_600_000

const isForgotten = ({ isNeighbour, seen }: FoundJournal): boolean => !isNeighbour && Date.now() - seen.getTime() > FORGOTTEN_AFTER

/** Removes processes, folders and containers of killed runs; returns what they left elsewhere. */
export const removeAbandoned = async (): Promise<Abandoned[]> => {
  const left: Abandoned[] = []
  for (const journal of abandonedJournals()) {
    const { file } = journal
    const entries = entriesOf(file)
    const local = entries.filter(isLocalEntry)
    const ours = journal.isNeighbour || isForgotten(journal) ? local : local.filter(isReachable)
    const gone: JournalEntry[] = []
    for (const entry of ours) {
      await new CleanUpTime(NEVER)
        .within(LOCAL_DEADLINE, () => removeLocalEntry(entry))
        .then(
          () => gone.push(entry),
          (error: Error) => say(`assay: could not remove ${entry.kind} ${entry.name}: ${error.message}`),
        )
    }
    strike(file, gone)
    const onInstances = entries.filter(isInstanceEntry)
    const onTargets = entries.filter((entry) => !local.includes(entry) && !onInstances.includes(entry))
    const outOfReach = local.filter((entry) => !ours.includes(entry))
    const found = { file, onTargets, onInstances, outOfReach, host: journal.owner?.host ?? 'another machine' }
    if (onTargets.length + onInstances.length + outOfReach.length > 0) left.push(found)
  }
  return left
}

/** What is on targets, in the order in which it can be removed. */
export const inOrder = <T extends UndoEntry>(entries: T[]): T[] => removalGroups(entries, (entry) => entry).flat()

/** The entry as the provisioner of its target knows it. */
export const undoEntryOf = ({ on: _, within: __, ...entry }: JournalEntry): UndoEntry => entry as UndoEntry

/** Whether an entry is on a target, however its address was spelled when the entry was written. */
export const isThere = (place: Parameters<typeof isOn>[0], entry: JournalEntry): boolean =>
  isOn({ ...place, url: baseUrl(place.url) }, { ...entry, on: baseUrl(entry.on) })

/** The instances that the configuration names and that answer, whether this run needs them or not. */
const configuredInstances = async (context: RunContext): Promise<AnyHandle[]> => {
  const named = [...context.targets.values()].flatMap(({ config }) => {
    const { external, targetHost } = externalOf(config.backends)
    return Object.entries(external).map(([name, value]) => connectExternal(name, value, targetHost))
  })
  const answers = await Promise.allSettled(named)
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
}

/**
 * Removes what killed runs left on the targets and backends of the run that begins. Leases end with their mounts, and the target needs
 * its backends for that: objects on them go last. What cannot be removed stays in the journal for `assay clean`.
 */
export const removeEarlier = async (context: RunContext, abandoned: Abandoned[]): Promise<void> => {
  let instances: AnyHandle[] | undefined
  for (const { file, onTargets, onInstances } of abandoned) {
    try {
      for (const entry of inOrder(onTargets as (JournalEntry & UndoEntry)[])) {
        const target = [...context.targets.values()].find(({ config }) => isThere(config, entry))
        if (target === undefined) throw new Error(`${entry.on} is not a target of this run`)
        await undoOrForce(target, undoEntryOf(entry))
        strike(file, [entry])
      }
      for (const entry of onInstances) {
        instances ??= await configuredInstances(context)
        const handle = instances.find((one) => instanceOf(one) === entry.on)
        if (handle === undefined) continue
        await removeBackendLeftovers(handle, entry.name)
        strike(file, [entry])
      }
    } catch {
      // Somebody else's target, or one that refuses: `assay clean` says so when it is asked.
    }
  }
}

/** Milliseconds for one object of a target. */
const OBJECT_DEADLINE = 20_000

/**
 * Removes what is left on targets at the end: what requests have made whose answers an interrupt broke off, and all of it where a target
 * stopped answering and answers again. What cannot be removed stays in the journal.
 */
export const removeUnfinished = async (context: RunContext): Promise<void> => {
  const targets = [...context.targets.values()]
  const lost = targets.filter(({ http }) => http.lost !== undefined)
  if (!context.signal.aborted && lost.length === 0) return
  await Promise.all(targets.map(({ http }) => http.settled()))
  const left = context.journal.left().filter((entry) => !isLocalEntry(entry) && !isInstanceEntry(entry))
  if (left.length === 0) return
  for (const { http } of lost) await http.revive()
  const made = left.flatMap((entry) => {
    const target = targets.find(({ config }) => isThere(config, entry))
    return target === undefined || target.http.lost !== undefined ? [] : [{ target, entry: undoEntryOf(entry) }]
  })
  for (const target of targets) {
    const entries = made.filter((one) => one.target === target).map(({ entry }) => entry)
    await context.cleanUp.within(OBJECT_DEADLINE, () => endLeases(target, entries)).catch(() => undefined)
  }
  for (const group of removalGroups(made, ({ entry }) => entry)) {
    const remove = ({ target, entry }: (typeof made)[number]) =>
      context.cleanUp.within(OBJECT_DEADLINE, () => target.provisioner.undo(entry)).catch(() => undefined)
    await Promise.all(group.map(remove))
  }
}
