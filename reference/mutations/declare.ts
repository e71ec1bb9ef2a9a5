/** How faults and variants are declared: in `<topic>.faults.ts` and `<topic>.variants.ts` beside what they change. */
import type { Fault, Mutable, Mutation, Variant } from '../core/mutation.ts'

/** The clauses that a fault breaks: one to three; none as long as it was only held against all of them, which no finished proof accepts. */
export type Clauses = string | readonly [] | readonly [string] | readonly [string, string] | readonly [string, string, string]

/** Three ways of writing the same thing: most change rules or one route, few change both. */
export interface Declarations<About, R extends object, H> {
  /** Overrides rules; each override receives the original. */
  rule(id: string, about: About, title: string, rules: NonNullable<Mutation<R, H>['rules']>): void
  /** Wraps the handlers of operations, all in the same way. */
  route(id: string, about: About, title: string, operation: string | readonly string[], wrap: (original: H) => H): void
  /** Overrides rules and wraps handlers, or wraps several in different ways. */
  change(id: string, about: About, title: string, mutation: Mutation<R, H>): void
}

const declaredFaults = new Map<string, Fault>()
const declaredVariants = new Map<string, Variant>()

/** Everything declared so far, by id, in the order of declaration. */
export const declared = (): { faults: Fault[]; variants: Variant[] } => ({
  faults: [...declaredFaults.values()],
  variants: [...declaredVariants.values()],
})

const declarations = <About, R extends object, H>(
  target: Mutable<R, H>,
  add: (id: string, about: About, title: string, mutation: Fault['mutation']) => void,
): Declarations<About, R, H> => {
  const operations = new Set(target.routes.map(({ id }) => id))
  const change = (id: string, about: About, title: string, mutation: Mutation<R, H>): void => {
    const unknown = Object.keys(mutation.routes ?? {}).find((operation) => !operations.has(operation))
    if (unknown !== undefined) throw new Error(`"${title}" wraps ${unknown}, which ${target.type} does not have`)
    add(id, about, title, mutation as unknown as Fault['mutation'])
  }
  return {
    rule: (id, about, title, rules) => change(id, about, title, { rules }),
    route: (id, about, title, operation, wrap) =>
      change(id, about, title, { routes: Object.fromEntries([operation].flat().map((name) => [name, wrap])) }),
    change,
  }
}

const once = <Entry extends { id: string }>(all: Map<string, Entry>, entry: Entry): void => {
  if (all.has(entry.id)) throw new Error(`two declarations have the id ${entry.id}`)
  all.set(entry.id, entry)
}

/**
 * Declares faults of `target`, an engine or the conventions of all requests; ids get the engine's name as prefix.
 * @param engine the engine in which the faults show, where it is not the one whose code they change
 */
export const faultsOf = <R extends object, H>(target: Mutable<R, H>, engine = target.type): Declarations<Clauses, R, H> =>
  declarations(target, (id, clauses, title, mutation) =>
    once(declaredFaults, { id: `${engine}-${id}`, engine, title, clauses: [clauses].flat(), type: target.type, mutation }),
  )

/** Declares variants of `target`. Instead of clauses, as a fault does, each names the reading that leaves this open, in a few words. */
export const variantsOf = <R extends object, H>(target: Mutable<R, H>, engine = target.type): Declarations<string, R, H> =>
  declarations(target, (id, reading, title, mutation) =>
    once(declaredVariants, { id: `${engine}-${id}`, engine, title, reading, type: target.type, mutation }),
  )
