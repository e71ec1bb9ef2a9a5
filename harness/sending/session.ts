/** What one running check has done so far. */

import type { DecisionOutcome } from '../../specs/meta/outcomes.ts'
import { type Json, jsonOf } from '../base/json.ts'
import { beginningOf } from '../base/text.ts'
import type { RunnableCheck } from '../checks/vocabulary.ts'
import type { Problem } from '../contract/validate.ts'
import type { Answer, CallInput } from '../target/exchange.ts'
import type { UndoEntry } from '../target/provisioner.ts'
import type { Target } from '../target/target.ts'
import { stepOf, type UndoStep } from '../target/undo.ts'
import type { EqualForms } from './equal-forms.ts'
import { History } from './history.ts'
import type { NameForm } from './name-forms.ts'
import { NoiseMemory } from './through-noise.ts'

export interface ClauseDecision {
  clause: string
  outcome: DecisionOutcome
  message?: string
  expected?: unknown
  seen?: unknown
  exchange?: number
  /** Numbers of the answers that were looked into for it. */
  beside?: readonly number[]
  /** How many exchanges the check had made by then. */
  after?: number
  value?: Json
  /** The member of the answer that is not what its schema says, as a JSON pointer. */
  member?: string
}

/** The exchanges that an assertion names as its evidence. */
export const whereOf = ({
  exchange,
  beside = [],
}: {
  exchange: number | undefined
  beside?: readonly number[]
}): Pick<ClauseDecision, 'exchange' | 'beside'> => ({
  ...(exchange === undefined ? {} : { exchange }),
  ...(beside.length === 0 ? {} : { beside }),
})

/** Longer values and messages of a decision are kept as their beginning: it is all that a report shows. */
const LONG_VALUE = 64 * 1024

/** Other answers that a decision shows. */
const MOST_BESIDE = 3

const VALUES = ['message', 'expected', 'seen', 'value'] as const

const heldShort = (name: (typeof VALUES)[number], value: unknown): Partial<ClauseDecision> => {
  const text = typeof value === 'object' ? jsonOf(value) : value
  return typeof text === 'string' && text.length > LONG_VALUE ? { [name]: beginningOf(text, LONG_VALUE) } : {}
}

export interface MadeMount {
  type: string
  path: string
  namespace: string
  /** What removes it; undefined for a mount that is given. */
  undo: UndoEntry | undefined
}

/** The time that a check has for itself: stands still while the check waits for its turn. */
export interface Clock {
  hold(): void
  run(): void
}

export class Session {
  readonly check: RunnableCheck
  readonly decisions: ClauseDecision[] = []
  readonly undo: UndoStep[] = []
  readonly mounts = new Map<string, MadeMount>()
  /** What undoes an identity, by its name. */
  readonly identities = new Map<string, UndoEntry>()
  /** What undoes a namespace, by its path. */
  readonly namespaces = new Map<string, UndoEntry>()
  readonly history = new History()
  assertions = 0
  names = 0
  /** How names are made that a server might write in another way, and which these are. */
  nameForm: NameForm = 'mixed'
  readonly mixedNames = new Set<string>()
  over = false
  /** What the check's requests met besides answers, in this and earlier repetitions of it. */
  readonly memory: NoiseMemory
  /** The first noise of this repetition, in words. */
  noise: string | undefined
  readonly #calls = new Map<string, number>()
  /** The first answer that was not what its schema says, if any. */
  misshapen: Problem | undefined
  /** In which of the equal forms requests are sent; plain if undefined. */
  forms?: EqualForms | undefined
  /** How many segments of the namespace stand in the path of requests that do not say so themselves. */
  namespaceInPath = 0
  /** Whether it has reserved a fixture. */
  reserves = false
  /** What the check keeps, by key. */
  readonly kept = new Map<string, unknown>()
  /** Told every 2xx answer to an operation, by operation. */
  readonly listeners = new Map<string, ((answer: Answer, input: CallInput) => void)[]>()
  /** Set once the check's own time runs. */
  clock: Clock = { hold: () => undefined, run: () => undefined }
  /** Milliseconds of waiting for a turn; no part of the check's own time. */
  waited = 0
  #turns = 0
  readonly #late: (step: UndoStep) => void

  /** @param late takes what is to be undone once the check is over: an answer to what it sent may come after that. */
  constructor(check: RunnableCheck, memory = new NoiseMemory(), late: (step: UndoStep) => void = () => undefined) {
    this.check = check
    this.memory = memory
    this.#late = late
  }

  /** How many exchanges it has made. */
  get exchanges(): number {
    return this.history.count
  }

  /** The number of a call among those to the same operation. */
  nth(operation: string): number {
    const nth = (this.#calls.get(operation) ?? 0) + 1
    this.#calls.set(operation, nth)
    return nth
  }

  decide(decision: ClauseDecision): void {
    const short: ClauseDecision = Object.assign({ ...decision }, ...VALUES.map((name) => heldShort(name, decision[name])))
    const placed = this.exchanges === 0 ? short : { exchange: this.exchanges, after: this.exchanges, ...short }
    const beside = placed.beside?.filter((number) => number !== placed.exchange).slice(-MOST_BESIDE) ?? []
    const { beside: _, ...rest } = placed
    const kept = beside.length === 0 ? rest : { ...rest, beside }
    this.decisions.push(kept)
    if (kept.outcome === 'violated' && kept.exchange !== undefined)
      for (const number of [kept.exchange, ...beside]) this.history.keep(number)
  }

  /** Waits for something that other checks hold, outside the check's own time. */
  async turn<T>(coming: Promise<T>): Promise<T> {
    const begun = performance.now()
    this.#turns += 1
    if (this.#turns === 1) this.clock.hold()
    try {
      return await coming
    } finally {
      this.#turns -= 1
      if (this.#turns === 0) {
        this.clock.run()
        this.waited += performance.now() - begun
      }
    }
  }

  undoOn(target: Target, entry: UndoEntry | undefined): void {
    if (entry !== undefined) this.#toUndo(stepOf(target, entry))
  }

  /** Has something undone after the check, in the reverse order of these calls. */
  undoAfter(undo: () => Promise<unknown>): void {
    this.#toUndo({ undo })
  }

  /** Strikes what is undone already from what is to be undone after the check. */
  undone(entry: UndoEntry): void {
    const at = this.undo.findIndex(({ on }) => on?.entry === entry)
    if (at !== -1) this.undo.splice(at, 1)
  }

  #toUndo(step: UndoStep): void {
    if (this.over) this.#late(step)
    else this.undo.push(step)
  }
}
