/**
 * Names with capital letters, an underscore and a period, which show a server that writes names in another way. No document promises them: a server
 * that takes none of them in an engine is asked with names of small letters, digits and hyphens, so that it is judged on the rest.
 */
import type { RunOutcome } from '../../specs/meta/outcomes.ts'
import type { RunnableCheck } from '../checks/vocabulary.ts'
import type { Contract, Operation } from '../contract/contract.ts'

/** With capital letters, an underscore and a period, or without. */
export type NameForm = 'mixed' | 'plain'

/** The engine whose objects a check names. */
const engineOf = ({ operations }: Contract, { engine, operation }: RunnableCheck): string =>
  operations.get(operation ?? '')?.engine ?? engine

interface Ended {
  outcome: RunOutcome
}

const isGood = ({ outcome }: Ended): boolean => outcome === 'passed' || outcome === 'observed'

export class NameForms {
  readonly #contract: Contract
  /** How the names of an engine are made, once that is known. */
  readonly #known = new Map<string, NameForm>()
  /** Operations that answered a check for a name of a form, with whether one of the answers was a success. */
  readonly #answers = new Map<string, Map<string, boolean>>()
  readonly #plainIn = new Set<string>()
  /** What was found out, in words. */
  readonly notes: string[] = []

  constructor(contract: Contract) {
    this.#contract = contract
  }

  /** How a check's names are made. */
  of(check: RunnableCheck): NameForm {
    return this.#plainIn.has(check.id) ? 'plain' : (this.#known.get(engineOf(this.#contract, check)) ?? 'mixed')
  }

  /** Notes the answer to a request whose path has such a name. */
  answered(check: RunnableCheck, operation: Operation, form: NameForm, isOk: boolean): void {
    if (isOk && form === 'mixed') this.#known.set(operation.engine, 'mixed')
    const key = `${check.id} ${form}`
    const seen = this.#answers.get(key) ?? new Map<string, boolean>()
    seen.set(operation.id, isOk || seen.get(operation.id) === true)
    this.#answers.set(key, seen)
  }

  /**
   * Runs a check, and where it does not hold in an engine that took no mixed name as yet, again with plain ones. Where the same operation then takes
   * them, and refuses the mixed ones once more, the engine's names are plain from then on.
   */
  async tried<Run extends Ended>(check: RunnableCheck, signal: AbortSignal, run: () => Promise<Run>): Promise<Run> {
    const engine = engineOf(this.#contract, check)
    const first = await run()
    const refused = this.#outcomes(check, 'mixed', false)
    if (isGood(first) || refused.length === 0 || this.#known.get(engine) === 'mixed' || signal.aborted) return first
    this.#plainIn.add(check.id)
    const plain = await run()
    this.#plainIn.delete(check.id)
    const taken = this.#outcomes(check, 'plain', true)
    const differs = refused.find((id) => taken.includes(id))
    if (differs !== undefined && this.#known.get(engine) === undefined) {
      await run()
      if (this.#known.get(engine) === undefined) {
        this.#known.set(engine, 'plain')
        this.notes.push(
          `${engine}: ${differs} takes no name with capital letters, an underscore and a period, so its checks use plain names`,
        )
      }
    }
    return this.#known.get(engine) === 'plain' ? plain : first
  }

  #outcomes(check: RunnableCheck, form: NameForm, isOk: boolean): string[] {
    return [...(this.#answers.get(`${check.id} ${form}`) ?? [])].flatMap(([id, ok]) => (ok === isOk ? [id] : []))
  }
}
