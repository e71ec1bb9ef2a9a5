/** Objects that are kept under names: a change to one never shows at another, however alike the names and for every caller. */
import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '../base/json.ts'
import type { Answer, Caller, CallInput } from '../target/exchange.ts'
import { anotherCaller } from './another-caller.ts'
import { textsIn } from './texts-in.ts'
import type { Bench, CheckContext, Needs } from './vocabulary.ts'

/** Clauses of a namespace of two segments, in the order of how many of them are in the path of a request instead of its header. */
export type Spelled = readonly [string, string, string]

export interface Collection {
  /** Clauses of the engine that its read, its listing and its deletion decide. */
  clauses: { read: string; listed?: string; deleted: string }
  needs?: Needs
  /** Needs of the check that deletes all of them, with an empty mount of its own under the alias that calls go to by default. */
  emptied?: Needs
  /** Why a target has none of these things, where it has none: its clauses are then left to others. */
  absent?(bench: Bench): string | undefined
  /** Operations, each with the path parameter `name`. */
  operations: { write: string; read: string; remove: string; list?: string }
  /** Bodies that make one of these things: at least three, no two next to each other alike, and the third silent on what the first says. */
  bodies(bench: Bench): Promise<JsonObject[]>
  /** Members that no two of these things share, e.g. a user of the backend: made for each that is created, and kept when it is written again. */
  own?(bench: Bench): Promise<JsonObject>
  /** Members of a read that change by themselves. */
  changing?: readonly string[]
  /** Path parameters beside `name`, of the read, the deletion and the listing, e.g. the kind of the thing. */
  at?: Readonly<Record<string, string>>
  /** Whether names are of lower case by contract: none of them has another then. */
  lowerCase?: boolean
  /** Where an answer has the members of a read and the names of a listing, where that is not under `data`. */
  fieldsOf?(answer: Answer): JsonObject
  /** How many more are made, so that a listing has more than a page of them; none where each costs a real object. Default 110, without a listing none. */
  more?: number
  /** Type of a mount in which the first body can be written with nothing else in it, and clauses of the spellings of a namespace; none where that takes more. */
  alone?: { type: string; spelled: Spelled }
  /** Everything else that must stay as it is while these things come and go, e.g. what names them. */
  bystanders?(bench: Bench, names: readonly string[]): Promise<() => Promise<unknown>>
}

/** Longer than what a name may be cut to. */
const LONG = '-long'.repeat(16)

/**
 * Names that begin like one another, go on after a period, a hyphen or an underscore, or differ in that or in their ends only. None differ in case alone:
 * the ruling `name-case` leaves it open whether these are two.
 */
const alike = (name: string): string[] => [
  ...[name, `${name}a`, `${name}.a`, `${name}-a`, `${name}_a`, `${name}a.a`],
  ...[`${name}${LONG}a`, `${name}${LONG}b`],
]

/** The same where names are of lower-case letters, digits and hyphens, 60 of them at most. */
const alikeInLowerCase = (name: string): string[] => {
  const long = `${name}${LONG}`.slice(0, 59)
  return [...new Set([name, `${name}a`, `${name}-a`, `${name}aa`, `${name}-a-a`, `${long}a`, `${long}b`])]
}

const namesFor = ({ lowerCase }: Collection, name: string): string[] => (lowerCase === true ? alikeInLowerCase(name) : alike(name))

const ABSENT_DELETED = [200, 204, 404]

/** Who looks at everything, and who writes and deletes by turns: what one of them does, each of them sees. */
export const callersOf = async (bench: Bench, { operations, at }: Collection): Promise<readonly Caller[]> => {
  const another = await anotherCaller(bench, Object.values(operations), at)
  return another === undefined ? ['root'] : ['root', another]
}

/** What callers are shown, where it is not the same. */
class Different {
  readonly shown: readonly unknown[]

  constructor(shown: readonly unknown[]) {
    this.shown = shown
  }
}

class Shelf {
  readonly #bench: Bench
  readonly #collection: Collection
  readonly #callers: readonly Caller[]
  #turn = 0
  /** What each name has of its own. */
  readonly #own = new Map<string, JsonObject>()

