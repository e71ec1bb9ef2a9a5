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
