/** Keys whose names are near one another, in a directory of a check's own, and what is left of them read back whole. */
import type { Bench, Caller, Expect, JsonObject } from '../../../harness/checks/index.ts'
import { exactJson } from '../exact.ts'
import { meantBy, namesIn, store, type Version } from '../fixtures.ts'

/** Keys by path below the root, as the writes left them. */
export interface Tree {
  root: string
  stored: Map<string, JsonObject>
  /** Keys whose write was refused: nothing of them may be there. */
  refused: string[]
  /** Keys that were deleted in a way of which the documents do not say what it does: not judged. */
  unsaid: Set<string>
}

/** Clauses that reading everything back decides. */
export interface TreeClauses {
  read: string
  listed: string
}

const MANY = 64

// Prefixes of one another, the same name in several directories, eight segments.
const PLAIN = ['ab', 'abc', 'a.b', 'abd/a', 'abd/ab', 'b/abd/a', 'deep/2/3/4/5/6/7/8', 'lead', 'trail', 'p_q']

const WITH_MARK = 'cafe\u0301'
// A server may refuse these names, but not keep an object under another one.
const UNUSUAL = [
  'a',
  'a/b',
  'a/b/c',
  ' lead',
  'trail ',
  'p+q',
  'p q',
  'p%20q',
  '50%',
  WITH_MARK,
  WITH_MARK.normalize('NFC'),
  'straße',
  '鍵',
]

/** Stores an object of its own under each name; ordinary names block the check where that fails, unusual ones may be refused. */
export const plant = async (bench: Bench, version: Version): Promise<Tree> => {
  const tree: Tree = { root: bench.fresh('tree'), stored: new Map(), refused: [], unsaid: new Set() }
  const many = Array.from({ length: MANY }, (_, index) => `many/${index}`)
  for (const name of [...PLAIN, ...many]) {
    tree.stored.set(name, { value: name })
    await store(bench, version, `${tree.root}/${name}`, { value: name })
  }
  for (const name of UNUSUAL) {
    const answer = await bench.call(version.write, { path: { path: `${tree.root}/${name}` }, body: version.body({ value: name }) })
    if (answer.ok) tree.stored.set(name, { value: name })
    else tree.refused.push(name)
  }
  return tree
}

const below = (names: Iterable<string>, directory: string): Set<string> =>
  new Set([...names].filter((name) => name.startsWith(directory)).map((name) => name.slice(directory.length).replace(/\/.*$/, '')))

const directoriesOf = (names: Iterable<string>): Set<string> =>
  new Set([...names].flatMap((name) => [...`/${name}`.matchAll(/\//g)].map(({ index }) => name.slice(0, index))))

const readAll = async (bench: Bench, expect: Expect, version: Version, tree: Tree, by: { as?: Caller; carrier?: string }) => {
  // One of the many stands for all: the listing has to name each.
  const names = [...tree.stored].filter(([name]) => !name.startsWith('many/') || name === `many/${MANY - 1}`)
  for (const [name, object] of names) {
    const answer = await bench.call(version.read, { path: { path: `${tree.root}/${name}` }, ...by })
    expect(meantBy(version, answer), `the object stored as ${JSON.stringify(name)}`).toContainEqual(exactJson(JSON.stringify(object)))
  }
  for (const name of tree.refused) {
    const answer = await bench.call(version.read, { path: { path: `${tree.root}/${name}` }, ...by })
    expect(meantBy(version, answer), `a read of ${JSON.stringify(name)}, which was refused`).not.toContainEqual({ value: name })
  }
}

const listAll = async (
  bench: Bench,
  expect: Expect,
  version: Version,
  tree: Tree,
  clause: string,
  by: { as?: Caller; carrier?: string },
) => {
  for (const directory of directoriesOf(tree.stored.keys())) {
    const here = below(tree.stored.keys(), directory)
    const unsaid = below(tree.unsaid, directory)
    for (const method of ['LIST', 'GET']) {
      const answer = await bench.call(version.list, { path: { directory: `${tree.root}/${directory}` }, method, ...by })
      // That a directory is named, and carries its slash, is advised.
      const seen = new Set(namesIn(answer).map((name) => name.replace(/\/$/, '')))
      const [keys, directories] = [true, false].map((isKey) => [...here].filter((name) => tree.stored.has(`${directory}${name}`) === isKey))
      await bench.decide(clause, () => {
        expect(
          [...seen].filter((name) => !here.has(name) && !unsaid.has(name)),
          `names that ${method} shows in ${JSON.stringify(directory)} of what is not there`,
        ).toEqual([])
        expect(
          keys!.filter((name) => !namesIn(answer).includes(name)),
          `keys that ${method} leaves out of ${JSON.stringify(directory)}`,
        ).toEqual([])
      })
      await bench.decide('KV-LIST-03', () =>
        expect(
          directories!.filter((name) => !seen.has(name)),
          `directories that ${method} leaves out of ${JSON.stringify(directory)}`,
        ).toEqual([]),
      )
    }
  }
}

/**
 * Reads every key and lists every directory by both verbs, as this caller with this carrier, and compares them whole with the tree. KV-LIST-03 decides
 * whether directories are named.
 */
export const expectTree = async (
  bench: Bench,
  expect: Expect,
  version: Version,
  tree: Tree,
  clauses: TreeClauses,
  by: { as?: Caller; carrier?: string } = {},
): Promise<void> => {
  await bench.decide(clauses.read, () => readAll(bench, expect, version, tree, by))
  await listAll(bench, expect, version, tree, clauses.listed, by)
}