  constructor(bench: Bench, collection: Collection, callers: readonly Caller[]) {
    this.#bench = bench
    this.#collection = collection
    this.#callers = callers
  }

  #next(): Caller {
    this.#turn += 1
    return this.#callers[this.#turn % this.#callers.length]!
  }

  #at(operation: string, name: string, rest: CallInput = {}): Promise<Answer> {
    return this.#bench.call(operation, { path: { ...this.#collection.at, name }, ...rest })
  }

  #fields(answer: Answer): JsonObject {
    return this.#collection.fieldsOf?.(answer) ?? answer.data ?? {}
  }

  async write(name: string, body: JsonObject): Promise<void> {
    const { write, remove } = this.#collection.operations
    this.#bench.defer(() => this.#at(remove, name))
    const own = this.#own.get(name) ?? (await this.#collection.own?.(this.#bench)) ?? {}
    this.#own.set(name, own)
    await this.#bench.given(write, { path: { name }, body: { ...body, ...own }, as: this.#next() })
  }

  async remove(name: string): Promise<void> {
    this.#own.delete(name)
    await this.#bench.given(this.#collection.operations.remove, { path: { ...this.#collection.at, name }, as: this.#next() })
  }

  /** What the deletion of a name that is not there answers. */
  async removeAgain(name: string): Promise<number> {
    return (await this.#at(this.#collection.operations.remove, name, { as: this.#next() })).status
  }

  /** A read of a name without what the name alone has. */
  async shared(name: string): Promise<unknown> {
    const shown = (await this.shown([name]))[name]
    if (typeof shown !== 'object' || shown === null) return shown
    const own = Object.keys(this.#own.get(name) ?? {})
    return Object.fromEntries(Object.entries(shown).filter(([member]) => !own.includes(member)))
  }

  async #shownTo(as: Caller, name: string): Promise<unknown> {
    const answer = await this.#at(this.#collection.operations.read, name, { as })
    const kept = Object.entries(this.#fields(answer)).filter(([member]) => this.#collection.changing?.includes(member) !== true)
    return answer.ok ? Object.fromEntries(kept) : answer.status
  }

  /** What a read shows of each name: its data, or the status of a refusal. */
  async shown(names: readonly string[]): Promise<Record<string, unknown>> {
    const all: Record<string, unknown> = {}
    for (const name of names) {
      const each: unknown[] = []
      for (const caller of this.#callers) each.push(await this.#shownTo(caller, name))
      all[name] = each.every((one) => isDeepStrictEqual(one, each[0])) ? each[0] : new Different(each)
    }
    return all
  }

  /** Which of these names a listing has, for each caller by the verb and as a read. */
  async listed(names: readonly string[]): Promise<Record<string, string[]> | undefined> {
    const { at, operations } = this.#collection
    if (operations.list === undefined) return undefined
    const all: Record<string, string[]> = {}
    for (const as of this.#callers)
      for (const method of ['LIST', 'GET']) {
        const answer = await this.#bench.call(operations.list, { method, as, ...(at === undefined ? {} : { path: at }) })
        const { keys: found } = this.#fields(answer)
        const keys = textsIn(found)
        all[`${method} by ${as === 'root' ? as : 'another caller'}`] = names.filter((name) => keys.includes(name))
      }
    return all
  }
}

/** The same names in each listing. */
const inEach = (listings: Record<string, string[]>, names: readonly string[]): Record<string, string[]> =>
  Object.fromEntries(Object.keys(listings).map((listing) => [listing, [...names]]))

/** Of what is shown, the members that two others have alike: a new thing made before and one made after differ in times, for example. */
const alikeIn = (one: unknown, other: unknown): ((shown: unknown) => unknown) => {
  if (!isObject(one) || !isObject(other)) return (shown) => shown
  const differing = Object.keys({ ...one, ...other }).filter((member) => !isDeepStrictEqual(one[member], other[member]))
  return (shown) => (isObject(shown) ? Object.fromEntries(Object.entries(shown).filter(([member]) => !differing.includes(member))) : shown)
}

const everyBody = async ({ bench }: CheckContext, collection: Collection, names: readonly string[]): Promise<JsonObject[]> => {
  const bodies = await collection.bodies(bench)
  return names.map((_, index) => bodies[index % bodies.length]!)
}

/** The body of such a check. */
export const collects =
  (collection: Collection) =>
  async (context: CheckContext): Promise<void> => {
    const { bench, expect } = context
    const { read, listed, deleted } = collection.clauses
    const shelf = new Shelf(bench, collection, await callersOf(bench, collection))
    // A purpose of their own: a later name of the same purpose could be one of them, for its number may end in a letter.
    const names = namesFor(collection, bench.fresh('alike'))
    const bodies = await everyBody(context, collection, names)
    const first: Record<string, unknown> = {}
    for (const [index, name] of names.entries()) {
      await shelf.write(name, bodies[index]!)
      Object.assign(first, await shelf.shown([name]))
    }
    const others = await collection.bystanders?.(bench, names)
    const aside = await others?.()

    /** Whole state: every other name is as it was, and so is everything outside the collection. */
    const othersStay = async (clause: string, gone: readonly string[], what: string): Promise<void> => {
      const left = names.filter((name) => !gone.includes(name))
      const state = await shelf.shown(left)
      await bench.decide(clause, async () => {
        const unlike = left.filter((name) => typeof state[name] === 'number' || state[name] instanceof Different)
        expect(
          Object.fromEntries(unlike.map((name) => [name, state[name]])),
          `not there, or another thing for another caller, ${what}`,
        ).toEqual({})
        expect(state, what).toEqual(Object.fromEntries(left.map((name) => [name, first[name]])))
        if (others !== undefined) expect(await others(), `what is kept elsewhere, ${what}`).toEqual(aside)
      })
    }
    const listing = async (left: readonly string[], what: string): Promise<void> => {
      const found = await shelf.listed(names)
      if (found === undefined || listed === undefined) return
      await bench.decide(listed, () => expect(found, what).toEqual(inEach(found, left)))
    }

    await othersStay(read, [], 'after all were written')
    const more = Array.from(
      { length: collection.more ?? (collection.operations.list === undefined ? 0 : 110) },
      (_, index) => `${names[0]}${index}`,
    )
    for (const name of more) await shelf.write(name, bodies[0]!)
    await listing(names, `of ${names.length + more.length} at least`)
    const found = more.length === 0 ? undefined : await shelf.listed(more)
    if (listed !== undefined && found !== undefined)
      await bench.decide(listed, () => expect(found, 'all that were made besides').toEqual(inEach(found, more)))
    if (more.length > 0) await othersStay(read, [], `beside ${more.length} more`)
    for (const name of more) await shelf.remove(name)

    for (const [name, body] of [
      [names[1]!, bodies[0]!],
      [names[0]!, bodies[1]!],
      [names[0]!, bodies[0]!],
    ] as const) {
      await shelf.write(name, body)
      first[name] = (await shelf.shown([name]))[name]
      await othersStay(read, [], 'after one was written again')
    }

    const gone: string[] = []
    for (const name of [names[0]!, names[3]!, names[2]!]) {
      await shelf.remove(name)
      gone.push(name)
      await bench.decide(deleted, async () => {
        expect(await shelf.shown([name]), 'what was deleted').toEqual({ [name]: 404 })
        expect(ABSENT_DELETED, 'status of a second deletion').toContain(await shelf.removeAgain(name))
      })
      await othersStay(deleted, gone, `after ${gone.length} of ${names.length} were deleted`)
      await listing(
        names.filter((left) => !gone.includes(left)),
        'after a deletion',
      )
    }

    const again = bodies[2]!
    const [before, after] = [bench.fresh('n'), bench.fresh('n')]
    for (const name of [before, names[0]!, after]) await shelf.write(name, again)
    const [earlier, made, later] = [await shelf.shared(before), await shelf.shared(names[0]!), await shelf.shared(after)]
    const both = alikeIn(earlier, later)
    await bench.decide(deleted, () => expect(both(made), 'made again, it has what a new one has').toEqual(both(later)))
  }
