/** Who uses a module now: many side by side, or one alone. A module whose token changes below one program may fail another; alone, it has no such excuse. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ModuleHandle } from '../base/backend-handle.ts'

interface Use {
  alone: boolean
  /** Whether another use has run beside it. */
  accompanied: boolean
}

/** Turns at one module, first come, first served, so that nobody waits for ever. */
export class ModuleTurns {
  readonly #running = new Set<Use>()
  readonly #waiting: { use: Use; start: () => void }[] = []
  /** Work that runs alone may use the module again without waiting for itself. */
  readonly #within = new AsyncLocalStorage<true>()

  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const isFree = this.#running.size === 0 || (!next.use.alone && [...this.#running].every(({ alone }) => !alone))
      if (!isFree) return
      this.#waiting.shift()
      if (this.#running.size > 0) for (const use of [...this.#running, next.use]) use.accompanied = true
      this.#running.add(next.use)
      next.start()
    }
  }

  async #as<T>(use: Use, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((start) => {
      this.#waiting.push({ use, start })
      this.#admit()
    })
    try {
      return await work()
    } finally {
      this.#running.delete(use)
      this.#admit()
    }
  }

  /** Works while nobody else uses the module. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#within.getStore() === true) return work()
    return this.#as({ alone: true, accompanied: false }, () => this.#within.run(true, work))
  }

  /**
   * Works while others may. Work that fails beside others is done once more, alone; what fails alone has failed.
   *
   * @param hasFailed whether a result is that of a failure; an error always is.
   * @throws what the work throws.
   */
  async beside<T>(work: () => Promise<T>, hasFailed: (result: T) => boolean = () => false): Promise<T> {
    if (this.#within.getStore() === true) return work()
    const use: Use = { alone: false, accompanied: false }
    try {
      const result = await this.#as(use, work)
      if (!hasFailed(result) || !use.accompanied) return result
    } catch (error) {
      if (!use.accompanied) throw error
    }
    return this.alone(work)
  }
}

const turns = new Map<string, ModuleTurns>()

/** What tells the tokens of one module from those of another. */
export const nameOfModule = ({ tokens }: ModuleHandle): string => tokens.map(({ label }) => label).join()

/** The turns at a module: the same for every server that a process tries. */
export const turnsOf = (handle: ModuleHandle): ModuleTurns => {
  const name = nameOfModule(handle)
  const own = turns.get(name) ?? new ModuleTurns()
  turns.set(name, own)
  return own
}
