/** How faults and variants are declared: in `<topic>.faults.ts` and `<topic>.variants.ts` beside what they change, and in `places.ts`. */
import type { Fault, Mutable, Mutation, Variant } from '../core/mutation.ts'

/** The clauses that a fault breaks: one to three; none as long as it was only held against all of them, which no finished proof accepts. */
export type Clauses = string | readonly [] | readonly [string] | readonly [string, string] | readonly [string, string, string]

/** Three ways of writing the same thing: most change rules or one route, few change both. */
export interface Declarations<About, Entry, R extends object, H> {
  /** Overrides rules; each override receives the original. A variant may say which `part` of what they decide it changes. */
  rule(id: string, about: About, title: string, rules: NonNullable<Mutation<R, H>['rules']> & Pick<Mutation<R, H>, 'part'>): void
  /** Wraps the handlers of operations, all in the same way. */
  route(id: string, about: About, title: string, operation: string | readonly string[], wrap: (original: H) => H): void
  /** Overrides rules and wraps handlers, or wraps several in different ways. */
  change(id: string, about: About, title: string, mutation: Mutation<R, H>): void
  /** What has been declared, for the file to export. */
  declared: Entry[]
}

const declarations = <About, Entry, R extends object, H>(
  target: Mutable<R, H>,
  entryOf: (id: string, about: About, title: string, mutation: Fault['mutation']) => Entry,
): Declarations<About, Entry, R, H> => {
  const operations = new Set(target.routes.map(({ id }) => id))
  const declared: Entry[] = []
  const change = (id: string, about: About, title: string, mutation: Mutation<R, H>): void => {
    const unknown = Object.keys(mutation.routes ?? {}).find((operation) => !operations.has(operation))
    if (unknown !== undefined) throw new Error(`"${title}" wraps ${unknown}, which ${target.type} does not have`)
    declared.push(entryOf(id, about, title, mutation as unknown as Fault['mutation']))
  }
  return {
    rule: (id, about, title, { part, ...rules }) =>
      change(id, about, title, { rules: rules as unknown as Mutation<R, H>['rules'], ...(part === undefined ? {} : { part }) }),
    route: (id, about, title, operation, wrap) =>
      change(id, about, title, { routes: Object.fromEntries([operation].flat().map((name) => [name, wrap])) }),
    change,
    declared,
  }
}

/**
 * Declares faults of `target`, an engine or the conventions of all requests; ids get the engine's name before a slash.
 * @param engine the engine in which the faults show, where it is not the one whose code they change
 */
export const faultsOf = <R extends object, H>(target: Mutable<R, H>, engine = target.type): Declarations<Clauses, Fault, R, H> =>
  declarations(target, (id, clauses, title, mutation) => ({
    id: `${engine}/${id}`,
    engine,
    title,
    clauses: [clauses].flat(),
    type: target.type,
    mutation,
  }))

/** Declares variants of `target`. Instead of clauses, as a fault does, each names the reading that leaves this open, in a few words. */
export const variantsOf = <R extends object, H>(target: Mutable<R, H>, engine = target.type): Declarations<string, Variant, R, H> =>
  declarations(target, (id, reading, title, mutation) => ({ id: `${engine}-${id}`, engine, title, reading, type: target.type, mutation }))
