/** Reads JSON that a target sent: what is nested beyond all use is refused before anything walks it. */
import type { Json } from './json.ts'

/** Levels of lists and objects; every walk over an answer takes a few frames of the stack for each. */
export const DEPTH_LIMIT = 500

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const [LIST, END_OF_LIST, OBJECT, END_OF_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Where a string ends that begins at `start`: at its closing quote, which an odd number of backslashes escapes. */
const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === BACKSLASH) before -= 1
    if ((end - before) % 2 === 1) return end
  }
  return text.length
}

/** Whether lists and objects are nested deeper than `limit`; brackets within strings do not count. */
const isNestedBeyond = (text: string, limit: number): boolean => {
  if (text.length <= limit) return false
  let depth = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) index = endOfString(text, index)
    else if (code === LIST || code === OBJECT) {
      depth += 1
      if (depth > limit) return true
    } else if (code === END_OF_LIST || code === END_OF_OBJECT) depth -= 1
  }
  return false
}

/** The value, or what is wrong with the text, to follow "a body that is ". */
export type Parsed = { value: Json } | { problem: string }

/** Parses JSON of at most {@link DEPTH_LIMIT} levels. */
export const parseJson = (text: string): Parsed => {
  if (isNestedBeyond(text, DEPTH_LIMIT)) return { problem: `JSON of more than ${DEPTH_LIMIT} levels` }
  try {
    return { value: JSON.parse(text) as Json }
  } catch {
    return { problem: 'not JSON' }
  }
}

/** Members of all objects in a text of JSON. */
const membersIn = (text: string): number => {
  let members = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) index = endOfString(text, index)
    else if (code === COLON) members += 1
  }
  return members
}

const membersOf = (value: Json): number => {
  if (typeof value !== 'object' || value === null) return 0
  const inside = Object.values(value)
  return inside.reduce<number>((sum, member) => sum + membersOf(member as Json), Array.isArray(value) ? 0 : inside.length)
}

/** Whether a text of JSON says more than what is read of it: of members with one name the last alone is read. */
export const repeatsMembers = (text: string, value: Json): boolean => membersIn(text) > membersOf(value)
