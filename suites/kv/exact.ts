/** JSON compared with every digit: parsing loses whole numbers above 2^53. */
import { type Answer, isObject, type Json } from '../../harness/checks/index.ts'

const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** A decimal without redundant spelling: `1.0`, `1e0` and `1` are one. */
const plain = (number: string): string => {
  const [, sign = '', whole = '', fraction = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  const exponent = Number(power) - fraction.length + digits.length - significant.length
  return significant === '' ? '0' : `${sign}${significant}e${exponent}`
}

/** A number as JSON: as it is where parsing keeps each of its digits, else as text that says them. */
const exactNumber = (token: string): string => {
  const parsed = String(Number(token))
  const digits = plain(token)
  return Number.isFinite(Number(token)) && plain(parsed) === digits ? parsed : `"exactly ${digits.replace(/e0$/, '')}"`
}

/** Parses JSON text with every digit of its numbers; undefined where it is not JSON. */
export const exactJson = (text: string): Json | undefined => {
  try {
    JSON.parse(text)
    return JSON.parse(text.replace(TOKENS, (token) => (token.startsWith('"') ? token : exactNumber(token)))) as Json
  } catch {
    return undefined
  }
}

/** The objects that a read of version 1 may mean: the one under `data`, or the whole body. */
export const storedIn1 = (answer: Answer): Json[] => {
  const body = exactJson(answer.text)
  if (!answer.ok || !isObject(body)) return []
  return isObject(body.data) ? [body.data, body] : [body]
}

/** The object that a read of version 2 shows; undefined where it shows none. */
export const storedIn2 = (answer: Answer): Json | undefined => {
  const body = exactJson(answer.text)
  return answer.ok && isObject(body) && isObject(body.data) ? body.data.data : undefined
}
