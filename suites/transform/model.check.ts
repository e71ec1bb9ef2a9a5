/** Random programs of definitions, roles, encodings and decodings; afterwards the whole state is read back and compared. */
import { type Bench, commandsOf, type Expect, fc, type Json, model } from '../../harness/checks/index.ts'
import { newTemplate, newTweak, newValue, using, WORDS } from './fixtures.ts'

const COUNT = 2

interface State {
  /** Roles that each transformation allows, by its number; absent where there is none. */
  allowed: Record<string, number[]>
  /** Transformations that each role names. */
  listed: Record<string, number[]>
  /** What was encoded: value and transformation, which has to be the same one still. */
  encoded: { value: number; transformation: number; made: number }[]
  /** How often each transformation was made. */
  made: Record<string, number>
}

interface World {
  template: string
  tweak: string
  transformations: string[]
  roles: string[]
  values: string[]
  /** What was seen for each encoding of the state, in its order. */
  results: string[]
}

const on = commandsOf<State, World>()
const one = fc.nat(COUNT - 1)
const some = fc.uniqueArray(one, { maxLength: COUNT })
const pair = fc.record({ role: one, transformation: one })

const names = (all: string[], numbers: number[]): string[] => numbers.map((number) => all[number]!)
const without = <T>(all: Record<string, T>, key: number): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => name !== String(key)))

const may = (state: State, role: number, transformation: number): boolean =>
  (state.listed[role]?.includes(transformation) ?? false) && (state.allowed[transformation]?.includes(role) ?? false)

const write = (bench: Bench, world: World, transformation: number, roles: number[]) =>
  bench.call('transform.writeFpe', {
    path: { name: world.transformations[transformation]! },
    body: { template: world.template, allowed_roles: names(world.roles, roles) },
  })

const judged = (expect: Expect, answer: { ok: boolean; status: number }, allowed: boolean, what: string): void => {
  if (allowed) expect(answer.ok, `${what} where both sides allow it`).toBe(true)
  else expect(answer.ok || answer.status >= 500, `${what} where a side does not allow it`).toBe(false)
}

const listedNames = async (bench: Bench, operation: string, own: string[]): Promise<Json[]> => {
  const { data } = await bench.call(operation)
  return (Array.isArray(data.keys) ? data.keys : []).filter((key) => own.includes(String(key))).sort()
}

