/** Things that are written again under their name: from then on they are what a new one with the same body is, in all that they decide. */
import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../base/json.ts'
import { check } from './check.ts'
import type { CheckContext, Needs } from './vocabulary.ts'

export interface Setting {
  /** As a message names it: the field that differs. */
  what: string
  /** The two bodies, each stating every field that either of them does: what an update makes of a field left out is not judged here. */
  bodies: readonly [JsonObject, JsonObject]
  /** What tells the two apart, e.g. what a request is answered, without what no two answers share. */
  look(name: string): Promise<unknown>
}

export interface Rewritten {
  needs?: Needs
  /** Operations, each with the path parameter `name`. */
  operations: { write: string; read: string }
  settings(context: CheckContext): Promise<readonly Setting[]>
}

const DEADLINE = 300_000

/** The body of such a check. */
export const rewrites =
  (clause: string, { operations: { write, read }, settings }: Rewritten) =>
  async (context: CheckContext): Promise<void> => {
    const { bench, expect } = context
    const put = (name: string, body: JsonObject) => bench.given(write, { path: { name }, body })
    // Whatever else a read shows may be the server's own, such as a count of writes.
    const seen = async ({ look, bodies }: Setting, name: string): Promise<{ read: unknown; does: unknown }> => {
      const { data } = await bench.given(read, { path: { name } })
      const stated = Object.fromEntries(Object.keys(bodies[0]).map((field) => [field, data[field] ?? null]))
      return { read: JSON.parse(JSON.stringify(stated).replaceAll(name, '<name>')), does: await look(name) }
    }
    const untold: string[] = []
    const all = await settings(context)
    for (const setting of all) {
      const [first, second] = setting.bodies
      const fresh: unknown[] = []
      for (const one of setting.bodies) {
        const name = bench.fresh('n')
        // A value that the target does not take, and one that shows nowhere, are decided by the clauses of their field.
        if (!(await bench.call(write, { path: { name }, body: one })).ok) break
        fresh.push(await seen(setting, name))
      }
      if (fresh.length < 2 || isDeepStrictEqual(fresh[0], fresh[1])) untold.push(setting.what)
      if (fresh.length < 2) continue
      const name = bench.fresh('n')
      await put(name, first)
      await setting.look(name)
      for (const [index, one] of [second, first].entries()) {
        await put(name, one)
        const now = await seen(setting, name)
        await bench.decide(clause, () =>
          expect(now, `${setting.what}, written ${index + 2} times: as one with this body written once`).toEqual(fresh[1 - index]),
        )
      }
    }
    if (untold.length === all.length) bench.blocked('no field of this thing has an effect', 'see the clauses of its fields first')
  }

/**
 * Registers a check of updates, field by field: a thing is written with one value, with another, and with the first again; after each write its
 * read and what it decides are compared whole with those of a thing that was written once with that body.
 *
 * @param id of the check, e.g. `ssh/ca-role-rewritten`.
 * @param clause of the engine that a write to an existing name updates what is there.
 */
export const rewritten = (id: string, clause: string, title: string, about: Rewritten): void =>
  check(id, clause, title, { deadline: DEADLINE, ...(about.needs === undefined ? {} : { needs: about.needs }) }, rewrites(clause, about))
