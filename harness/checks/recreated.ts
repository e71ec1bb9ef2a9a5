/** Things that are deleted and made again under their name: what is not given then is as in one that was never there. */
import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../base/json.ts'
import { check } from './check.ts'
import type { CheckContext, Needs } from './vocabulary.ts'

export interface Recreation {
  /** As a message names it: what is left out the second time. */
  what: string
  /** The body of the first life, optional fields and all, for a name. */
  full(name: string): Promise<JsonObject>
  /** The body of the second life, without the fields that may be left out. */
  bare(name: string): Promise<JsonObject>
  /** What tells the two apart beside the read, e.g. what a request is answered, without what no two answers share. */
  look?(name: string): Promise<unknown>
}

export interface Recreated {
  needs?: Needs
  /** Operations, each with the path parameter `name`. */
  operations: { write: string; read: string; remove: string }
  /** None where the target has nothing of the kind: then the clause is only looked at. */
  recreations(context: CheckContext): Promise<readonly Recreation[]>
}

const DEADLINE = 300_000

/** The body of such a check. */
export const recreates =
  (clause: string, about: Recreated) =>
  async (context: CheckContext): Promise<void> => {
    const { bench, expect } = context
    const { write, read, remove } = about.operations
    let told = 0
    const all = await about.recreations(context)
    if (all.length === 0) return bench.observe(clause, 'the target has nothing of the kind')
    for (const { what, full, bare, look } of all) {
      const [early, name, other] = [bench.fresh('again'), bench.fresh('again'), bench.fresh('again')]
      for (const one of [early, name, other]) bench.defer(() => bench.call(remove, { path: { name: one } }))
      const [unled, first, second, unseen] = [await bare(early), await full(name), await bare(name), await bare(other)]
      const omitted = Object.keys(first).filter((field) => !(field in second))
      const seen = async (of: string): Promise<unknown> => {
        const { data } = await bench.given(read, { path: { name: of } })
        return { read: Object.fromEntries(omitted.map((field) => [field, data[field] ?? null])), does: await look?.(of) }
      }
      // Whether it may be left out at all is decided by the clauses of the field.
      if (!(await bench.call(write, { path: { name: early }, body: unled })).ok) continue
      const ever = await seen(early)
      await bench.given(write, { path: { name }, body: first })
      const before = await seen(name)
      await bench.given(remove, { path: { name } })
      await bench.given(write, { path: { name: other }, body: unseen })
      const never = await seen(other)
      if (!isDeepStrictEqual(before, never)) told += 1
      const again = await bench.call(write, { path: { name }, body: second })
      const now = again.ok ? await seen(name) : undefined
      await bench.decide(clause, () => {
        expect(never, `${what}: one that follows as one that came before`).toEqual(ever)
        expect(again, `${what}: written again after its deletion`).toSucceed()
        expect(now, `${what}: as in one that was never there`).toEqual(never)
      })
    }
    if (told === 0) bench.blocked('nothing that may be left out has an effect', 'see the clauses of its fields first')
  }

/**
 * Registers a check of re-creation: a thing is written with its optional fields, used, deleted, and written without them; its read, and what it
 * decides, are then those of a thing that is written so under a name that never was, before it or after.
 *
 * @param id of the check, e.g. `database/role-recreated`.
 * @param clause of the engine that says what a deletion ends, or what a field is where it is not given.
 */
export const recreated = (id: string, clause: string, title: string, about: Recreated): void =>
  check(id, clause, title, { deadline: DEADLINE, ...(about.needs === undefined ? {} : { needs: about.needs }) }, recreates(clause, about))
