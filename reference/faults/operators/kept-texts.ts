/** Mistakes with texts that come back, or are used, as they were given: also with each text of a list or of a map. */
import type { Json } from '../../core/json.ts'
import { around, type Family, type Operator } from './family.ts'
import { requestMember } from './members.ts'

export interface TextPlace {
  /** Operations whose request bodies have the text. */
  operations: readonly string[]
  /** For instance `default_user`, or `data.attributes.description`. */
  member: string
}

const inTexts = (change: (text: string) => string, value: Json | undefined): Json | undefined => {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'string' ? change(item) : item))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, typeof item === 'string' ? change(item) : item]))
}

const text = (title: string, change: (text: string) => string): Operator<TextPlace> => ({
  title: `{} ${title}`,
  change: ({ operations, member }) =>
    around(
      operations,
      requestMember(member, (value) => inTexts(change, value)),
    ),
})

const decoded = (given: string): string => {
  try {
    return decodeURIComponent(given)
  } catch {
    return given
  }
}

/** What becomes of a text, for whatever has texts: each title goes on from what the text is. */
export const textChanges: Record<string, { title: string; change: (given: string) => string }> = {
  trimmed: { title: 'loses blanks at its ends', change: (given) => given.trim() },
  cut: { title: 'ends after 255 characters', change: (given) => given.slice(0, 255) },
  escaped: {
    title: 'is escaped for HTML',
    change: (given) => given.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  },
  decoded: { title: 'is decoded as a part of a URL', change: decoded },
  composed: { title: 'is brought into its composed form', change: (given) => given.normalize('NFC') },
  'line-ends': { title: 'has its line ends made one kind', change: (given) => given.replaceAll('\r\n', '\n') },
  'first-line': { title: 'ends with its first line', change: (given) => given.split('\n')[0] ?? '' },
  'plain-ascii': { title: 'loses characters beyond ASCII', change: (given) => given.replace(/\P{ASCII}/gu, '') },
  unquoted: { title: 'loses quotes', change: (given) => given.replaceAll(/["']/g, '') },
  lost: { title: 'is taken for an empty one', change: () => '' },
}

export const texts: Family<TextPlace> = Object.fromEntries(
  Object.entries(textChanges).map(([id, { title, change }]) => [id, text(title, change)]),
)
