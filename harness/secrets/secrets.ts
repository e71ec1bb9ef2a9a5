/** Values that must never reach an artefact: collected while the run goes on, replaced in everything that is written, before it is cut. */
import { beginningOf } from '../base/text.ts'
import { Harmless } from './harmless.ts'
import { privateParts } from './private-keys.ts'
import { SearchWork } from './search-work.ts'
import { joined, SecretIndex, type Span } from './secret-index.ts'
import { type Hidden, isText, markedIn } from './secret-marks.ts'
import { viewsOf, withoutUnseen } from './secret-views.ts'

const REDACTED = '[redacted]'
/** Shortest piece of a value: as it stands, and in bytes where it is encoded (twelve characters of base64 are eight whole bytes at least). */
const PIECE = 12
const PIECE_BYTES = 8
/** Longer values are known by their beginning. */
const LONG = 64 * 1024
/** Shorter texts are not taken for an address. */
const SHORTEST_PUBLIC = 8
const PEM_BLOCK = /-----BEGIN [A-Z0-9 ]+-----[^-]*-----END [A-Z0-9 ]+-----/
/** How many encodings may lie in one another. */
const DEEPEST = 4

const utf8AsLatin1 = (value: string): string => Buffer.from(value, 'utf8').toString('latin1')

/** Chooses members of JSON by name and value. */
export type MemberRule = (name: string, member: unknown) => boolean

export class SecretRegistry {
  readonly #index = new SecretIndex()
  readonly #seen = new Set<string>()
  readonly #public: string[] = []
  #hiddenWhole = 0
  #leftOut = 0
  readonly harmless: Harmless

  /** @param harmless what is never taken for a piece of a secret; default nothing but names of runs and frames of key files. */
  constructor(harmless: Harmless = new Harmless()) {
    this.harmless = harmless
  }

  /**
   * Registers a value. Of a private key its private numbers are taken, since the rest of it is public, and all that a document of JSON says beside one; text that cannot be told from
   * ordinary words, or is shorter than six characters, is not taken.
   */
  add(value: string): void {
    // What is found of a longer value is its beginning, but for the blocks of a key file.
    const known = value.length > LONG && !value.includes('-----BEGIN ') ? beginningOf(value, LONG) : value
    const withoutPublic = this.#public.reduce((rest, text) => rest.replaceAll(text, '\n'), known)
    if (withoutPublic === known) this.#addWhole(known)
    else for (const part of withoutPublic.split('\n')) this.#addWhole(part)
  }

  /** Says that an address is known to everybody, such as the target's own: it is part of no secret. */
  addPublic({ origin, host, hostname }: URL): void {
    // A short name may stand in a token by chance.
    const texts = [origin, host, hostname].filter(({ length }) => length >= SHORTEST_PUBLIC)
    this.#public.push(...texts, ...texts.map(encodeURIComponent))
  }

  #addWhole(value: string): void {
    const known = value.length > LONG ? `${value.length} ${beginningOf(value, LONG)}` : value
    if (value.length < SecretIndex.shortest || this.#seen.has(known)) return
    this.#seen.add(known)
    const parts = privateParts(value)
    for (const part of parts) this.#index.add(part)
    if (parts.length > 0 || value.includes('-----BEGIN ')) {
      // What a document says beside its keys and certificates is as secret as any other value.
      if (value.trimStart().startsWith('{')) for (const rest of value.split(PEM_BLOCK)) this.#index.add(rest)
      return
    }
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
    const hidden = this.#searched(text)
    if (hidden === undefined) {
      this.#hiddenWhole += 1
      return REDACTED
    }
    if (hidden.length === 0) return text
    const labels = new Map(hidden.flatMap(({ start, end, label }) => (label === undefined ? [] : [[`${start} ${end}`, label]])))
    let result = ''
    let done = 0
    for (const { start, end } of joined(hidden)) {
      result += text.slice(done, start) + (labels.get(`${start} ${end}`) ?? REDACTED)
      done = end
    }
    return result + text.slice(done)
  }

  /** How many values are known. */
  get size(): number {
    return this.#seen.size
  }

  /** Says that an answer held more values than are learned of one. */
  leaveOut(): void {
    this.#leftOut += 1
  }

  /** How many answers held more. */
  get leftOut(): number {
    return this.#leftOut
  }

  /** How many texts were hidden whole, because to search them would have taken too long. */
  get hiddenWhole(): number {
    return this.#hiddenWhole
  }

  /**
   * Every text in a value of JSON without what is secret.
   *
   * @param isUntouched says which members are left as they are, with all that is in them; default none.
   */
  redactAll<T>(value: T, isUntouched: MemberRule = () => false): T {
    return this.#redacted(value, isUntouched) as T
  }

  /** True when a registered value, a piece of one, or one of its spellings is in the text, or where nobody can tell. */
  appearsIn(text: string): boolean {
    return this.#searched(text)?.length !== 0
  }

  /** What to hide of a text; undefined where the search would take more steps, or more of the stack for a pattern, than there are. */
  #searched(text: string): Hidden[] | undefined {
    const work = new SearchWork(text.length)
    try {
      const hidden = this.#hiddenIn(text, 0, PIECE, work)
      return work.isUsedUp ? undefined : hidden
    } catch (error) {
      if (error instanceof RangeError) return undefined
      throw error
    }
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

  #hiddenIn(text: string, depth: number, least: number, work: SearchWork): Hidden[] {
    const found: Hidden[] = [...this.#find(text, least, work), ...markedIn(text)]
    if (depth === DEEPEST) return found
    for (const { view, isBytes } of viewsOf(text)) {
      if (work.isUsedUp) return found
      for (const span of this.#hiddenInView(view.text, isBytes, depth + 1, least, work)) found.push(view.origin(span))
    }
    return found
  }

  #hiddenInView(text: string, isBytes: boolean, depth: number, least: number, work: SearchWork): Span[] {
    if (!isBytes) return this.#hiddenIn(text, depth, least, work)
    if (isText(text)) return this.#hiddenIn(text, depth, PIECE_BYTES, work)
    const found = this.#find(text, PIECE_BYTES, work)
    // Every second byte of UTF-16 is zero.
    const seen = withoutUnseen(text)
    if (seen === undefined) return found
    return [...found, ...this.#hiddenInView(seen.text, isBytes, depth, least, work).map((span) => seen.origin(span))]
  }

  #find(text: string, least: number, work: SearchWork): Span[] {
    return this.#index.find(text, least, (piece) => this.harmless.isTelling(piece), work)
  }
}
