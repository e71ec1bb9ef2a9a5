/** Refusals compared: what must not tell one resource from another. */
import type { Json } from '../base/json.ts'
import { parseJson } from '../base/parse.ts'
import type { Answer } from '../target/exchange.ts'

const CHANGING = /^(id|(x[-_])?(request|trace|correlation)[-_]?id|timestamp|time)$/i
const TIME_OR_UUID = /\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)?|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

const withoutChanging = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withoutChanging)
  if (typeof value === 'string') return value.replaceAll(TIME_OR_UUID, '*')
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !CHANGING.test(key))
      .map(([key, item]) => [key, withoutChanging(item)]),
  )
}

/**
 * Status and body of a refusal without what may differ between two equal ones: the name asked for, error ids, request and trace ids, and times.
 *
 * @param asked the name that the request asked for, wherever the body repeats it.
 */
export const comparable = (answer: Answer, asked: string): Json => {
  const text = answer.text.replaceAll(asked, '<asked>')
  const parsed = parseJson(text)
  // A body that is not JSON is compared as text.
  return { status: answer.status, body: withoutChanging('value' in parsed ? parsed.value : text) }
}
