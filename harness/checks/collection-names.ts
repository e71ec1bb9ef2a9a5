/** Things of a collection under names with characters that a URL escapes. */
import type { JsonObject } from '../base/json.ts'
import type { Answer } from '../target/exchange.ts'
import type { Collection } from './collection.ts'
import type { CheckContext } from './vocabulary.ts'

/** Which names a target takes is for it to say; what it takes it reads and lists as it was written. */
const ENDS = ['@b', ':b', '~b', '+b', ' b', 'é']

/** The names in a listing. */
export const keysOf = ({ fieldsOf }: Collection, answer: Answer): unknown[] => {
  const { keys } = fieldsOf?.(answer) ?? (answer.data as JsonObject | undefined) ?? {}
  return Array.isArray(keys) ? keys : []
}

/** The body of a check that what is written under such a name is read under it, and listed as it was written. */
export const keptAsWritten =
  (collection: Collection) =>
  async ({ bench, expect }: CheckContext): Promise<void> => {
    const { at, operations, clauses } = collection
    const bodies = await collection.bodies(bench)
    const names = ENDS.map((end) => `${bench.fresh('n')}${end}`)
    const kept: string[] = []
    for (const [index, name] of names.entries()) {
      const path = { ...at, name }
      bench.defer(() => bench.call(operations.remove, { path }))
      const body = { ...bodies[index % bodies.length]!, ...(await collection.own?.(bench)) }
      if (!(await bench.call(operations.write, { path, body })).ok) continue
      kept.push(name)
      await bench.decide(clauses.read, async () => expect(await bench.call(operations.read, { path }), name).toSucceed())
    }
    const listed = operations.list === undefined ? undefined : clauses.listed
    if (kept.length === 0) {
      for (const clause of [clauses.read, listed]) if (clause !== undefined) bench.observe(clause, 'none of these names is taken')
      return
    }
    if (listed === undefined) return
    for (const method of ['LIST', 'GET']) {
      const listing = await bench.given(operations.list!, { method, ...(at === undefined ? {} : { path: at }) })
      await bench.decide(listed, () =>
        expect(keysOf(collection, listing), `by ${method}, names as they were written`).toEqual(expect.arrayContaining(kept)),
      )
    }
  }
