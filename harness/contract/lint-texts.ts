/** The linter's rules about texts that are read alone, in a line of JUnit for instance: of clauses, and of checks. */
import type { LintFinding } from './lint-types.ts'

/** One text and what it belongs to. */
export interface ShownText {
  where: string
  text: string
}

/** More words than this have to be read twice. */
const MOST_WORDS = 25

/** How a text begins whose subject stands in another text. */
const WITHOUT_SUBJECT =
  /^(((with|without|after|before|beside|of) )?(it|them|these|those|this|that|such)|they|he|then|so|when (set|true|false|enabled)|reads back|otherwise|else|likewise|the same (holds|with))\b/i

const findingsOf = ({ where, text }: ShownText): LintFinding[] => {
  const words = text.split(/\s+/).length
  return [
    ...(words > MOST_WORDS ? [{ rule: 'long-text', where, message: `has ${words} words, and may have ${MOST_WORDS}` }] : []),
    ...(WITHOUT_SUBJECT.test(text) ? [{ rule: 'text-without-subject', where, message: `does not say what it speaks of: ${text}` }] : []),
  ]
}

/** What makes these texts hard to read alone; empty where each names its subject in few and plain words. Pure. */
export const aloneFindings = (texts: readonly ShownText[]): LintFinding[] => texts.flatMap(findingsOf)

/** Texts that stand for two things at once, of those that nothing but their words tells apart. Pure. */
export const sharedTextFindings = (texts: readonly ShownText[]): LintFinding[] => {
  const first = new Map<string, string>()
  return texts.flatMap(({ where, text }) => {
    const known = first.get(text)
    first.set(text, known ?? where)
    return known === undefined ? [] : [{ rule: 'shared-text', where, message: `says the same as ${known}: ${text}` }]
  })
}
