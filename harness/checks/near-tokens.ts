/** Bearers that are near to one that was issued and were never issued themselves. */
import type { Identity } from '../target/exchange.ts'
import type { Bench } from './vocabulary.ts'

/** Letters by which a near token is longer or shorter: enough that no lenient decoding makes up for them. */
const MUCH = 8

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/**
 * A text with one letter changed: of a letter's six bits in base64 the first, which a lenient decoding never leaves out.
 *
 * @param at which letter, from 0.
 */
export const changedAt = (text: string, at: number): string => {
  const place = ALPHABET.indexOf(text[at] ?? '')
  return `${text.slice(0, at)}${ALPHABET[(place + ALPHABET.length / 2) % ALPHABET.length]}${text.slice(at + 1)}`
}

/** Callers whose tokens a comparison of beginnings, of ends or without letter case takes for the given one; what a program sends that has none. */
export const nearTokens = (bench: Pick<Bench, 'random' | 'secret'>, { token }: Identity): Identity[] => {
  const more = bench.random.word(MUCH)
  const near: [name: string, token: string][] = [
    ['with something appended', `${token}${more}`],
    ['with something before it', `${more}${token}`],
    ['twice in a row', `${token}${token}`],
    ['null', 'null'],
    ['undefined', 'undefined'],
  ]
  if (token.length >= 3 * MUCH) {
    near.push(['without its end', token.slice(0, -MUCH)], ['without its beginning', token.slice(MUCH)])
  }
  for (const [where, at] of [
    ['first', 0],
    ['middle', token.length >> 1],
    ['last', token.length - 1],
  ] as const)
    near.push([`with its ${where} letter changed`, changedAt(token, at)])
  // Where all letters are of one case, the service may have a spelling that knows none.
  if (/[a-z]/.test(token) && /[A-Z]/.test(token)) near.push(['in lower case', token.toLowerCase()], ['in upper case', token.toUpperCase()])
  return near.map(([name, value]) => {
    if (value.length > MUCH + 1) bench.secret(value)
    return { name: `a token ${name}`, token: value }
  })
}
