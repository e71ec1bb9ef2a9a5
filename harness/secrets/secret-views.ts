/** A text read in other ways: without its escapes, and as the bytes that its base64 or hexadecimal stretches stand for. */
import type { Span } from './secret-index.ts'

/** What a text says in one reading, and where each character of that stands in the text. */
export interface View {
  text: string
  /** The stretch of the original that characters `start` to `end` of this reading come from. */
  origin(span: Span): Span
}

/** Invisible characters, marks that combine with others, what a terminal takes for a command, and what bytes that are not text become. */
const UNSEEN = /[^\P{Cc}\t\n\r](?:\[[0-9;]{0,16}[A-Za-z])?|[\ufffd\p{Default_Ignorable_Code_Point}\p{Mn}]/u

interface Unescaping {
  /** Texts without this have nothing to unescape. */
  only: RegExp
  found: RegExp
  plain(escaped: string): string
}

const SIMPLE: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  ...{ sol: '/', bsol: '\\', plus: '+', equals: '=', period: '.', comma: ',', colon: ':', lowbar: '_', hyphen: '-', dash: '-', num: '#' },
}

const characterOf = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '')

const ofHex = (digits: string): string => characterOf(Number.parseInt(digits, 16))

const backslashed = (escaped: string): string => {
  const digits = escaped.replace(/^\\[uUx]?\{?|\}$/g, '')
  if (/^\\[0-7]{2}/.test(escaped)) return characterOf(Number.parseInt(digits, 8))
  return escaped.length > 2 ? ofHex(digits) : (SIMPLE[escaped[1]!] ?? escaped[1]!)
}

