/** Whether a fault that no check noticed changed any answer: where it did not, no check of these can notice it. */
import { isObject } from '../base/json.ts'
import { parseJson } from '../base/parse.ts'
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { NumberedExchange } from '../sending/history.ts'
import { type ProofContext, runInstance } from './instance.ts'

/** What an answer holds, by place: the status, headers, and each value of the body. */
type Leaves = Map<string, string>

/** By check: its exchanges in order. */
export type Answers = Map<string, Leaves[]>

const UNTOLD = ['date', 'connection', 'keep-alive']

const addLeaves = (leaves: Leaves, place: string, value: unknown): void => {
  if (Array.isArray(value)) {
    leaves.set(place, `${value.length} items`)
    for (const [at, item] of value.entries()) addLeaves(leaves, `${place}/${at}`, item)
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) addLeaves(leaves, `${place}/${name}`, member)
    if (Object.keys(value).length === 0) leaves.set(place, '{}')
  } else leaves.set(place, JSON.stringify(value) ?? '')
}

/** @param run the name of the run, which is in all that it makes. */
export const leavesOfAnswer = ({ answer, operation }: Pick<NumberedExchange, 'answer' | 'operation'>, run: string): Leaves => {
  const leaves: Leaves = new Map([['status', `${operation.id} ${answer?.status ?? 'without an answer'}`]])
  if (answer === undefined) return leaves
  for (const [name, value] of Object.entries(answer.headers))
    if (!UNTOLD.includes(name)) leaves.set(`${name}:`, String(value).replaceAll(run, '*'))
  const text = Buffer.from(answer.bytes).toString('utf8').replaceAll(run, '*')
  const parsed = parseJson(text)
  addLeaves(leaves, '', 'value' in parsed ? parsed.value : text)
  return leaves
}

/** What stays the same of a value that every run has another of. */
const shapeOf = (value: string | undefined): string =>
  value === undefined ? 'absent' : `${value[0] === '"' ? 'text' : 'value'} ${value.length}`

const differs = (place: string, [one, other]: readonly [Leaves, Leaves], seen: Leaves): boolean => {
  const [left, right, found] = [one.get(place), other.get(place), seen.get(place)]
  if (left === right) return found !== left
  return shapeOf(left) === shapeOf(right) && shapeOf(found) !== shapeOf(left)
}

/**
 * The first answer that differs from those of two clean runs, in words; where these differ from each other, only the length of the value counts.
 */
export const firstDifference = (clean: readonly [Answers, Answers], seen: Answers): string | undefined => {
  for (const [check, exchanges] of seen) {
    const [one, other] = [clean[0].get(check) ?? [], clean[1].get(check) ?? []]
    for (const [at, leaves] of exchanges.entries()) {
      const [left, right] = [one[at], other[at]]
      if (left === undefined || right === undefined) break
      const place = [...new Set([...left.keys(), ...leaves.keys()])].find((name) => differs(name, [left, right], leaves))
      if (place !== undefined)
        return `${check}, exchange ${at + 1} (${leaves.get('status')}): ${place} ${leaves.get(place) ?? 'absent'} instead of ${left.get(place) ?? 'absent'}`
    }
    if (one.length === other.length && exchanges.length !== one.length)
      return `${check}: ${exchanges.length} exchanges instead of ${one.length}`
  }
  return undefined
}

/** So many checks are run until what they were answered is compared. */
const CHECKS = 16

/**
 * The first answer that a fault changed for these checks, in words; undefined where it changed none.
 *
 * @throws the reason of the proof's signal where that ended it.
 */
export const differenceBy = async (proof: ProofContext, checks: CheckDefinition[], fault: string): Promise<string | undefined> => {
  for (let from = 0; from < checks.length; from += CHECKS) {
    const some = checks.slice(from, from + CHECKS)
    const answers = async (faults: string[]): Promise<Answers> => {
      const options = { server: { faults }, verdictsOnly: true, tracing: true, enough: () => false }
      const { runs, context } = await runInstance(proof, some, options)
      return new Map(runs.map(({ check, exchanges }) => [check.id, exchanges.map((exchange) => leavesOfAnswer(exchange, context.run))]))
    }
    const difference = firstDifference([await answers([]), await answers([])], await answers([fault]))
    if (difference !== undefined) return difference
  }
  return undefined
}
