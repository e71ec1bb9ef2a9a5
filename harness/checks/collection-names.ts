/** Names of the things in a collection: those that are alike, and those with characters that a URL escapes. */
import type { JsonObject } from '../base/json.ts'
import type { Answer } from '../target/exchange.ts'
import type { Collection } from './collection.ts'
import type { CheckContext } from './vocabulary.ts'

/** Longer than what a name may be cut to. */
const LONG = '-long'.repeat(16)

/** Names that begin like one another, go on after a period, a hyphen or an underscore, or differ in case, in that or in their ends only. */
const alike = (name: string): string[] => [
  ...[name, `${name}a`, `${name}A`, `${name}.a`, `${name}-a`, `${name}_a`, `${name}a.a`],
  ...[`${name}${LONG}a`, `${name}${LONG}b`],
]

/** The names of the things that a collection is tried with, made from one. */
export const namesFor = ({ lowerCase }: Collection, name: string): string[] =>
  lowerCase === true ? [...new Set(alike(name).map((one) => one.toLowerCase()))] : alike(name)

/** Which names a target takes is for it to say; what it takes it reads and lists as it was written. */
const ENDS = ['@b', ':b', '~b', '+b', ' b', 'é']

const keysOf = ({ fieldsOf }: Collection, answer: Answer): unknown[] => {
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
      if (!(await bench.call(operations.write, { path: { name }, body })).ok) continue
      kept.push(name)
      await bench.decide(clauses.read, async () => expect(await bench.call(operations.read, { path }), name).toSucceed())
    }
    if (kept.length === 0) return bench.observe(clauses.read, 'none of these names is taken')
    if (clauses.listed === undefined || operations.list === undefined) return
    for (const method of ['LIST', 'GET']) {
      const listing = await bench.given(operations.list, { method, ...(at === undefined ? {} : { path: at }) })
      await bench.decide(clauses.listed, () =>
        expect(keysOf(collection, listing), `by ${method}, names as they were written`).toEqual(expect.arrayContaining(kept)),
      )
    }
  }
