/** What is tried: answers of a shape with a secret at a place in a form, and whose turn it is. */
import { seededRandom } from '../../harness/checks/seeded-random.ts'
import { FORMS } from './forms.ts'

/** An answer as it is sent. */
export interface OddAnswer {
  status: number
  headers: Record<string, string | string[]>
  body: string
  /** Instead of the usual words after the status. */
  reason?: string
  /** Headers after the body. */
  trailers?: Record<string, string>
  /** Headers of an answer 103 before it. */
  hints?: Record<string, string>
  /** Sent with the length of a longer body, and then closed. */
  isCut?: boolean
}

export interface Shape {
  answer(text: string, own: string): OddAnswer
  /** What a client rightly asks again for: a run that got no other answer may pass. */
  isNoise?: true
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): OddAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

const html = (status: number, text: string): OddAnswer => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: `<html><head><title>${status}</title></head><body><pre>upstream said: ${text}</pre></body></html>`,
})

/** Status and media type, by name. */
export const SHAPES: Readonly<Record<string, Shape>> = {
  '500 HTML': { answer: (text) => html(500, text), isNoise: true },
  '502 HTML': { answer: (text) => html(502, text), isNoise: true },
  '503 JSON': { answer: (text) => json(503, { errors: [`no upstream for ${text}`] }), isNoise: true },
  '400 with the own address': {
    answer: (text, own) => json(400, { errors: [`this node is a standby, ask ${own}/v1/sys/leader about ${text}`] }),
  },
  '307': { answer: (text, own) => json(307, { next: text }, { location: `${own}/v1/elsewhere` }) },
  'cut body': {
    answer: (text) => ({ ...json(200, {}), body: `{"data":{"value":${JSON.stringify(text)},"more":"`, isCut: true }),
    isNoise: true,
  },
  '200 of another shape': { answer: (text) => json(200, { result: { items: [{ note: text }, 7, null] } }) },
}

/** Where the secret stands in the answer; undefined where the form of it cannot stand there. */
export type Place = (shape: Shape, text: string, own: string) => OddAnswer | undefined

const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i
const WORDS = 'what was asked'

const withHeaders = (answer: OddAnswer, headers: OddAnswer['headers']): OddAnswer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
})
const inOneLine =
  (put: (answer: OddAnswer, text: string, own: string) => OddAnswer): Place =>
  (shape, text, own) =>
    /[\r\n\0]/.test(text) ? undefined : put(shape.answer(WORDS, own), text, own)
const inHeader = (headersOf: (text: string, own: string) => OddAnswer['headers']): Place =>
  inOneLine((answer, text, own) => withHeaders(answer, headersOf(text, own)))
const halvesOf = (text: string): [string, string] => [text.slice(0, text.length >> 1), text.slice(text.length >> 1)]

const PLACES: Readonly<Record<string, Place>> = {
  body: (shape, text, own) => shape.answer(text, own),
  'header value': inHeader((text) => ({ 'x-debug': `got ${text}` })),
  'header name': (shape, text, own) => (TOKEN.test(text) ? withHeaders(shape.answer(WORDS, own), { [`x-${text}`]: '1' }) : undefined),
  Location: inHeader((text, own) => ({ location: `${own}/v1/elsewhere?token=${text}` })),
  cookie: inHeader((text) => ({ 'set-cookie': `session=${text}; Path=/` })),
  'cookie of two': inHeader((text) => ({ 'set-cookie': ['seen=1', `session=${text}; Path=/`] })),
  'two headers of one name': inHeader((text) => ({ 'x-debug': halvesOf(text) })),
  'reason phrase': inOneLine((answer, text) => ({ ...answer, reason: `got ${text}` })),
  trailer: inOneLine((answer, text) => ({ ...answer, trailers: { 'x-debug': `got ${text}` } })),
  'early hints': inOneLine((answer, text) => ({ ...answer, hints: { 'x-debug': `got ${text}`, link: `<${text}>; rel=preload` } })),
}

export interface Cell {
  shape: string
  place: string
  form: string
}

/** Every cell of one operation. */
const CELLS: readonly Cell[] = Object.keys(SHAPES).flatMap((shape) =>
  Object.keys(PLACES).flatMap((place) => Object.keys(FORMS).map((form) => ({ shape, place, form }))),
)

/** Of a secret too long for a header, the end: private numbers of a key stand there. */
const LONGEST_IN_HEADER = 300

/** The answer of a cell with a secret; undefined where there is none such. */
export const answerOf = ({ shape, place, form }: Cell, secret: string, own: string): OddAnswer | undefined => {
  const text = place === 'body' ? secret : secret.trim().replaceAll(/\s+/g, ' ').slice(-LONGEST_IN_HEADER)
  return PLACES[place]!(SHAPES[shape]!, FORMS[form]!.write(text), own)
}

/** Deals out the cells of each operation in an order that the seed gives, each once. */
export class Deck {
  readonly #seed: number
  readonly #left = new Map<string, Cell[]>()

  readonly #cells: readonly Cell[]

  /** @param shapes names of those that are dealt; default all. */
  constructor(seed: number, shapes: readonly string[] = Object.keys(SHAPES)) {
    this.#seed = seed
    this.#cells = CELLS.filter(({ shape }) => shapes.includes(shape))
  }

  #cellsOf(operation: string): Cell[] {
    const known = this.#left.get(operation) ?? seededRandom(this.#seed, operation).shuffle(this.#cells)
    this.#left.set(operation, known)
    return known
  }

  /** The next cell of an operation that the secret fits, with its answer; undefined once none is left. */
  next(operation: string, secret: string, own: string): { cell: Cell; answer: OddAnswer } | undefined {
    const cells = this.#cellsOf(operation)
    for (let cell = cells.pop(); cell !== undefined; cell = cells.pop()) {
      const answer = answerOf(cell, secret, own)
      if (answer !== undefined) return { cell, answer }
    }
    return undefined
  }

  /** How many cells of the operations met so far are left. */
  get left(): number {
    return [...this.#left.values()].reduce((sum, cells) => sum + cells.length, 0)
  }
}
