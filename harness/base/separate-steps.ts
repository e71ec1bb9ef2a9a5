/** Steps that stand apart: where one fails the others are still taken, and what went wrong is told when all are done. */
export class Attempts {
  readonly failures: unknown[] = []

  /** Takes a step. Returns what it comes to; undefined where it failed, which is kept. */
  async make<T>(step: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await step()
    } catch (error) {
      this.failures.push(error)
      return undefined
    }
  }
}
