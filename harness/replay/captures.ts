/** Values that a server chose and that later requests hold: found in the answers, named, and replaced in the requests. */
import { isObject, type Json } from '../base/json.ts'
import { parseJson } from '../base/parse.ts'
import { textOf, uriComponent } from '../base/text.ts'
import type { WireRequest } from '../target/wire.ts'
import { type Capture, inJson, placeholder } from './step.ts'

/** One request and what was answered, as sent. */
interface Sent {
  request: WireRequest
  answer?: { bytes: Uint8Array }
}

/** Shorter values stand in too many requests by chance. */
const SHORTEST = 6
const MOST_LEAVES = 2_000

export const bodyTextOf = ({ body }: WireRequest): string => (body === undefined ? '' : typeof body === 'string' ? body : textOf(body))

/** All that a request says, as one text. */
export const requestText = (request: WireRequest): string =>
  [request.path, ...Object.values(request.headers), bodyTextOf(request)].join('\n')

/** Texts in the body of an answer with where they stand. */
export const leavesOf = (bytes: Uint8Array): { value: string; pointer: string[] }[] => {
  const parsed = parseJson(textOf(bytes))
  const leaves: { value: string; pointer: string[] }[] = []
  const visit = (value: Json, pointer: string[]): void => {
    if (leaves.length >= MOST_LEAVES) return
    if (typeof value === 'string') leaves.push({ value, pointer })
    if (Array.isArray(value)) for (const [at, item] of value.entries()) visit(item, [...pointer, String(at)])
    else if (isObject(value)) for (const [name, member] of Object.entries(value)) visit(member, [...pointer, name])
  }
  if ('value' in parsed) visit(parsed.value, [])
  return leaves
}

const holds = (text: string, value: string): boolean =>
  text.includes(value) || text.includes(inJson(value)) || text.includes(uriComponent(value))

/** What is captured, by value, and of each request's answer what to take. */
export interface Captured {
  names: Map<string, string>
  byPlace: Capture[][]
}

/**
 * Finds what has to be taken from the answers.
 *
 * @param known values that have a name already, such as the token of the run.
 */
export const capturesIn = (sent: readonly Sent[], known: ReadonlySet<string>): Captured => {
  const texts = sent.map(({ request }) => requestText(request))
  const names = new Map<string, string>()
  const byPlace = sent.map(({ answer }, at): Capture[] => {
    if (answer === undefined) return []
    const before = texts.slice(0, at + 1).join('\n')
    const after = texts.slice(at + 1).join('\n')
    return leavesOf(answer.bytes).flatMap(({ value, pointer }) => {
      const isTaken = value.length < SHORTEST || known.has(value) || names.has(value)
      if (isTaken || !holds(after, value) || holds(before, value)) return []
      const name = `V${names.size + 1}`
      names.set(value, name)
      return [{ name, pointer }]
    })
  })
  return { names, byPlace }
}

/** A request with placeholders for the values that have a name. */
export const withNames = (request: WireRequest, names: ReadonlyMap<string, string>): WireRequest => {
  // The longest first: a shorter value may be a part of it.
  const ordered = [...names].sort(([left], [right]) => right.length - left.length)
  const replaced = (text: string, spell: (value: string) => string): string =>
    ordered.reduce((result, [value, name]) => result.replaceAll(spell(value), placeholder(name)), text)
  const plain = (value: string): string => value
  return {
    ...request,
    path: replaced(request.path, uriComponent),
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, replaced(value, plain)])),
    ...(request.body === undefined ? {} : { body: replaced(bodyTextOf(request), inJson) }),
  }
}
