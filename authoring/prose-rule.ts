/** The textlint rule that finds words which the project gave up. */
import { readFileSync } from 'node:fs'
import type { TextlintRuleModule } from '@textlint/kernel'
import { parse } from 'yaml'

/** A word or phrase in a text, and what to write. */
export interface Finding {
  at: number
  found: string
  rather: string
}

interface WordList {
  words: Record<string, string>
  others: string
  phrases: Record<string, string>
}

const list = parse(readFileSync(new URL('words.yaml', import.meta.url), 'utf8')) as WordList
const WORDS = Object.entries(list.words).map(([found, rather]) => ({ pattern: new RegExp(found), rather }))
const PHRASES = Object.entries(list.phrases).map(([found, rather]) => ({ pattern: new RegExp(found.replaceAll(' ', '\\s+'), 'g'), rather }))
const OTHERS = new RegExp(`^(${list.others})$`)

/** The words of a text, also those that names are made of. */
const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g

const wordsIn = (text: string): Finding[] =>
  [...text.matchAll(WORD)].flatMap(({ index: at, 0: found }) => {
    const word = found.toLowerCase()
    if (OTHERS.test(word)) return []
    return WORDS.filter(({ pattern }) => pattern.test(word)).map(({ rather }) => ({ at, found, rather }))
  })

const phrasesIn = (text: string): Finding[] => {
  // A phrase goes on behind the sign that begins the next line of a comment.
  const flat = text.replace(/\n[ \t]*(\*|\/\/|#|>)?[ \t]*/g, (end) => ' '.repeat(end.length)).toLowerCase()
  return PHRASES.flatMap(({ pattern, rather }) => [...flat.matchAll(pattern)].map(({ index: at, 0: found }) => ({ at, found, rather })))
}

/** What in a text was given up. Pure. */
export const givenUp = (text: string): Finding[] => [...wordsIn(text), ...phrasesIn(text)]

export const proseRule: TextlintRuleModule = ({ Syntax, RuleError, report, getSource, getFilePath, locator }) => ({
  [Syntax.Document](node) {
    const path = getFilePath() ?? ''
    for (const { at, found, rather } of givenUp(getSource(node)))
      report(node, new RuleError(`"${found}": rather ${rather}`, { padding: locator.range([at, at + found.length]) }))
    for (const { found, rather } of wordsIn(path)) report(node, new RuleError(`"${found}" in the file's name: rather ${rather}`))
  },
})
