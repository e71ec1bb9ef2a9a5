/** Values that must never reach an artefact: collected while the run goes on, replaced in everything that is written, before it is cut. */
import { beginningOf } from '../base/text.ts'
import { Harmless } from './harmless.ts'
import { privateParts } from './private-keys.ts'
import { joined, SecretIndex, type Span } from './secret-index.ts'
import { type Hidden, isText, markedIn } from './secret-marks.ts'
import { viewsOf } from './secret-views.ts'

const REDACTED = '[redacted]'
/** Shortest piece of a value: as it stands, and in bytes where it is encoded (twelve characters of base64 are eight whole bytes at least). */
const PIECE = 12
const PIECE_BYTES = 8
/** Longer values are known by their beginning. */
const LONG = 64 * 1024
/** How many encodings may lie in one another. */
const DEEPEST = 4

const utf8AsLatin1 = (value: string): string => Buffer.from(value, 'utf8').toString('latin1')

/** Chooses members of JSON by name and value. */
export type MemberRule = (name: string, member: unknown) => boolean

export class SecretRegistry {
  readonly #index = new SecretIndex()
  readonly #seen = new Set<string>()
  readonly harmless: Harmless

  /** @param harmless what is never taken for a piece of a secret; default nothing but names of runs and frames of key files. */
  constructor(harmless: Harmless = new Harmless()) {
    this.harmless = harmless
  }

  /**
   * Registers a value. Of a private key its private numbers are taken, since the rest of it is public; text that cannot be told from
   * ordinary words, or is shorter than six characters, is not taken.
   */
  add(value: string): void {
    const known = value.length > LONG ? `${value.length} ${beginningOf(value, LONG)}` : value
    if (value.length < SecretIndex.shortest || this.#seen.has(known)) return
    this.#seen.add(known)
    const parts = privateParts(value)
    for (const part of parts) this.#index.add(part)
    if (parts.length > 0 || value.includes('-----BEGIN ')) return
    if (this.harmless.isWord(value) || new Set(beginningOf(value, LONG)).size < 4) return
    this.#index.add(value)
    const bytes = utf8AsLatin1(value)
    if (bytes !== value) this.#index.add(bytes)
  }

  /**
   * Replaces what is secret in a text: registered values and their pieces of twelve characters and more, in every usual spelling (escaped, base64 at
   * any place in a larger one, hexadecimal), blocks of private keys, and members named like a secret.
   */
  redact(text: string): string {
    const hidden = this.#hiddenIn(text, 0, PIECE)
    if (hidden.length === 0) return text
    let result = ''
    let done = 0
    for (const span of joined(hidden)) {
      const label = hidden.find(({ start, end }) => start === span.start && end === span.end)?.label
      result += text.slice(done, span.start) + (label ?? REDACTED)
      done = span.end
    }
    return result + text.slice(done)
  }

  /**
   * Every text in a value of JSON without what is secret.
   *
   * @param isUntouched says which members are left as they are, with all that is in them; default none.
   */
  redactAll<T>(value: T, isUntouched: MemberRule = () => false): T {
    return this.#redacted(value, isUntouched) as T
  }

  /** True when a registered value, a piece of one, or one of its spellings is in the text. */
  appearsIn(text: string): boolean {
    return this.#hiddenIn(text, 0, PIECE).length > 0
  }

  #redacted(value: unknown, isUntouched: MemberRule): unknown {
    if (typeof value === 'string') return this.redact(value)
    if (Array.isArray(value)) return value.map((item) => this.#redacted(item, isUntouched))
    if (typeof value !== 'object' || value === null) return value
    const members = Object.entries(value) as [string, unknown][]
    return Object.fromEntries(
      members.map(([name, member]) => [name, isUntouched(name, member) ? member : this.#redacted(member, isUntouched)]),
    )
  }

  #hiddenIn(text: string, depth: number, least: number): Hidden[] {
    const found: Hidden[] = [...this.#index.find(text, least, (piece) => this.harmless.isTelling(piece)), ...markedIn(text)]
    if (depth === DEEPEST) return found
    for (const { view, isBytes } of viewsOf(text)) {
      const below: Span[] =
        isBytes && !isText(view.text)
          ? this.#index.find(view.text, PIECE_BYTES, (piece) => this.harmless.isTelling(piece))
          : this.#hiddenIn(view.text, depth + 1, isBytes ? PIECE_BYTES : least)
      for (const span of below) found.push(view.origin(span))
    }
    return found
  }
}