const entity = (escaped: string): string => {
  const name = escaped.replace(/^&#?|;$/g, '')
  if (!escaped.startsWith('&#')) return ENTITIES[name.toLowerCase()] ?? escaped
  return /^x/i.test(name) ? ofHex(name.slice(1)) : characterOf(Number(name))
}

/** One number of a list of bytes, and what separates it from the next. */
const byteIn = (radix: 8 | 10) => (escaped: string) => {
  const [digits] = /^[0-9a-fox]+/i.exec(escaped)!
  const code = /^0x/i.test(digits) ? Number.parseInt(digits, 16) : Number.parseInt(digits.replace(/^0o/i, ''), radix)
  return code < 256 ? String.fromCharCode(code) : escaped
}

const UNESCAPINGS: Unescaping[] = [
  {
    only: /\\/,
    found: /\\(?:u\{0{0,8}[0-9a-fA-F]{1,6}\}|U[0-9a-fA-F]{8}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[0-3]?[0-7]{2}|.)/gs,
    plain: backslashed,
  },
  { only: /%/, found: /%(?:u[0-9a-fA-F]{4}|[0-9a-fA-F]{2})/g, plain: (escaped) => ofHex(escaped.replace(/^%u?/, '')) },
  { only: /U\+[0-9a-f]{4}/i, found: /U\+[0-9a-f]{4,6}\s?/gi, plain: (escaped) => ofHex(escaped.slice(2)) },
  { only: /&/, found: /&(?:[a-z]{2,6}|#0{0,64}\d{1,7}|#x0{0,64}[0-9a-f]{1,6});?/gi, plain: entity },
  // Quoted-printable, with its line breaks within a word; a parameter may begin with two digits too.
  {
    only: /(?:=[0-9a-fA-F]{2}){2}|=3D|=[\t ]*\r?\n/i,
    found: /=(?:[0-9a-fA-F]{2}|[\t ]*\r?\n)/g,
    plain: (escaped) => (/^=[^\s]/.test(escaped) ? ofHex(escaped.slice(1)) : ''),
  },
  // Lists of bytes, as programs print them; the places of their items go first, where these are named.
  { only: /"\d{1,5}"\s?:\s?\d/, found: /"\d{1,5}"\s?:\s?/g, plain: () => '' },
  {
    only: /(?:(?<![0-9a-z])(?:0x[0-9a-f]{1,2}|\d{1,3})[\s,;:|./_"'-]+){5}/i,
    found: /(?<![0-9a-z])(?:0x[0-9a-f]{1,2}|\d{1,3})(?![0-9a-z])[\s,;:|./_"'-]*/gi,
    plain: byteIn(10),
  },
  {
    only: /(?:(?<![0-9a-z])(?:0o?)?[0-3]?[0-7]{2}[\s,;:|./_"'-]+){5}/i,
    found: /(?<![0-9a-z])(?:0o?)?[0-3]?[0-7]{2}(?![0-9a-z])[\s,;:|./_"'-]*/gi,
    plain: byteIn(8),
  },
  // Characters that nobody sees, zero bytes of UTF-16 among them.
  { only: UNSEEN, found: new RegExp(`${UNSEEN.source}+`, 'gu'), plain: () => '' },
]

const unescaped = (text: string, { only, found, plain }: Unescaping): View | undefined => {
  if (!only.test(text)) return undefined
  let result = ''
  // Positions in the reading at which the distance to the original grows, and the distance from there on.
  const marks: { at: number; shift: number }[] = []
  let done = 0
  for (const match of text.matchAll(found)) {
    const [escaped] = match
    const meant = plain(escaped)
    if (meant === escaped) continue
    result += text.slice(done, match.index) + meant
    done = match.index + escaped.length
    marks.push({ at: result.length, shift: done - result.length })
  }
  if (marks.length === 0) return undefined
  const original = (position: number): number => {
    let [low, high] = [0, marks.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (marks[middle]!.at <= position) low = middle + 1
      else high = middle
    }
    return position + (low === 0 ? 0 : marks[low - 1]!.shift)
  }
  return {
    text: result + text.slice(done),
    origin: ({ start, end }) => ({ start: original(start), end: original(end) }),
  }
}

// A line break, and what indents the line after it, does not end a stretch.
// Repetitions of one character alone take no room, however long a text is.
const BASE64 = /[A-Za-z0-9+/_-]{11}[A-Za-z0-9+/_-]*(?:=*[\r\n][\r\n\t ]*[A-Za-z0-9+/_-]{4}[A-Za-z0-9+/_-]*)*/g
const HEX = /[0-9a-fA-F][0-9a-fA-F:,\s./_|"'-]{14}[0-9a-fA-F:,\s./_|"'-]*/g

/** The digits of a stretch, and where each stands in the text. */
interface Digits {
  text: string
  at(index: number): number
}

const digitsOf = (stretch: string, start: number, between: RegExp): Digits => {
  if (stretch.search(between) === -1) return { text: stretch, at: (index) => start + index }
  let places: number[] | undefined
  const located = (): number[] => [...stretch].flatMap((digit, index) => (digit.search(between) === -1 ? [start + index] : []))
  return {
    text: stretch.replaceAll(between, ''),
    at(index) {
      places ??= located()
      return places[index]!
    },
  }
}

/** Readings of one stretch, one for each digit of a unit that it may begin with; what stands before it is made up, and left out again. */
function* decoded(digits: Digits, encoding: 'base64' | 'hex', unit: number, bytes: number): Generator<View> {
  const width = unit / bytes
  const filler = encoding === 'hex' ? '0' : 'A'
  for (let missing = 0; missing < unit; missing += 1) {
    const madeUp = Math.ceil(missing / width)
    const whole = missing === 0 ? digits.text : filler.repeat(missing) + digits.text
    yield {
      text: Buffer.from(whole, encoding).toString('latin1', madeUp),
      origin: (span) => {
        const first = Math.max(0, Math.floor((span.start + madeUp) * width) - missing)
        const last = Math.min(Math.ceil((span.end + madeUp) * width) - missing, digits.text.length) - 1
        return { start: digits.at(first), end: digits.at(last) + 1 }
      },
    }
  }
}

/** A text without its escapes, of each kind that it has. */
export function* unescapedViews(text: string): Generator<View> {
  for (const unescaping of UNESCAPINGS) {
    const view = unescaped(text, unescaping)
    if (view !== undefined) yield view
  }
}

/** The bytes that stretches of a text stand for in hexadecimal, one character a byte. */
export function* hexViews(text: string): Generator<View> {
  for (const { 0: stretch, index } of text.matchAll(HEX)) yield* decoded(digitsOf(stretch, index, /[:,\s./_|"'-]/g), 'hex', 2, 1)
}

/** The bytes that stretches of a text stand for in base64. */
export function* base64Views(text: string): Generator<View> {
  for (const { 0: stretch, index } of text.matchAll(BASE64)) yield* decoded(digitsOf(stretch, index, /[=\s]/g), 'base64', 4, 3)
}

/** Every other reading of a text. */
export function* viewsOf(text: string): Generator<{ view: View; isBytes: boolean }> {
  for (const view of unescapedViews(text)) yield { view, isBytes: false }
  for (const view of base64Views(text)) yield { view, isBytes: true }
  for (const view of hexViews(text)) yield { view, isBytes: true }
}

/** A text without characters that nobody sees; undefined where it has none. */
export const withoutUnseen = (text: string): View | undefined => unescaped(text, UNESCAPINGS.at(-1)!)
