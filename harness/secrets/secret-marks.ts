/** Secrets that show by themselves, of whatever origin: blocks of private keys, and members that are named like a secret. */
import type { Span } from './secret-index.ts'

/** A stretch to hide, and what is put in its place; `[redacted]` by default. */
export interface Hidden extends Span {
  label?: string
}

// The end of a block may be missing: cut off, or of another kind.
const PRIVATE_KEY = /(-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----)([A-Za-z0-9+/=\s,:…-]*?)(?=-----END|[^A-Za-z0-9+/=\s,:…-]|$)/g

/** Whether a member's name says that its value is a secret. */
export const isSecretName = (name: string): boolean =>
  /(?:^|[^a-z])(?:[a-z]*pass(?:word|wd|phrase)?|pwd|pin|secret|otp|token|private[_-]?key|api[_-]?key|(?:secret|access)[_-]?key|credentials?|pem[_-]?bundle)$/i.test(
    name.replace(/([a-z])([A-Z])/g, '$1_$2'),
  )

const MEMBER = /"([^"\\\n]{1,80})"\s*:\s*"/g

/** Where a text of JSON ends that begins at `start`: at its closing quote, or with all there is. */
const endOfText = (text: string, start: number): number => {
  for (let at = start; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') return at
    if (character === '\\') at += 1
  }
  return text.length
}

/** What a text is shown as that must not be shown itself. */
export const shapeOf = (text: string): string => `[string, ${text.length} character${text.length === 1 ? '' : 's'}]`

/** Whether a text only stands for a value, as in evidence that is sent again: `${ASSAY_TOKEN}`. */
export const isPlaceholder = (text: string): boolean => /^\$\{[A-Z][A-Z0-9_]*\}$/.test(text)

/** A text with `shown` instead of all that was hidden in it. */
export const withHidden = (text: string, shown: string): string => text.replaceAll(/\[(?:redacted|string, \d+ characters?)\]/g, shown)

/** Whether something was hidden in a text. */
export const holdsHidden = (text: string): boolean => text !== withHidden(text, '')

const isShape = (text: string): boolean => isPlaceholder(text) || /^\[(?:redacted|string, \d+ characters?)\]$/.test(text)

/** Stretches of a text that give themselves away. */
export const markedIn = (text: string): Hidden[] => {
  const found: Hidden[] = []
  if (text.includes('PRIVATE KEY-----')) {
    for (const { 0: block, 1: head, index } of text.matchAll(PRIVATE_KEY)) {
      const [start, end] = [index + head!.length, index + block.length]
      if (text.slice(start, end).trim() !== '') found.push({ start, end })
    }
  }
  if (text.includes('":')) {
    for (const { 0: member, 1: name, index } of text.matchAll(MEMBER)) {
      if (!isSecretName(name!)) continue
      const start = index + member.length
      const end = endOfText(text, start)
      const value = text.slice(start, end)
      if (value !== '' && !isShape(value)) found.push({ start, end, label: shapeOf(value) })
    }
  }
  return found
}

/** Whether bytes, one a character, read like text; only the first of them are looked at. */
export const isText = (text: string): boolean => {
  const length = Math.min(text.length, 400)
  let odd = 0
  for (let index = 0; index < length; index += 1) {
    const byte = text.charCodeAt(index)
    if (byte < 9 || (byte > 13 && byte < 32) || byte > 126) odd += 20
    if (odd > length) return false
  }
  return true
}
