/** What holds after every program of operations, whatever the engine: for the `invariants` of models and for scenarios. */
import { uriComponent } from '../base/text.ts'
import type { Answer, CallInput } from '../target/exchange.ts'
import type { CheckContext } from './vocabulary.ts'

/** A read by operation and input. */
export interface Read {
  operation: string
  input: CallInput
}

const nameOf = ({ operation, input }: Read): string => `${operation} ${JSON.stringify(input.path ?? {})}`

const spellings = (secret: string): string[] => {
  const bytes = Buffer.from(secret)
  return [secret, JSON.stringify(secret).slice(1, -1), uriComponent(secret), bytes.toString('base64'), bytes.toString('hex')]
}

/**
 * None of the answers shows one of the secrets, be it raw, JSON-escaped, percent-encoded, base64 or hex.
 *
 * @param secrets canaries or issued secrets; shorter ones than 8 characters are ignored, they occur by chance.
 */
export const neverShown = ({ expect }: Pick<CheckContext, 'expect'>, answers: readonly Answer[], secrets: readonly string[]): void => {
  const looked = secrets.filter((secret) => secret.length >= 8).flatMap(spellings)
  for (const answer of answers) {
    const shown = looked.filter(
      (spelling) => answer.text.includes(spelling) || Object.values(answer.headers).some((value) => value.includes(spelling)),
    )
    expect(shown.length, `secrets shown by ${answer.operation}, which has no business with them`).toBe(0)
  }
}

/**
 * Nothing is left: each of the reads answers 404, and none of the listings names what is gone. For what was deleted, and for what a refused create
 * must not have made.
 *
 * @param listings listings with the name that must be missing; a 404 of an empty listing is as good.
 */
export const goneAfterwards = async (
  { bench, expect }: CheckContext,
  reads: readonly Read[],
  listings: readonly (Read & { name: string })[] = [],
): Promise<void> => {
  for (const read of reads) {
    const answer = await bench.call(read.operation, read.input)
    expect(answer, `${nameOf(read)} after it is gone`).toHaveStatus(404)
  }
  for (const listing of listings) {
    const answer = await bench.call(listing.operation, listing.input)
    const keys = Array.isArray(answer.data.keys) ? answer.data.keys : []
    expect(keys, `${nameOf(listing)} after it is gone`).not.toContain(listing.name)
  }
}

/**
 * Somebody else, in another namespace or with a token that grants nothing here, or through another parent, sees nothing: each read is refused with 4xx and shows none
 * of the secrets.
 *
 * @param other what to change in each read: `{ as: identity }`, `{ namespace }`, `{ mount }` or another parent in `path`.
 */
export const notSeenBy = async (
  context: CheckContext,
  other: CallInput,
  reads: readonly Read[],
  secrets: readonly string[] = [],
): Promise<void> => {
  for (const read of reads) {
    const path = { ...read.input.path, ...other.path }
    const answer = await context.bench.call(read.operation, { ...read.input, ...other, path })
    context.expect(answer, `${nameOf(read)} by somebody else`).toBeRefused()
    neverShown(context, [answer], secrets)
  }
}
