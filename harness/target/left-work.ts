/** Abandoned work, such as the body of a check whose time is over: it must send nothing, for what it made would never be removed. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { Blocked } from '../base/errors.ts'

/** One piece of work. */
export class Work {
  static readonly #current = new AsyncLocalStorage<Work>()
  #left = false

  /** Runs what belongs to this work, however often that waits in between. */
  run<T>(task: () => Promise<T>): Promise<T> {
    return Work.#current.run(this, task)
  }

  /** Abandons it: its result is no longer awaited. */
  leave(): void {
    this.#left = true
  }

  /** @throws Blocked where this work was left. */
  requireWanted(): void {
    if (this.#left) throw new Blocked('the work that asks this was abandoned', 'run it again to its end')
  }

  /** The work in which this is asked; undefined outside of any. */
  static current(): Work | undefined {
    return Work.#current.getStore()
  }

  /**
   * Runs what others will use too: it goes on when the work that needed it first is left.
   *
   * @throws Blocked where that was left already.
   */
  static shared<T>(task: () => Promise<T>): Promise<T> {
    Work.current()?.requireWanted()
    return Work.#current.exit(task)
  }
}
