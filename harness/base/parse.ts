/** Reads JSON that a target sent: what is nested beyond all use is refused before anything walks it. */
import type { Json } from './json.ts'

/** Levels of lists and objects; every walk over an answer takes a few frames of the stack for each. */
export const DEPTH_LIMIT = 500

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/** Whether lists and objects are nested deeper than `limit`; brackets within strings do not count. */
const isNestedBeyond = (text: string, limit: number): boolean => {
  if (text.length <= limit) return false
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === BACKSLASH) index += 1
      else if (code === QUOTE) inString = false
    } else if (code === QUOTE) inString = true
    else if (OPENING.has(code)) {
      depth += 1
      if (depth > limit) return true
    } else if (CLOSING.has(code)) depth -= 1
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
