/** Small text helpers that every format shares. Text from a server is never shown raw: see `visible`. */
import { visible } from '../specs/meta/unseen.ts'

export { visible }

/** `visible` text on one line: line breaks and runs of white space become one space. */
export const oneLine = (text: string): string => visible(text.replace(/\r\n?/g, '\n')).replace(/\s+/g, ' ').trim()

/** Cuts text to `length` characters and says how much is missing. */
export const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length)}… (${text.length - length} more characters)`

/** Cuts text to `length` characters, an ellipsis included: for places where every column counts. */
export const clip = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, Math.max(0, length - 1))}…`)

/** The first `most` items, and how many more there are. */
export const firstOf = (items: readonly string[], most: number): string[] =>
  items.length <= most ? [...items] : [...items.slice(0, most), `and ${items.length - most} more`]

/** `1 clause`, `2 clauses`. */
export const plural = (count: number, noun: string, many = `${noun}s`): string => `${thousands(count)} ${count === 1 ? noun : many}`

/** A whole number with thin groups of three: `12 345`. */
export const thousands = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, '\u202f')

/** Milliseconds as a person says them: `87 ms`, `2.4 s`, `3 min 5 s`. */
export const duration = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** An instant as `2026-11-21 03:25:00 UTC`; other text is shown as it is. */
export const instant = (iso: string): string => {
  const time = new Date(iso)
  return Number.isNaN(time.getTime()) ? visible(iso) : `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** Breaks text into lines of at most `width` characters, at spaces where there are any. */
export const wrap = (text: string, width: number): string[] => {
  const lines: string[] = []
  let line = ''
  const pieces = new RegExp(`.{1,${width}}`, 'gsu')
  for (const word of text.split(' ').flatMap((one) => (one.length <= width ? one : (one.match(pieces) ?? [])))) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  lines.push(line)
  return lines
}
