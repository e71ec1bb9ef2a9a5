/** What the contract says of writes and reads in any order, for one key or a few. */
import { type Answer, type Bench, commandsOf, fc, type Json } from '../../harness/checks/index.ts'
import { meantBy, type Version } from './entries.ts'
import { exactJson } from './exact.ts'

/** JSON text of the object that each key holds. */
export type Stored = Record<number, string>
export interface World {
  keys: string[]
}

type Input = { key: number; value: Json }

const KEYS = 3
const on = commandsOf<Stored, World>()

const objectOf = (value: Json): string => JSON.stringify({ [`member-${typeof value}`]: value })
const isRight = (version: Version, seen: Answer, text: string): boolean =>
  meantBy(version, seen).some((object) => JSON.stringify(object) === JSON.stringify(exactJson(text)))

/** Keys of one program: a key, one below it, and one beside it. */
export const worldOf = async (bench: Bench): Promise<World> => {
  const base = bench.fresh('key')
  return { keys: [base, `${base}/below`, `${base}x`] }
}

/** Commands that write and read one version's entries. */
export const commandsFor = (version: Version) => ({
  write: on<Input, Answer>({
    arguments: fc.record({ key: fc.nat(KEYS - 1), value: fc.oneof(fc.nat(), fc.boolean(), fc.constant(null), fc.string()) }),
    run: (bench, { key, value }, { keys }) =>
      bench.call(version.write, { path: { path: keys[key]! }, rawBody: version.text(objectOf(value)) }),
    expects: (_stored, _input, seen, expect) => expect(seen, 'a write').toSucceed(),
    next: (stored, { key, value }) => ({ ...stored, [key]: objectOf(value) }),
  }),
  read: on<{ key: number }, Answer>({
    arguments: fc.record({ key: fc.nat(KEYS - 1) }),
    run: (bench, { key }, { keys }) => bench.call(version.read, { path: { path: keys[key]! } }),
    expects(stored, { key }, seen, expect) {
      const text = stored[key]
      if (text === undefined) expect(seen, 'a read of a key that was not written').toHaveStatus(404)
      else expect(isRight(version, seen, text), `the read shows ${text}`).toBe(true)
    },
    next: (stored) => stored,
  }),
})
