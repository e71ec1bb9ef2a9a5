/** Things of the same names in several places: mounts whose paths begin alike, and the same path in another namespace. What happens in one never shows in another. */
import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '../base/json.ts'
import { check } from './check.ts'
import { textsIn } from './texts-in.ts'
import type { Bench, CheckContext, Needs } from './vocabulary.ts'

export interface Elsewhere {
  /** Mount type as in `x-mount` of the specs. */
  type: string
  /** Clause of the engine that an operation changes what it names and nothing else. */
  clause: string
  needs?: Omit<Needs, 'mounts'>
  /** Operations; each path has the parameter `name`, if `parameter` names no other. */
  operations: { write: string; read: string; remove: string; list?: string }
  parameter?: string
  /** An operation that serves only where such a thing is, and what it is asked with besides the name. */
  uses?: { operation: string; input?: { body?: JsonObject } }
  /** Path parameters of the listing, where it has any. */
  listAt?: Readonly<Record<string, string>>
  /** What a place needs first. */
  prepare?(bench: Bench, mount: string): Promise<unknown>
  /** Bodies that make such a thing in a place: at least three, no two alike in what a read shows. Called once for each place. */
  bodies(bench: Bench, mount: string): Promise<readonly JsonObject[]>
  /** Members of a read that change by themselves. */
  changing?: readonly string[]
}

interface Place {
  about: string
  mount: string
  bodies: readonly JsonObject[]
}

/** What a place shows of each name: its read, whether it is listed by either way of listing, and whether it can still be used if the read fails. */
type Shown = Record<string, { read: unknown; listed: unknown; serves: boolean | undefined }>

class Places {
  readonly #bench: Bench
  readonly #about: Elsewhere
  readonly #names: readonly string[]

  constructor(bench: Bench, about: Elsewhere, names: readonly string[]) {
    this.#bench = bench
    this.#about = about
    this.#names = names
  }

