/** Says what is left of runs, and how it is removed. */

import { existsSync } from 'node:fs'
import { entriesOf, type JournalEntry, strike } from '../cleanup/journal.ts'
import { isInstanceEntry, isLocalEntry } from '../running/used-backends.ts'

/** `1 object`, `2 objects`. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

const are = (count: number): string => (count === 1 ? 'is' : 'are')

/** A target as `assay clean` is given it. */
export const placeOf = ({ on, within }: JournalEntry): string => (within === undefined ? on : `${on} --namespace ${within}`)

/** Lines about objects on targets: how they are removed, then each by its name. */
export const wordsOfTargets = (entries: readonly JournalEntry[]): string[] => {
  const places = new Map<string, JournalEntry[]>()
  for (const entry of entries) places.set(placeOf(entry), [...(places.get(placeOf(entry)) ?? []), entry])
  return [...places].flatMap(([place, left]) => [
    `${counted(left.length, 'object')} ${are(left.length)} left on ${place}: run assay clean ${place} with its token, or --forget where it is gone`,
    ...left.map(({ kind, namespace = '', name }) => `  ${kind} ${namespace}${name}`),
  ])
}

/** Lines about instances of somebody else on which runs made objects. */
export const wordsOfInstances = (entries: readonly JournalEntry[]): string[] =>
  entries.map(({ on, name }) => `run ${name} made objects on ${on}: run assay clean --config FILE with a file that names it`)

const LOCAL_WORDS: Record<string, string> = { 'backend-folder': 'folder', 'backend-process': 'process', 'backend-container': 'container' }

/** What a run left on its machine, e.g. `2 folders, 1 container`. */
export const namesOfLocal = (entries: readonly JournalEntry[]): string =>
  Object.entries(LOCAL_WORDS)
    .map(([kind, word]) => ({ word, count: entries.filter((entry) => entry.kind === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ word, count }) => (word === 'process' && count > 1 ? `${count} processes` : counted(count, word)))
    .join(', ')

/** Lines about everything that the journal of a run says is left. */
export const wordsOfLeft = (entries: readonly JournalEntry[]): string[] => {
  const local = entries.filter(isLocalEntry)
  const instances = entries.filter(isInstanceEntry)
  const onTargets = entries.filter((entry) => !local.includes(entry) && !instances.includes(entry))
  return [
    ...wordsOfTargets(onTargets),
    ...wordsOfInstances(instances),
    ...(local.length === 0 ? [] : [`on this machine: ${namesOfLocal(local)}: run assay clean`]),
  ]
}

/** Lines about what a run that was stopped has left. It belongs to nobody from now on, also in the eyes of other machines. */
export const leave = (journal: string | undefined): string[] => {
  if (journal === undefined || !existsSync(journal)) return ['nothing is left']
  const left = entriesOf(journal)
  strike(journal, [])
  return left.length === 0 ? ['nothing is left'] : wordsOfLeft(left)
}
