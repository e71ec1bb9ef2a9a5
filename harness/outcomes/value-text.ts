/** Values as results show them. */
import { jsonOf } from '../base/json.ts'
import { cut } from '../base/text.ts'
import type { RunContext } from '../sending/context.ts'

const VALUE_LIMIT = 600

/** So much of a value is looked at for what is secret: the rim of it never shows. */
const VALUE_READ = 32 * VALUE_LIMIT

/** So much of a message is shown. */
const MESSAGE_LIMIT = 4000

/** A message of a run, cut where it is longer than anybody reads, and without what is secret before that. */
export const messageText = ({ secrets }: RunContext, text: string): string =>
  text.length <= MESSAGE_LIMIT ? text : cut(secrets.redact(cut(text, VALUE_READ)), MESSAGE_LIMIT)

/** A value as text, without what is secret, and only then cut. */
export const valueText = ({ secrets }: RunContext, value: unknown): string | undefined => {
  if (value === undefined) return undefined
  const whole = typeof value === 'string' ? value : jsonOf(value)
  return cut(secrets.redact(cut(whole, VALUE_READ)), VALUE_LIMIT)
}
