/** Faults (seeded defects) and variants (legal alternatives) of an engine: overrides kept outside the engine's code. */

import { type JudgedRequest, judgedRequest } from './judged-request.ts'

type RuleFunction = (...parameters: never[]) => unknown

/** The rules of all requests are told the request that they judge, after their own parameters. */
type Override<Rule extends RuleFunction, R> = R extends { basePaths(): string[] }
  ? (...parameters: [...Parameters<Rule>, request: JudgedRequest]) => ReturnType<Rule>
  : Rule

/** What faults and variants can change: an engine, or a part of another API that is written the same way; H is its kind of handler. */
export interface Mutable<R extends object, H> {
  type: string
  rules: R
  routes: { id: string; handle: H }[]
}

/** Replaces rules (each override receives the original) or wraps route handlers by operationId. */
export interface Mutation<R extends object, H> {
  rules?: { [K in keyof R]?: R[K] extends RuleFunction ? (original: R[K]) => Override<R[K], R> : never }
  routes?: Record<string, (original: H) => H>
  /** What a variant touches beside its rules, in a word: two that touch the same thing are legal each by itself only, and never tried in one server. */
  touches?: string
  /** The part of what its rules decide that a variant changes: two that change different parts of one rule may stand in one server. */
  part?: string
}

export interface Fault {
  id: string
  engine: string
  title: string
  /** One to three clauses that it breaks. */
  clauses: string[]
  /** The engine's mount type. */
  type: string
  mutation: Mutation<Record<string, RuleFunction>, unknown>
}

export interface Variant {
  id: string
  engine: string
  title: string
  /** The reading that leaves this open, in a few words. */
  reading: string
  type: string
  mutation: Mutation<Record<string, RuleFunction>, unknown>
}

/**
 * The engine with every mutation of its type applied, in order, so that a later one wraps an earlier one; the engine itself stays as it is.
 * @param onHit told each time the code of a mutation runs, with its id
 */
export const applyMutations = <E extends Mutable<object, unknown>>(
  engine: E,
  mutations: (Fault | Variant)[],
  onHit: (id: string) => void,
): E => {
  const rules = { ...engine.rules } as Record<string, RuleFunction>
  let { routes }: Mutable<object, unknown> = engine
  for (const { id, type, mutation } of mutations) {
    if (type !== engine.type) continue
    for (const [name, override] of Object.entries(mutation.rules ?? {})) {
      const original = rules[name]
      if (!original) continue
      const changed = override?.(original as never) as RuleFunction
      rules[name] = counted(type === 'core' ? (...given) => changed(...given, judgedRequest() as never) : changed, () => onHit(id))
    }
    routes = routes.map((route) => {
      const wrap = mutation.routes?.[route.id]
      return wrap ? { ...route, handle: counted(wrap(route.handle) as RuleFunction, () => onHit(id)) } : route
    })
  }
  return { ...engine, rules, routes }
}

const counted = (run: RuleFunction, onHit: () => void): RuleFunction =>
  ((...parameters: never[]) => {
    onHit()
    return run(...parameters)
  }) as RuleFunction