  #at(operation: string, { mount }: Place, name: string, rest: { body?: JsonObject } = {}) {
    return this.#bench.call(operation, { path: { [this.#about.parameter ?? 'name']: name }, mount, ...rest })
  }

  async write(place: Place, name: string, body: JsonObject): Promise<void> {
    const path = { [this.#about.parameter ?? 'name']: name }
    await this.#bench.given(this.#about.operations.write, { path, mount: place.mount, body })
  }

  async remove(place: Place, name: string): Promise<void> {
    const path = { [this.#about.parameter ?? 'name']: name }
    await this.#bench.given(this.#about.operations.remove, { path, mount: place.mount })
  }

  async #listed({ mount }: Place, method: string): Promise<string[] | undefined> {
    const { operations, listAt } = this.#about
    if (operations.list === undefined) return undefined
    const { keys } = (await this.#bench.call(operations.list, { mount, method, ...(listAt === undefined ? {} : { path: listAt }) })).data
    return textsIn(keys)
  }

  async shown(place: Place): Promise<Shown> {
    const { uses } = this.#about
    const { read } = this.#about.operations
    const [byVerb, byQuery] = [await this.#listed(place, 'LIST'), await this.#listed(place, 'GET')]
    const all: Shown = {}
    for (const name of this.#names) {
      const answer = await this.#at(read, place, name)
      const seen = isObject(answer.body) && isObject(answer.body.data) ? answer.body.data : answer.body
      const kept = isObject(seen) ? Object.entries(seen).filter(([member]) => this.#about.changing?.includes(member) !== true) : []
      const serves = answer.ok || uses === undefined ? undefined : (await this.#at(uses.operation, place, name, uses.input)).ok
      const listed = [byVerb?.includes(name), byQuery?.includes(name)]
      all[name] = { read: answer.ok ? Object.fromEntries(kept) : answer.status, listed, serves }
    }
    return all
  }
}

/**
 * The body of such a check: takes a step in one place, and looks at all of them.
 *
 * @param late makes one more mount, from the alias of the first, when all places have something.
 */
export const standsApart =
  (
    about: Elsewhere,
    placesOf: (bench: Bench) => Promise<[about: string, mount: string][]>,
    late?: (bench: Bench, here: string) => Promise<string>,
  ) =>
  async ({ bench, expect }: CheckContext): Promise<void> => {
    const { clause } = about
    const own = bench.fresh('n')
    const names = [own, `${own}a`]
    const places: Place[] = []
    for (const [what, mount] of await placesOf(bench)) {
      await about.prepare?.(bench, mount)
      places.push({ about: what, mount, bodies: await about.bodies(bench, mount) })
    }
    const all = new Places(bench, about, names)
    const known = new Map<Place, Shown>()
    const listed = about.operations.list === undefined ? [undefined, undefined] : [false, false]
    const absent = { read: 404, listed, serves: about.uses === undefined ? undefined : false }
    const nothing = Object.fromEntries(names.map((name) => [name, absent]))
    for (const place of places) known.set(place, nothing)

    /** All places show what they showed, but for what one step changed in one of them. */
    const step = async (what: string, at: Place, name: string, run: () => Promise<void>, gone: boolean): Promise<void> => {
      await run()
      // The place of the step first, and last of all: what was looked at last must not stand for the others.
      for (const place of [at, ...places.filter((other) => other !== at), at]) {
        const seen = await all.shown(place)
        const before = known.get(place)!
        const expected = place === at ? { ...before, [name]: gone ? absent : seen[name] } : before
        await bench.decide(clause, () => {
          expect(seen, `${what} in ${at.about}: what ${place.about} shows`).toEqual(expected)
          if (place === at && !gone) expect(isObject(seen[name]?.read), `${what}: it is there`).toBe(true)
        })
        if (place === at) known.set(place, seen)
      }
    }
    const write = (at: Place, name: string, nth: number, what: string) =>
      step(what, at, name, () => all.write(at, name, at.bodies[nth % at.bodies.length]!), false)
    const remove = (at: Place, name: string, what: string) => step(what, at, name, () => all.remove(at, name), true)

    for (const [index, place] of places.entries()) await write(place, own, index, 'written')
    const reads = places.map((place) => known.get(place)![own]!.read)
    const [here, beside] = places as [Place, Place]
    if (isDeepStrictEqual(reads[0], reads[1])) bench.blocked('two bodies are read alike', 'see the clauses of their fields first')
    await write(beside, names[1]!, 2, 'another written')
    await write(here, own, 2, 'written again')
    if (late !== undefined) {
      const mount = await late(bench, here.mount)
      await about.prepare?.(bench, mount)
      const seen = await all.shown({ about: 'the mount made afterwards', mount, bodies: [] })
      await bench.decide(clause, () => expect(seen, 'what a mount shows that was made when others had all of it').toEqual(nothing))
    }
    await remove(beside, own, 'deleted')
    await write(beside, own, 0, 'made again')
    await remove(here, own, 'deleted')
    for (const place of places.slice(1)) {
      await remove(place, own, 'deleted')
      await step('looked at', place, names[1]!, async () => undefined, place !== beside)
    }
  }

const BESIDE = { title: 'in mounts whose paths begin or end alike', features: ['mounts'] } as const
const WITHIN = { title: 'at one path in several namespaces', features: ['mounts', 'namespaces'] } as const

/**
 * Registers two checks of things whose names stand in several places: in three mounts, of which the path of one begins and that of another ends
 * with the path of the first, and at the same path outside and in two namespaces. Each is written, written again, deleted and made again in one
 * place; after each step the reads and listings of all places are compared whole. One more that is made in between begins with nothing.
 *
 * @param id of the checks, e.g. `ssh/roles-elsewhere`.
 * @param title what they are about, e.g. `roles of one name`.
 */
export const elsewhere = (id: string, title: string, about: Elsewhere): void => {
  const needs = (features: readonly NonNullable<Needs['features']>[number][]): { needs: Needs } => ({
    needs: { ...about.needs, features: [...features] },
  })
  const beside = async (bench: Bench): Promise<[string, string][]> => {
    const here = await bench.mount(about.type)
    return [
      ['the one mount', here],
      ['the mount beside it', await bench.mount(about.type, { path: `${bench.mountPath(here)}-a` })],
      ['the mount whose path ends alike', await bench.mount(about.type, { path: `${bench.fresh('below')}/${bench.mountPath(here)}` })],
    ]
  }
  const within = async (bench: Bench): Promise<[string, string][]> => {
    const here = await bench.mount(about.type)
    const like = async () => bench.mount(about.type, { path: bench.mountPath(here), namespace: await bench.namespace() })
    return [
      ['the mount', here],
      ['its like in a namespace', await like()],
      ['its like in another namespace', await like()],
    ]
  }
  const lateBeside = (bench: Bench, here: string) => bench.mount(about.type, { path: `${bench.mountPath(here)}-b` })
  const lateWithin = async (bench: Bench, here: string) =>
    bench.mount(about.type, { path: bench.mountPath(here), namespace: await bench.namespace() })
  const [besides, withins] = [standsApart(about, beside, lateBeside), standsApart(about, within, lateWithin)]
  check(`${id}-beside`, about.clause, `${title} ${BESIDE.title} are isolated`, needs(BESIDE.features), besides)
  check(`${id}-within`, about.clause, `${title} ${WITHIN.title} are isolated`, needs(WITHIN.features), withins)
}
