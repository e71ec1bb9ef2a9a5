/** A bench that writes down what is called and keeps failures with the clause that they belong to: what generated checks run on. */
import { AssertionFailure } from '../base/errors.ts'
import { cut } from '../base/text.ts'
import type { Answer, CallInput } from '../target/exchange.ts'
import type { Bench } from './vocabulary.ts'

/** An assertion that failed inside `bench.decide`. */
export class ClauseFailure extends AssertionFailure {
  readonly clause: string
  constructor(clause: string, cause: AssertionFailure) {
    super(cause.message, cause.expected, cause.actual, cause.exchange, cause.beside)
    this.clause = clause
  }
}

/** What one execution of a generated case left behind. */
export interface Trace {
  lines: string[]
  /** Clauses about which something was asserted. */
  decided: Set<string>
}

const inputText = (input: CallInput = {}): string => {
  const { path, query, body, rawBody, method, as, mount, namespace } = input
  const shown: Record<string, unknown> = { path, query, body, mount, namespace, method, as: typeof as === 'object' ? as.name : as }
  if (rawBody !== undefined) shown.rawBody = typeof rawBody === 'string' ? rawBody : `${rawBody.length} bytes`
  const members = Object.entries(shown).filter(([, value]) => value !== undefined)
  return cut(members.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(' '))
}

const answerText = (answer: Answer): string => `${answer.status}${answer.text === '' ? '' : ` ${cut(answer.text, 120)}`}`

/** A bench like `bench` that fills `trace`, and whose `decide` throws a {@link ClauseFailure} instead of recording. */
export const traced = (bench: Bench, trace: Trace): Bench => {
  const line = (operation: string, input: CallInput | undefined, result: string) => {
    trace.lines.push(`${operation} ${inputText(input)} -> ${result}`)
  }
  const sent = async (operation: string, input: CallInput | undefined, request: Promise<Answer>): Promise<Answer> => {
    try {
      const answer = await request
      line(operation, input, answerText(answer))
      return answer
    } catch (error) {
      line(operation, input, (error as Error).message)
      throw error
    }
  }
  const overrides: Partial<Bench> = {
    call: (operation, input) => sent(operation, input, bench.call(operation, input)),
    given: (operation, input) => sent(operation, input, bench.given(operation, input)),
    refuses: (operation, refusal) => sent(operation, refusal.bad, bench.refuses(operation, refusal)),
    async decide(clause, assertion) {
      trace.decided.add(clause)
      try {
        await assertion()
      } catch (error) {
        throw error instanceof AssertionFailure ? new ClauseFailure(clause, error) : error
      }
    },
  }
  return Object.assign(Object.create(bench) as Bench, overrides)
}
