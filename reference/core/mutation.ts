/** Faults (seeded defects) and variants (legal alternatives) of an engine: overrides kept outside the engine's code. */
import type { Engine, Route } from './engine.ts'

type RuleFunction = (...parameters: never[]) => unknown

/** Replaces rules (each override receives the original) or wraps route handlers by operationId. */
export interface Mutation<S, R extends object> {
  rules?: { [K in keyof R]?: R[K] extends RuleFunction ? (original: R[K]) => R[K] : never }
  routes?: Record<string, (original: Route<S, R>['handle']) => Route<S, R>['handle']>
}

export interface Fault {
  id: string
  engine: string
  title: string
  /** One to three clauses that it breaks. */
  clauses: string[]
  /** The engine's mount type. */
  type: string
  mutation: Mutation<unknown, Record<string, RuleFunction>>
}

export interface Variant {
  id: string
  engine: string
  title: string
  /** The reading that leaves this open, in a few words. */
  reading: string
  type: string
  mutation: Mutation<unknown, Record<string, RuleFunction>>
}

type FaultText = Omit<Fault, 'type' | 'mutation'>
type VariantText = Omit<Variant, 'type' | 'mutation'>

/** Declares a fault of `engine`; the compiler checks its overrides against the engine's rules. */
export const fault = <S, R extends object>(engine: Engine<S, R>, text: FaultText, mutation: Mutation<S, R>): Fault => ({
  ...text,
  type: engine.type,
  mutation: mutation as unknown as Fault['mutation'],
})

/** Declares a variant of `engine`. */
export const variant = <S, R extends object>(engine: Engine<S, R>, text: VariantText, mutation: Mutation<S, R>): Variant => ({
  ...text,
  type: engine.type,
  mutation: mutation as unknown as Variant['mutation'],
})

/**
 * The engine with every mutation of its type applied, in order, so that a later one wraps an earlier one; the engine itself stays as it is.
 * @param onHit told each time the code of a mutation runs, with its id
 */
export const applyMutations = <S, R extends object>(
  engine: Engine<S, R>,
  mutations: (Fault | Variant)[],
  onHit: (id: string) => void,
): Engine<S, R> => {
  const rules = { ...engine.rules } as Record<string, RuleFunction>
  let { routes } = engine
  for (const { id, type, mutation } of mutations) {
    if (type !== engine.type) continue
    for (const [name, override] of Object.entries(mutation.rules ?? {})) {
      const original = rules[name]
      if (original) rules[name] = counted(override?.(original as never) as RuleFunction, () => onHit(id))
    }
    routes = routes.map((route) => {
      const wrap = mutation.routes?.[route.id]
      return wrap
        ? { ...route, handle: counted(wrap(route.handle as never) as RuleFunction, () => onHit(id)) as unknown as typeof route.handle }
        : route
    })
  }
  return { ...engine, rules: rules as R, routes }
}

const counted = (run: RuleFunction, onHit: () => void): RuleFunction =>
  ((...parameters: never[]) => {
    onHit()
    return run(...parameters)
  }) as RuleFunction
