/** Whether an answer shows a value that a check found wrong. */
import { isObject } from '../base/json.ts'
import { parseJson } from '../base/parse.ts'
import { textOf } from '../base/text.ts'
import type { WireAnswer } from '../target/http.ts'

/** A text, number or truth value within a value. */
interface Leaf {
  value: string | number | boolean
  /** Whether it is long enough to stand in few answers. */
  isTelling: boolean
}

const TELLING = 6
const MOST_LEAVES = 20
/** Longer bodies are searched as text alone. */
const MOST_PARSED = 256 * 1024

function* primitives(value: unknown, depth = 0): Generator<string | number | boolean> {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') yield value
  else if (depth > 8) return
  else if (Array.isArray(value)) for (const item of value) yield* primitives(item, depth + 1)
  else if (isObject(value)) for (const member of Object.values(value)) yield* primitives(member, depth + 1)
}

/** The texts, numbers and truth values in a value, the first twenty of them. */
export const leavesOf = (value: unknown): Leaf[] => {
  const leaves: Leaf[] = []
  for (const one of primitives(value)) {
    leaves.push({ value: one, isTelling: String(one).length >= TELLING })
    if (leaves.length === MOST_LEAVES) break
  }
  return leaves
}

/** Whether an answer shows each leaf: its status, a value of its body, or a text within it or a header. */
export const holdsEvery = (
  { status, headers, bytes }: Pick<WireAnswer, 'status' | 'headers' | 'bytes'>,
  leaves: readonly Leaf[],
): boolean => {
  const text = textOf(bytes)
  const parsed = text.length > MOST_PARSED ? undefined : parseJson(text)
  const values = new Set<unknown>(parsed !== undefined && 'value' in parsed ? primitives(parsed.value) : [])
  const within = [text, ...Object.values(headers)]
  return leaves.every(({ value, isTelling }) => {
    if (value === status || values.has(value)) return true
    return isTelling && within.some((one) => one.includes(String(value)) || one.includes(JSON.stringify(value).slice(1, -1)))
  })
}
