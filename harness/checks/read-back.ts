/** What is kept under names, read right after each was written and held against what is read of all of them later. */
import type { Json, JsonObject } from '../base/json.ts'
import type { CallInput } from '../target/exchange.ts'
import type { Bench, CheckContext } from './vocabulary.ts'

export interface ReadBackOf {
  /** Operation with the path parameter `name`. */
  read: string
  /** Operation whose answer has the names under `keys`. */
  list?: string
  /** Reads of other things that nothing of the program touches, e.g. of the connection that the roles belong to. */
  bystanders?: readonly { operation: string; input?: CallInput }[]
}

/** Says what a program's world has written; for the `invariants` of models. */
export class ReadBack {
  readonly #bench: Bench
  readonly #of: ReadBackOf
  /** By name, what was read of it; undefined where its read failed, which is another clause's concern. */
  readonly #written = new Map<string, JsonObject | undefined>()
  #bystanders: JsonObject[] = []

  private constructor(bench: Bench, of: ReadBackOf) {
    this.#bench = bench
    this.#of = of
  }

  /**
   * Reads the bystanders; blocks where one of them cannot be read.
   *
   * @param of the operations that show what is kept.
   */
  static async begin(bench: Bench, of: ReadBackOf): Promise<ReadBack> {
    const begun = new ReadBack(bench, of)
    for (const { operation, input } of of.bystanders ?? []) begun.#bystanders.push((await bench.given(operation, input)).data)
    return begun
  }

  /** To be called once a write of that name succeeded. */
  async written(name: string): Promise<void> {
    const { ok, data } = await this.#bench.call(this.#of.read, { path: { name } })
    this.#written.set(name, ok ? data : undefined)
  }

  /** To be called once a deletion of that name succeeded. */
  removed(name: string): void {
    this.#written.delete(name)
  }

  /**
   * Every thing reads as it did after its last write, whatever happened to others since; what was deleted is gone; the listing has the names that
   * are there and no other of these.
   *
   * @param names all that the program may have written.
   * @throws AssertionFailure naming the thing that is not as it was.
   */
  async agrees({ bench, expect }: Pick<CheckContext, 'bench' | 'expect'>, names: readonly string[]): Promise<void> {
    for (const name of names) {
      const read = await bench.call(this.#of.read, { path: { name } })
      if (!this.#written.has(name)) expect(read, 'the read of what is not there').toHaveStatus(404)
      else if (this.#written.get(name) !== undefined) expect(read.data, 'what was written last').toEqual(this.#written.get(name))
    }
    if (this.#of.list !== undefined) {
      const { data } = await bench.call(this.#of.list)
      const listed = ((data.keys ?? []) as Json[]).filter((name) => names.includes(name as string))
      expect(listed.toSorted(), 'names that are listed').toEqual(names.filter((name) => this.#written.has(name)).toSorted())
    }
    for (const [index, { operation, input }] of (this.#of.bystanders ?? []).entries())
      expect((await bench.call(operation, input)).data, 'what the program does not touch').toEqual(this.#bystanders[index])
  }
}
