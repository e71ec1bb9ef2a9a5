/** Writing and reading entries of both versions. */
import { type Answer, type Bench, type Expect, type Json, type JsonObject, textsIn } from '../../harness/checks/index.ts'
import { exactJson, storedIn1, storedIn2 } from './exact.ts'

/** An engine version as checks that hold for both see it. */
export interface Version {
  read: string
  write: string
  list: string
  /** Request body that stores an object. */
  body(value: JsonObject): JsonObject
  /** Request bodies that put the object instead of a first one: as it is, and on the condition that the first one is there. */
  changes(value: JsonObject): JsonObject[]
  /** JSON text of a request body that stores the object with this text. */
  text(value: string): string
}

export const VERSION_1: Version = {
  read: 'kv1.read',
  write: 'kv1.write',
  list: 'kv1.list',
  body: (value) => value,
  changes: (value) => [value],
  text: (value) => value,
}
export const VERSION_2: Version = {
  read: 'kv2.read',
  write: 'kv2.write',
  list: 'kv2.list',
  body: (data) => ({ data }),
  changes: (data): JsonObject[] => [{ data }, { data, options: { cas: 1 } }],
  text: (value) => `{"data":${value}}`,
}

/** The objects that an answer of `version.read` may mean, numbers with every digit. */
export const meantBy = (version: Version, answer: Answer): Json[] => {
  if (version.read === 'kv1.read') return storedIn1(answer)
  const stored = storedIn2(answer)
  return stored === undefined ? [] : [stored]
}

/** Asserts that a key holds exactly the object with this JSON text. */
export const expectStored = async (bench: Bench, expect: Expect, version: Version, path: string, text: string): Promise<void> => {
  const answer = await bench.call(version.read, { path: { path } })
  expect(answer, 'a read of the stored object').toHaveStatus(200)
  expect(meantBy(version, answer), `the stored object ${text.slice(0, 200)}`).toContainEqual(exactJson(text))
}

/** Stores an object; blocks where that fails. */
export const store = (bench: Bench, version: Version, path: string, value: JsonObject): Promise<Answer> =>
  bench.given(version.write, { path: { path }, body: version.body(value) })

/** What a read of version 2 shows now: the stored object, or nothing. */
export const shownBy = async (bench: Bench, path: string): Promise<Json> =>
  (await bench.call('kv2.read', { path: { path } })).data.data ?? 'nothing'

/** Stores an object in version 2 and returns the number of its version, which the answer may tell. */
export const storeVersion = async (bench: Bench, path: string, value: JsonObject, expected: number): Promise<number> => {
  const { data } = await store(bench, VERSION_2, path, value)
  return typeof data.version === 'number' ? data.version : expected
}

/** Sends a version route with the dialect's body; blocks where the target does not take it. */
export const onVersions = (bench: Bench, route: 'delete' | 'undelete' | 'destroy', path: string, versions: number[]): Promise<Answer> =>
  bench.given(`kv2.${route}Versions`, { path: { path }, body: { versions } })

/** A key within a directory: a right on the directory alone is none on the key. */
export const pathWithin = (bench: Bench): string => `${bench.fresh('within')}/${bench.mixedName('key')}`

/** Names in a listing. */
export const namesIn = (answer: Answer): string[] => textsIn(answer.data.keys)

/** Signs that stand for any letter, or for any text, in patterns of one kind or another. */
const WILD = ['_', '.', '-', '~', '*', '%', '?', '+']

/** Names that nobody has given, each a pattern that fits a key which is there, and those beside it. */
export const patternsOf = async (bench: Bench, version: Version): Promise<string[]> => {
  const directory = bench.fresh('patterns')
  for (const name of ['oneXtwo', 'one', 'two']) await store(bench, version, `${directory}/${name}`, { value: name })
  const names = WILD.flatMap((sign) => [`one${sign}two`, `on${sign}`, `${sign}wo`])
  // What a key that ends in a period names is not said.
  return names.filter((name) => !name.endsWith('.')).map((name) => `${directory}/${name}`)
}

/** Asserts that names of which no key was written show none: a name that a target would not take as one may be refused as such. */
export const expectNone = async (bench: Bench, expect: Expect, version: Version, paths: readonly string[]): Promise<void> => {
  for (const path of paths) {
    const answer = await bench.call(version.read, { path: { path } })
    if (/[*%?+~]/.test(path)) expect(answer, path).toHaveStatus(404, 400)
    else expect(answer, path).toHaveStatus(404)
  }
}
