/** A text read in other ways: without its escapes, and as the bytes that its base64 or hexadecimal stretches stand for. */
import type { Span } from './secret-index.ts'

/** What a text says in one reading, and where each character of that stands in the text. */
export interface View {
  text: string
  /** The stretch of the original that characters `start` to `end` of this reading come from. */
  origin(span: Span): Span
}

interface Unescaping {
  found: RegExp
  plain(escaped: string): string
}

const SIMPLE: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const codeOf = (entity: string): number => (/^#x/i.test(entity) ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1)))

const UNESCAPINGS: Unescaping[] = [
  {
    found: /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)/gs,
    plain: (escaped) =>
      escaped.length > 2 ? String.fromCharCode(Number.parseInt(escaped.slice(2), 16)) : (SIMPLE[escaped[1]!] ?? escaped[1]!),
  },
  { found: /%[0-9a-fA-F]{2}/g, plain: (escaped) => String.fromCharCode(Number.parseInt(escaped.slice(1), 16)) },
  {
    found: /&(?:amp|lt|gt|quot|apos|#\d{1,6}|#x[0-9a-fA-F]{1,5});/gi,
    plain: (escaped) =>
      ENTITIES[escaped.slice(1, -1).toLowerCase()] ?? String.fromCodePoint(Math.min(codeOf(escaped.slice(1, -1)), 0x10ffff)),
  },
]

const unescaped = (text: string, { found, plain }: Unescaping): View | undefined => {
  let result = ''
  // Positions in the reading at which the distance to the original grows, and the distance from there on.
  const marks: { at: number; shift: number }[] = []
  let done = 0
  for (const match of text.matchAll(found)) {
    const [escaped] = match
    result += text.slice(done, match.index) + plain(escaped)
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
const BASE64 = /[A-Za-z0-9+/_-]{11,}(?:=*[\r\n][\r\n\t ]*[A-Za-z0-9+/_-]{4,})*/g
const HEX = /[0-9a-fA-F]{2}(?:[:\s]{0,3}[0-9a-fA-F]{2}){7,}[0-9a-fA-F]?/g

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

/** Every other reading of a text. */
export function* viewsOf(text: string): Generator<{ view: View; isBytes: boolean }> {
  for (const unescaping of UNESCAPINGS) {
    const view = unescaped(text, unescaping)
    if (view !== undefined) yield { view, isBytes: false }
  }
  for (const { 0: stretch, index } of text.matchAll(BASE64))
    for (const view of decoded(digitsOf(stretch, index, /[=\s]/g), 'base64', 4, 3)) yield { view, isBytes: true }
  for (const { 0: stretch, index } of text.matchAll(HEX))
    for (const view of decoded(digitsOf(stretch, index, /[:\s]/g), 'hex', 2, 1)) yield { view, isBytes: true }
}
