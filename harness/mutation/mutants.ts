/** Mutants: defects of the reference server that a tool made, which one of them is whose, and which are judged to be no defects. */
import type { Reached } from './server-under-test.ts'

/** One change that a tool made to the sources. */
export interface Mutant {
  /** The number that switches it on. */
  id: string
  /** Path of the source file below the reference's folder, e.g. `engines/kv/kv1.rules.ts`. */
  file: string
  /** Counted from 1. */
  line: number
  mutator: string
  original: string
  replacement: string
  /** Tells it from the others of its file, also after lines have moved. */
  key: string
}

/** A mutant that somebody judged: it changes nothing that can be seen, or nothing that the contract speaks of. */
export interface Judged {
  file: string
  /** Without it every mutant of the file: nothing in it is of the contract. */
  key?: string
  /** Where only this engine's checks are asked, for what it shares with others of whom the contract asks more. */
  engine?: string
  reason: string
}

const LONGEST = 80

const brief = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
}

/** Keys of the mutants of one file: what is changed into what, with a number where the same change occurs several times. */
export const withKeys = (mutants: readonly Omit<Mutant, 'key'>[]): Mutant[] => {
  const seen = new Map<string, number>()
  return mutants.map((mutant) => {
    const text = `${mutant.mutator}: ${brief(mutant.original)} => ${brief(mutant.replacement)}`
    const count = (seen.get(`${mutant.file} ${text}`) ?? 0) + 1
    seen.set(`${mutant.file} ${text}`, count)
    return { ...mutant, key: count === 1 ? text : `${text} (${count})` }
  })
}

/** The folder of what answers every request, whatever engine it is for. */
const LISTENER = 'http'

/**
 * Whether an engine's checks are asked about a source file: its own, and what it shares with some others. What all of them share is for the
 * general engines, whose folders bear their names.
 *
 * @param file below the reference's folder, e.g. `engines/kv/kv1.rules.ts`
 */
export const concernsEngine = (file: string, engine: string, general: ReadonlySet<string>): boolean => {
  const [folder = '', owner] = file.split('/')
  if (folder === 'engines') return owner === engine
  if (folder === LISTENER || general.has(folder)) return general.has(engine)
  return !general.has(engine)
}

const names = ({ file, key }: Judged, mutant: Pick<Mutant, 'file' | 'key'>): boolean =>
  file === mutant.file && (key === undefined || key === mutant.key)

/**
 * The mutants that an engine's checks are asked about. Tables of a file count where a request came to that file at all: every file is loaded.
 *
 * @param general engines that state what all others keep to
 */
export const mutantsFor = (all: readonly Mutant[], engine: string, reached: Reached, general: ReadonlySet<string>): Mutant[] => {
  const asked = new Set(all.filter(({ id }) => reached.get(id) === 'answering').map(({ file }) => file))
  return all.filter(({ id, file }) => concernsEngine(file, engine, general) && reached.has(id) && asked.has(file))
}

/** Whether a mutant was judged to be no defect of what an engine shows. */
export const isJudged = (judged: readonly Judged[], mutant: Pick<Mutant, 'file' | 'key'>, engine: string): boolean =>
  judged.some((entry) => names(entry, mutant) && (entry.engine ?? engine) === engine)

/** Entries of judged mutants that no longer exist, or that lack a reason: each is to be taken out or mended. */
export const staleEntries = (judged: readonly Judged[], mutants: readonly Mutant[]): string[] => {
  const whatIsWrong = (entry: Judged): string[] => {
    if (entry.reason.trim() === '') return ['has no reason']
    return mutants.some((mutant) => names(entry, mutant)) ? [] : ['does not exist any more']
  }
  return judged.flatMap((entry) => whatIsWrong(entry).map((wrong) => `${[entry.file, entry.key ?? 'every mutant'].join(': ')}: ${wrong}`))
}
