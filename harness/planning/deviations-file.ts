/** The file of known deviations: read, refused where a person has still to write something, and rid of entries that no longer occur. */
import { existsSync, readFileSync } from 'node:fs'
import { isSeq, parse, parseDocument } from 'yaml'
import { requireKnown, UsageError } from '../base/usage.ts'
import { writeWhole } from '../base/whole-file.ts'
import type { Clause, Contract } from '../contract/contract.ts'
import { problemsOf } from '../contract/own-documents.ts'
import type { Deviation } from './deviations.ts'

/** How a member begins that a person has still to write. */
export const UNWRITTEN = 'TODO'

/** Days that an entry of something that occurs only sometimes may hold on. */
const LONGEST_SOMETIMES = 30
const DAY = 86_400_000

const nameOf = ({ clause, check }: Deviation): string => (check === undefined ? clause : `${clause} in ${check}`)

const WRITTEN: [member: 'reason' | 'owner', remedy: string][] = [
  ['reason', 'write why the target differs'],
  ['owner', 'write who answers for it'],
]

/** What keeps an entry from being used, with the remedy; undefined where nothing does. */
const problemOf = (entry: Deviation, today: string): string | undefined => {
  const unwritten = WRITTEN.find(([member]) => entry[member].trimStart().startsWith(UNWRITTEN))
  if (unwritten !== undefined) return `the ${unwritten[0]} still says ${UNWRITTEN}: ${unwritten[1]}`
  if (entry.occurs !== 'sometimes') return undefined
  if (entry.link === undefined) return 'what occurs only sometimes needs a link: give that of the ticket'
  if (entry.expires === undefined) return 'what occurs only sometimes needs an end: give expires'
  const last = new Date(Date.parse(today) + LONGEST_SOMETIMES * DAY).toISOString().slice(0, 10)
  if (entry.expires <= last) return undefined
  return `what occurs only sometimes may be known for ${LONGEST_SOMETIMES} days: give expires ${last} or earlier, not ${entry.expires}`
}

const partsOf = ({ clause }: Deviation, { clauses }: Pick<Contract, 'clauses'>): Clause[] =>
  [...clauses.values()].filter(({ splitFrom }) => splitFrom === clause)

/** What to change in entries whose clauses were split since they were written; a sentence for each. */
export const splitNotes = (entries: readonly Deviation[], contract: Pick<Contract, 'clauses'>): string[] =>
  entries.flatMap((entry) => {
    const parts = partsOf(entry, contract)
    if (parts.length === 0 || entries.some(({ clause }) => parts.some(({ id }) => id === clause))) return []
    const names = parts.map(({ id, level }) => `${id} (${level})`).join(', ')
    return [`the entry of ${nameOf(entry)}: the clause was split; where the target differs in ${names}, name that instead`]
  })

/**
 * Reads a deviations file.
 *
 * @param today `YYYY-MM-DD`.
 * @throws UsageError for a file that is missing, unreadable, misshapen, names unknown clauses, or has an entry that may not be used.
 */
export const readDeviations = (
  file: string,
  contract: Pick<Contract, 'clauses'>,
  today = new Date().toISOString().slice(0, 10),
): Deviation[] => {
  if (!existsSync(file)) throw new UsageError(`deviations file ${file} does not exist`)
  let document: unknown
  try {
    document = parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`deviations file ${file} is not readable YAML: ${(error as Error).message.split('\n')[0]}`)
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new UsageError(`deviations file ${file} must hold a list under \`deviations:\` (see: targets/README.md)`)
  const problems = problemsOf('deviations', document)
  if (problems.length > 0) throw new UsageError(`deviations file ${file}:\n  ${problems.join('\n  ')}`)
  const entries = (document as { deviations: Deviation[] | null }).deviations ?? []
  requireKnown(
    `clause in ${file}:`,
    entries.map((entry) => entry.clause),
    [...contract.clauses.keys()],
  )
  const refused = entries.flatMap((entry) => {
    const problem = problemOf(entry, today)
    return problem === undefined ? [] : [`the entry of ${nameOf(entry)}: ${problem}`]
  })
  if (refused.length > 0) throw new UsageError(`deviations file ${file}:\n  ${refused.join('\n  ')}`)
  return entries.map((entry) => {
    const splitInto = partsOf(entry, contract).map(({ id }) => id)
    return splitInto.length === 0 ? entry : { ...entry, splitInto }
  })
}

/**
 * Takes entries out of a file and leaves everything else in it as it was, comments included.
 *
 * @param places of the entries in the list, from 0.
 */
export const takeOut = (file: string, places: readonly number[]): void => {
  const document = parseDocument(readFileSync(file, 'utf8'))
  const list = document.get('deviations')
  // The comment above the first entry belongs to the list, in the eyes of the parser.
  if (places.includes(0) && isSeq(list)) list.commentBefore = null
  for (const place of [...places].sort((left, right) => right - left)) document.deleteIn(['deviations', place])
  writeWhole(file, document.toString({ lineWidth: 0 }))
}
