/** Mistakes in which a request reaches further than the thing that it names. */
import { type AnyCall, around, type Family, type Operator } from './family.ts'

export interface NeighbourPlace {
  /** The operation that removes or writes one thing. */
  operations: readonly string[]
  /** The parameter of the path; default `name`. */
  parameter?: string
  /** All things of the kind, by name. */
  things: (state: never) => Map<string, unknown>
}

const reaching = (title: string, reaches: (name: string, other: string) => boolean): Operator<NeighbourPlace> => ({
  title: `{} ${title}`,
  change: ({ operations, parameter = 'name', things }) =>
    around(operations, (original) => async (call: AnyCall) => {
      const reply = await original(call)
      const all = things((call.state ?? call.world) as never)
      const named = call.params[parameter] ?? ''
      for (const other of [...all.keys()]) if (other !== named && reaches(named, other)) all.delete(other)
      return reply
    }),
})

export const neighbours: Family<NeighbourPlace> = {
  'with-prefix': reaching('takes away what has a name that begins like it', (name, other) => other.startsWith(name)),
  all: reaching('takes away all of its kind', () => true),
  'same-length': reaching('takes away what has a name of the same length', (name, other) => other.length === name.length),
}
