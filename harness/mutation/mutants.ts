/** Mutants: defects of the reference server that a tool made, which one of them is whose, and which are judged to be no defects. */
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
  key: string
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

/** The engine that a source file belongs to; what all of an API share belongs to `shared`. */
export const engineOfFile = (file: string, shared: string): string => /^engines\/([^/]+)\//.exec(file)?.[1] ?? shared

/** Entries of judged mutants that no longer exist, or that lack a reason: each is to be taken out or mended. */
export const staleEntries = (judged: readonly Judged[], mutants: readonly Mutant[]): string[] => {
  const known = new Set(mutants.map(({ file, key }) => `${file} ${key}`))
  return judged
    .filter(({ file, key, reason }) => !known.has(`${file} ${key}`) || reason.trim() === '')
    .map(({ file, key, reason }) => (reason.trim() === '' ? `${file}: ${key}: has no reason` : `${file}: ${key}: does not exist any more`))
}