model<State, World>(
  'transform/model',
  [
    'TF-ACCESS-01',
    'TF-ACCESS-02',
    'TF-ACCESS-03',
    'TF-ACCESS-04',
    'TF-ACCESS-09',
    'TF-ACCESS-10',
    'TF-FORMAT-04',
    'TF-READ-02',
    'TF-READ-06',
    'TF-READ-07',
    'TF-ROLE-03',
    'TF-ROLE-05',
    'TF-ROLE-08',
  ],
  'programs of definitions, roles, encodings and decodings do what the model says',
  { runs: [4, 12, 60] },
  {
    world: async (bench) => ({
      template: await newTemplate(bench, WORDS),
      tweak: newTweak(bench),
      transformations: Array.from({ length: COUNT }, () => bench.fresh('model')),
      roles: Array.from({ length: COUNT }, () => bench.fresh('role')),
      values: Array.from({ length: COUNT }, () => newValue(bench, WORDS, 32)),
      results: [],
    }),
    initial: () => ({ allowed: {}, listed: {}, encoded: [], made: {} }),
    length: 14,
    examples: [
      [
        { command: 'writeTransformation', drawn: { transformation: 0, roles: [0, 1] } },
        { command: 'writeTransformation', drawn: { transformation: 1, roles: [1] } },
        { command: 'writeRole', drawn: { role: 0, transformations: [0, 1] } },
        { command: 'writeRole', drawn: { role: 1, transformations: [1] } },
        { command: 'encode', drawn: { role: 0, transformation: 0, value: 0 } },
        { command: 'encode', drawn: { role: 0, transformation: 1, value: 0 } },
        { command: 'encode', drawn: { role: 1, transformation: 1, value: 1 } },
        { command: 'writeTransformation', drawn: { transformation: 0, roles: [1] } },
        { command: 'encode', drawn: { role: 0, transformation: 0, value: 1 } },
        { command: 'deleteRole', drawn: { role: 1 } },
        { command: 'writeTransformation', drawn: { transformation: 0, roles: [0] } },
        { command: 'decode', drawn: { role: 0, transformation: 0 } },
        { command: 'decode', drawn: { role: 1, transformation: 1 } },
      ],
    ],
    commands: {
      writeTransformation: on({
        arguments: fc.record({ transformation: one, roles: some }),
        weight: 2,
        run: (bench, { transformation, roles }, world) => write(bench, world, transformation, roles),
        expects: (_state, _input, seen, expect) => expect(seen, 'a write of a transformation').toSucceed(),
        next: (state, { transformation, roles }) => ({
          ...state,
          allowed: { ...state.allowed, [transformation]: roles },
          made: {
            ...state.made,
            [transformation]: (state.made[transformation] ?? 0) + (state.allowed[transformation] === undefined ? 1 : 0),
          },
        }),
        clause: 'TF-ACCESS-10',
      }),
      writeRole: on({
        arguments: fc.record({ role: one, transformations: some }),
        weight: 2,
        run: (bench, { role, transformations }, world) =>
          bench.call('transform.writeRole', {
            path: { name: world.roles[role]! },
            body: { transformations: names(world.transformations, transformations) },
          }),
        expects: (_state, _input, seen, expect) => expect(seen, 'a write of a role').toSucceed(),
        next: (state, { role, transformations }) => ({ ...state, listed: { ...state.listed, [role]: transformations } }),
        clause: 'TF-ACCESS-09',
      }),
      deleteTransformation: on({
        arguments: fc.record({ transformation: one }),
        run: (bench, { transformation }, world) =>
          bench.call('transform.deleteTransformation', { path: { name: world.transformations[transformation]! } }),
        expects: (state, { transformation }, seen, expect) =>
          expect(seen.ok || state.allowed[transformation] === undefined, 'the deletion').toBe(true),
        next: (state, { transformation }) => ({ ...state, allowed: without(state.allowed, transformation) }),
        clause: 'TF-READ-07',
      }),
      deleteRole: on({
        arguments: fc.record({ role: one }),
        run: (bench, { role }, world) => bench.call('transform.deleteRole', { path: { name: world.roles[role]! } }),
        expects: (state, { role }, seen, expect) => expect(seen.ok || state.listed[role] === undefined, 'the deletion').toBe(true),
        next: (state, { role }) => ({ ...state, listed: without(state.listed, role) }),
        clause: 'TF-ROLE-08',
      }),
      encode: on({
        arguments: fc.record({ role: one, transformation: one, value: one }),
        weight: 3,
        async run(bench, { role, transformation, value }, world) {
          const answer = await using(bench, world.roles[role]!, world.transformations[transformation]!, world.tweak).encode(
            world.values[value]!,
          )
          if (answer.ok) world.results.push(String(answer.data.encoded_value))
          return { ok: answer.ok, status: answer.status }
        },
        expects: (state, { role, transformation }, seen, expect) => judged(expect, seen, may(state, role, transformation), 'encoding'),
        next: (state, { transformation, value }, seen) =>
          seen?.ok === true
            ? { ...state, encoded: [...state.encoded, { value, transformation, made: state.made[transformation] ?? 0 }] }
            : state,
        clause: (state, { role, transformation }) => (state.allowed[transformation]?.includes(role) ? 'TF-ACCESS-01' : 'TF-ACCESS-02'),
      }),
      decode: on({
        arguments: pair,
        run: async (bench, { role, transformation }, world) => {
          const answer = await using(bench, world.roles[role]!, world.transformations[transformation]!, world.tweak).decode(
            world.values[0]!,
          )
          return { ok: answer.ok, status: answer.status }
        },
        expects: (state, { role, transformation }, seen, expect) => judged(expect, seen, may(state, role, transformation), 'decoding'),
        next: (state) => state,
        clause: (state, { role, transformation }) => (state.allowed[transformation]?.includes(role) ? 'TF-ACCESS-03' : 'TF-ACCESS-04'),
      }),
    },
    async invariants({ bench, expect }, state, world) {
      for (const [index, name] of world.transformations.entries()) {
        const read = await bench.call('transform.readTransformation', { path: { name } })
        const roles = state.allowed[index]
        await bench.decide('TF-READ-02', () => {
          if (roles === undefined) expect(read).toHaveStatus(404)
          else expect(read.data.allowed_roles).toEqual(names(world.roles, roles))
        })
      }
      for (const [index, name] of world.roles.entries()) {
        const read = await bench.call('transform.readRole', { path: { name } })
        const listed = state.listed[index]
        await bench.decide('TF-ROLE-03', () => {
          if (listed === undefined) expect(read).toHaveStatus(404)
          else expect(read.data.transformations).toEqual(names(world.transformations, listed))
        })
      }
      const there = (all: string[], known: Record<string, unknown>): string[] =>
        all.filter((_name, index) => known[index] !== undefined).sort()
      const [transformations, roles] = [
        await listedNames(bench, 'transform.listTransformations', world.transformations),
        await listedNames(bench, 'transform.listRoles', world.roles),
      ]
      await bench.decide('TF-READ-06', () => expect(transformations).toEqual(there(world.transformations, state.allowed)))
      await bench.decide('TF-ROLE-05', () => expect(roles).toEqual(there(world.roles, state.listed)))
      // Everything that was encoded comes back, by every role that may, as long as its transformation is the same one.
      for (const [index, { value, transformation, made }] of state.encoded.entries()) {
        if (state.allowed[transformation] === undefined || state.made[transformation] !== made) continue
        for (const [role, name] of world.roles.entries()) {
          const answer = await using(bench, name, world.transformations[transformation]!, world.tweak).decode(world.results[index]!)
          if (!may(state, role, transformation)) await bench.decide('TF-ACCESS-04', () => judged(expect, answer, false, 'decoding'))
          else
            await bench.decide('TF-FORMAT-04', () =>
              expect(answer.data.decoded_value === world.values[value], 'the value came back').toBe(true),
            )
        }
      }
    },
  },
)
