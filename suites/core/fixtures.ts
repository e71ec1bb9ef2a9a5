/** Key-value entries on which the core conventions are shown. */
import { type Answer, type Bench, type CallInput, type CheckContext, isObject, type Json, textsIn } from '../../harness/checks/index.ts'

export interface Entry {
  /** Key within the mount. */
  path: string
  /** Random text that is stored under the member `value` and nowhere else. */
  value: string
}

/** Stores an entry of version 1 with a value that appears nowhere else; blocks where that fails. */
export const storeEntry = async (bench: Bench, input: CallInput = {}): Promise<Entry> => {
  const path = input.path?.path ?? bench.fresh('key')
  const value = bench.canary('value')
  await bench.given('kv1.write', { ...input, path: { path }, body: { value } })
  return { path, value }
}

/** A stored object without a member `data`, wherever the read of version 1 puts it. */
export const objectIn = ({ body }: Answer): Json | undefined => (isObject(body) && isObject(body.data) ? body.data : body)

/** The member `value` of a stored object, wherever the read of version 1 puts the object. */
export const valueIn = (answer: Answer): Json | undefined => (isObject(answer.body) ? (answer.data.value ?? answer.body.value) : undefined)

/** The value that is stored under a key now, or the status that says there is none. */
export const storedUnder = async (bench: Bench, path: string, input: CallInput = {}): Promise<Json> => {
  const answer = await bench.call('kv1.read', { ...input, path: { path } })
  return valueIn(answer) ?? { status: answer.status }
}

/** Names in a listing's answer, below `data` or at the top level; empty where it has none. */
export const namesIn = (answer: Answer): string[] => {
  const keys = answer.data.keys ?? (isObject(answer.body) ? answer.body.keys : undefined)
  return textsIn(keys).sort()
}

/** Statuses that say: not now. */
const LATER = [408, 412, 425, 429]

/**
 * Sends a good request after bad ones that were refused; blocks where it is refused too. That it is refused once and then no more is an effect of them.
 *
 * @returns asserts that it was taken at once.
 */
export const takenAfterRefusals = async (
  { bench, expect }: Pick<CheckContext, 'bench' | 'expect'>,
  operation: string,
  request: CallInput,
): Promise<() => void> => {
  const first = await bench.call(operation, request)
  if (first.ok) return () => undefined
  await bench.given(operation, request)
  return () => {
    if (first.status < 500 && !LATER.includes(first.status)) expect(first, 'the first good request after the bad ones').toSucceed()
  }
}
