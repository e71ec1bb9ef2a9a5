/** Searches texts for pieces of secrets in every form, independently of what hides them, in one pass over each text. */
import { FORMS } from './forms.ts'
import { piecesOf } from './pieces.ts'

export interface Leak {
  /** The text in which it stands. */
  artefact: string
  secret: string
  form: string
  /** What stands around it. */
  around: string
}

interface Sought {
  text: string
  secret: string
  form: string
}

const KEY = 8
const FILTER_BITS = 20

const bitAt = (text: string, at: number): number => {
  let hash = 0
  for (let index = at; index < at + KEY; index += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0
  return Math.imul(hash, 0x9e3779b1) >>> (32 - FILTER_BITS)
}

export class Search {
  readonly #byKey = new Map<string, Sought[]>()
  readonly #filter = new Uint8Array(2 ** FILTER_BITS)

  constructor(secrets: Iterable<string>) {
    const known = new Set<string>()
    for (const secret of secrets)
      for (const piece of piecesOf(secret))
        for (const [form, { write, pieces = (text: string) => [write(text)], limit }] of Object.entries(FORMS))
          for (const text of limit === undefined ? pieces(piece) : [])
            if (!known.has(text) && known.add(text)) this.#add({ text, secret, form })
  }

  #add(sought: Sought): void {
    if (sought.text.length < KEY) return
    const key = sought.text.slice(0, KEY)
    const others = this.#byKey.get(key)
    if (others === undefined) this.#byKey.set(key, [sought])
    else others.push(sought)
    this.#filter[bitAt(key, 0)] = 1
  }

  /** The first place of each secret in each form. */
  in(artefact: string, text: string): Leak[] {
    const found = new Map<string, Leak>()
    for (let at = 0; at <= text.length - KEY; at += 1) {
      if (this.#filter[bitAt(text, at)] === 0) continue
      for (const { text: sought, secret, form } of this.#byKey.get(text.slice(at, at + KEY)) ?? []) {
        const id = `${form} ${secret}`
        if (found.has(id) || !text.startsWith(sought, at)) continue
        found.set(id, { artefact, secret, form, around: text.slice(Math.max(0, at - 120), at + sought.length + 40) })
      }
    }
    return [...found.values()]
  }
}
