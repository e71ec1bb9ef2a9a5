/** A model of keys in directories: writes replace, reads show the latest write, listings show what is there. */
import { type Answer, commandsOf, type Expect, fc, type Json, type JsonObject, type Model } from '../../../harness/checks/index.ts'
import { exactJson } from '../exact.ts'
import { meantBy, namesIn, type Version } from '../fixtures.ts'

/** Stored objects by path below the program's own directory, and how often each was written. */
interface State {
  stored: Record<string, JsonObject>
  writes: Record<string, number>
}

interface World {
  root: string
}

/** Clauses that the model's steps decide. */
export interface DirectoryClauses {
  read: string
  replaced: string
  absent: string
  listed: string
  strangers: string
  empty: string
}

// Keys that differ only in case are advised to differ: none here.
const PATHS = ['a', 'b', 'ab', 'd/a', 'd/e/a']
const DIRECTORIES = ['', 'd/', 'd/e/', 'e/']

const path = fc.oneof({ arbitrary: fc.constant('a'), weight: 2 }, { arbitrary: fc.constantFrom(...PATHS), weight: 3 })
const directory = fc.constantFrom(...DIRECTORIES)
const members = fc.constantFrom('x', 'y', 'data')
const value = fc.dictionary(members, fc.oneof(fc.nat(9), fc.constantFrom('text', null)), { minKeys: 1 })

const below = (state: State, within: string): string[] => [
  ...new Set(
    Object.keys(state.stored)
      .filter((stored) => stored.startsWith(within))
      .map((stored) => stored.slice(within.length).replace(/\/.*$/, '/')),
  ),
]

// Whether a directory carries its slash in a listing is advised, so names are compared without it.
const bare = (names: string[]): string[] => names.map((name) => name.replace(/\/$/, ''))

const expectShown = (version: Version, expect: Expect, seen: Answer, stored: Json): void => {
  expect(seen, 'a read of a stored object').toHaveStatus(200)
  expect(meantBy(version, seen), 'the stored object').toContainEqual(exactJson(JSON.stringify(stored)))
}

/** The model of one engine version. */
export const directories = (version: Version, clauses: DirectoryClauses): Model<State, World> => {
  const on = commandsOf<State, World>()
  const decided = ({ writes }: State, input: string): string => {
    const count = writes[input] ?? 0
    return count === 0 ? clauses.absent : count > 1 ? clauses.replaced : clauses.read
  }
  const read = on({
    arguments: path,
    weight: 3,
    run: (bench, input, { root }) => bench.call(version.read, { path: { path: `${root}/${input}` } }),
    expects(state, input, seen, expect) {
      const stored = state.stored[input]
      if (stored === undefined) expect(seen, 'a read of a key that was never written').toHaveStatus(404)
      else expectShown(version, expect, seen, stored)
    },
    next: (state) => state,
    clause: decided,
  })
  const list = (clause: string, expects: (seen: Answer, here: string[], expect: Expect, keys: string[]) => void) =>
    on({
      arguments: directory,
      run: (bench, input, { root }) => bench.call(version.list, { path: { directory: `${root}/${input}` } }),
      expects(state, input, seen, expect) {
        const here = below(state, input)
        if (here.length === 0) expect(seen, 'a listing of a directory in which nothing was written').toHaveStatus(404)
        // That a directory is named is advised.
        const keys = here.filter((name) => Object.hasOwn(state.stored, `${input}${name}`))
        if (here.length > 0) expects(seen, bare(here), expect, keys)
      },
      next: (state) => state,
      clause: (state, input) => (below(state, input).length === 0 ? clauses.empty : clause),
    })
  return {
    world: async (bench) => ({ root: bench.fresh('dir') }),
    initial: () => ({ stored: {}, writes: {} }),
    commands: {
      write: on({
        arguments: fc.record({ path, value }),
        weight: 4,
        run: (bench, input, { root }) =>
          bench.given(version.write, { path: { path: `${root}/${input.path}` }, body: version.body(input.value) }),
        expects: () => undefined,
        next: (state, input) => ({
          stored: { ...state.stored, [input.path]: input.value },
          writes: { ...state.writes, [input.path]: (state.writes[input.path] ?? 0) + 1 },
        }),
      }),
      read,
      list: list(clauses.listed, (seen, _here, expect, keys) => {
        if (keys.length > 0) expect(seen, 'a listing of a directory with keys').toHaveStatus(200)
        for (const name of keys) expect(bare(namesIn(seen)), 'names in the listing').toContain(name)
      }),
      strangers: list(clauses.strangers, (seen, here, expect) => {
        const strangers = bare(namesIn(seen)).filter((name) => !here.includes(name))
        expect(strangers, 'names of other directories').toEqual([])
      }),
    },
    // A write must not touch another key: every key is read once more.
    async invariants({ bench, expect }, state, { root }) {
      for (const [stored, object] of Object.entries(state.stored)) {
        const seen = await bench.call(version.read, { path: { path: `${root}/${stored}` } })
        await bench.decide(decided(state, stored), () => expectShown(version, expect, seen, object))
      }
    },
  }
}
