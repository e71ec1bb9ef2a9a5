/** What a text says in any reading: a secret that comes in an encoded form alone looks like small numbers or ordinary signs. */
import { isText } from './secret-marks.ts'
import { unescapedViews } from './secret-views.ts'

/** One reading; bytes that do not form a text are one value. */
export interface Reading {
  text: string
  isBytes: boolean
}

/** More readings than this say nothing new. */
const MOST = 24

// Pairs of digits that are separated alike: times and dates are not.
const HEX_PAIRS = /(?<![0-9a-z])[0-9a-f]{2}([:, -]{1,2})[0-9a-f]{2}(?:\1[0-9a-f]{2}){6,}(?![0-9a-z])/gi
const BASE64 = /[A-Za-z0-9+/_-]{11}[A-Za-z0-9+/_-]*/g

/** Base64 of text has letters of both cases, or digits. */
export const isMixed = (stretch: string): boolean => /[a-z]/.test(stretch) && /[A-Z0-9]/.test(stretch.slice(1))

const decodedIn = (text: string): Reading[] => {
  const pairs = [...text.matchAll(HEX_PAIRS)].map(([pair]) => Buffer.from(pair.replace(/[^0-9a-f]/gi, ''), 'hex').toString('latin1'))
  const stretches = [...text.matchAll(BASE64)].filter(([stretch]) => isMixed(stretch))
  const texts = stretches.map(([stretch]) => Buffer.from(stretch, 'base64').toString('latin1')).filter(isText)
  return [...pairs.map((bytes) => ({ text: bytes, isBytes: !isText(bytes) })), ...texts.map((found) => ({ text: found, isBytes: false }))]
}

/** A text as it stands, without its escapes, and what its encoded stretches stand for, within one another too. */
export const readingsOf = (text: string): Reading[] => {
  const found: Reading[] = [{ text, isBytes: false }]
  const known = new Set([text])
  for (const { text: one, isBytes } of found) {
    if (isBytes) continue
    const unescaped = [...unescapedViews(one)].map((view) => ({ text: view.text, isBytes: false }))
    for (const reading of [...unescaped, ...decodedIn(one)]) {
      if (known.has(reading.text) || found.length === MOST) continue
      known.add(reading.text)
      found.push(reading)
    }
  }
  return found
}
