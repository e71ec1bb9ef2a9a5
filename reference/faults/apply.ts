/** Operators at places: each pair is a fault, but for those that a place excepts with its reason. */
import { coreEngine } from '../core/core-engine.ts'
import type { Fault, Mutable } from '../core/mutation.ts'
import { faultsOf } from './declare.ts'
import { type AccessPlace, access } from './operators/access.ts'
import type { AnyCall, AnyHandle, Family, Wrap } from './operators/family.ts'
import { texts } from './operators/kept-texts.ts'
import { lifetimes } from './operators/lifetimes.ts'
import { lists } from './operators/lists.ts'
import { memory } from './operators/memory.ts'
import { neighbours } from './operators/neighbours.ts'
import { numbers } from './operators/numbers.ts'
import { names } from './operators/path-names.ts'
import { replies } from './operators/replies.ts'
import { shapes } from './operators/reply-shapes.ts'
import { defaults, needed, parameters } from './operators/request-parameters.ts'
import { switches } from './operators/switches.ts'
import { types } from './operators/types.ts'

/** What every place says, whatever its family. */
export interface Place {
  /** The clauses that a mistake here breaks. */
  clauses: [string] | [string, string] | [string, string, string]
  /** Other clauses for some operators. */
  by?: Record<string, string>
  /** Operators that do not apply here, each with the reason. */
  not?: Record<string, string>
  /** The requests of its operations that it is about, where it is not about all. */
  when?: (call: AnyCall) => boolean
}

/** For instance `role/default_user`: the first part of the ids of its faults. */
type Named<P> = Record<string, Place & P>

const FAMILIES = {
  texts,
  names,
  lists,
  parameters,
  defaults,
  needed,
  types,
  switches,
  numbers,
  replies,
  shapes,
  memory,
  neighbours,
  lifetimes,
}

type PlaceOf<F> = F extends Family<infer P> ? P : never

/** The places of an engine, by family and by name. */
export type Places = { [Name in keyof typeof FAMILIES]?: Named<PlaceOf<(typeof FAMILIES)[Name]>> } & {
  access?: Named<AccessPlace>
  /** Pairs of a place and an operator that make no fault, as `role/key/trimmed role/key/cut`, by the reason. */
  except?: Record<string, string>
}

/** The operators of a family that apply at a place. @throws Error where the place names an operator that the family lacks. */
const applying = <O>(family: Record<string, O>, name: string, { not = {}, by = {} }: Place): [string, O][] => {
  const unknown = [...Object.keys(not), ...Object.keys(by)].find((operator) => !(operator in family))
  if (unknown !== undefined) throw new Error(`the place ${name} speaks of ${unknown}, which its family does not have`)
  return Object.entries(family).filter(([operator]) => !(operator in not))
}

const clausesFor = ({ clauses, by = {} }: Place, operator: string, own = by[operator]): [string] | Place['clauses'] => {
  return own === undefined ? clauses : [own]
}

/** Handles other requests than those of a place as before. */
const limited =
  (wrap: Wrap, when: Place['when']): Wrap =>
  (original) => {
    const changed = wrap(original)
    return when === undefined ? changed : (call) => (when(call) ? changed(call) : original(call))
  }

/**
 * All faults that operators make at the places of an engine.
 *
 * @param target the engine, or the part of the other API
 * @param engine the engine in which they show, where it is called otherwise than its type
 */
export const applied = <R extends object, H>(target: Mutable<R, H>, places: Places, engine = target.type): Fault[] => {
  const excepted = new Set(Object.values(places.except ?? {}).flatMap((pairs) => pairs.trim().split(/\s+/)))
  const isMade = (name: string, operator: string): boolean => !excepted.delete(`${name}/${operator}`)
  const own = faultsOf(target as unknown as Mutable<R, AnyHandle>, engine)
  const core = faultsOf(coreEngine, engine)
  for (const [family, operators] of Object.entries(FAMILIES) as [keyof typeof FAMILIES, Family<never>][]) {
    for (const [name, place] of Object.entries(places[family] ?? {})) {
      for (const [operator, { title, change }] of applying(operators, name, place)) {
        const wraps = Object.entries(change(place as never))
        // An operator may need what this place has not: a removal, for instance.
        if (wraps.length === 0 || !isMade(name, operator)) continue
        const routes = Object.fromEntries(wraps.map(([operation, wrap]) => [operation, limited(wrap, place.when)]))
        own.change(`${name}/${operator}`, clausesFor(place, operator), title.replace('{}', name), { routes })
      }
    }
  }
  for (const [name, place] of Object.entries(places.access ?? {}))
    for (const [operator, { title, rules, clause }] of applying(access, name, place))
      if (isMade(name, operator))
        core.rule(`${name}/${operator}`, clausesFor(place, operator, clause), title.replace('{}', name), rules(place))
  if (excepted.size > 0) throw new Error(`no operator makes ${[...excepted].join(' ')}, which the places of ${engine} except`)
  return [...own.declared, ...core.declared]
}
