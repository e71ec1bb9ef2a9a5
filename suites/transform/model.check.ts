/** Random programs of definitions, roles, encodings and decodings; afterwards the whole state is read back and compared. */
import { commandsOf, fc, model } from '../../harness/checks/index.ts'
import {
  type Access,
  accessAgrees,
  accessCommands,
  COUNT,
  judged,
  may,
  type Names,
  newNames,
  noAccess,
  one,
  sideOf,
} from './access-model.ts'
import { newTemplate, newTweak, newValue, using, WORDS } from './fixtures.ts'

interface State extends Access {
  /** What was encoded: value and transformation, which has to be the same one still. */
  encoded: { value: number; transformation: number; made: number }[]
}

interface World extends Names {
  template: string
  tweak: string
  values: string[]
  /** What was seen for each encoding of the state, in its order. */
  results: string[]
}

const on = commandsOf<State, World>()
const pair = fc.record({ role: one, transformation: one })

model<State, World>(
  'transform/model',
  [
    'TRANSFORM-ACCESS-01',
    'TRANSFORM-ACCESS-02',
    'TRANSFORM-ACCESS-03',
    'TRANSFORM-ACCESS-04',
    'TRANSFORM-ACCESS-09',
    'TRANSFORM-ACCESS-10',
    'TRANSFORM-FORMAT-04',
    'TRANSFORM-READ-02',
    'TRANSFORM-READ-06',
    'TRANSFORM-READ-07',
    'TRANSFORM-ROLE-03',
    'TRANSFORM-ROLE-05',
    'TRANSFORM-ROLE-08',
  ],
  'programs of definitions, roles, encodings and decodings do what the model says',
  { runs: [4, 12] },
  {
    world: async (bench) => ({
      ...newNames(bench),
      template: await newTemplate(bench, WORDS),
      tweak: newTweak(bench),
      values: Array.from({ length: COUNT }, () => newValue(bench, WORDS, 32)),
      results: [],
    }),
    initial: () => ({ ...noAccess(), encoded: [] }),
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
      ...accessCommands<State, World>((bench, { template }, name, allowed_roles) =>
        bench.call('transform.writeFpe', { path: { name }, body: { template, allowed_roles } }),
      ),
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
        clause: (state, { role, transformation }) => sideOf(state, role, transformation, ['TRANSFORM-ACCESS-01', 'TRANSFORM-ACCESS-02']),
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
        clause: (state, { role, transformation }) => sideOf(state, role, transformation, ['TRANSFORM-ACCESS-03', 'TRANSFORM-ACCESS-04']),
      }),
    },
    async invariants({ bench, expect }, state, world) {
      await accessAgrees({ bench, expect }, state, world)
      // Everything that was encoded comes back, by every role that may, as long as its transformation is the same one.
      for (const [index, { value, transformation, made }] of state.encoded.entries()) {
        if (state.allowed[transformation] === undefined || state.made[transformation] !== made) continue
        for (const [role, name] of world.roles.entries()) {
          const answer = await using(bench, name, world.transformations[transformation]!, world.tweak).decode(world.results[index]!)
          if (!may(state, role, transformation)) await bench.decide('TRANSFORM-ACCESS-04', () => judged(expect, answer, false, 'decoding'))
          else
            await bench.decide('TRANSFORM-FORMAT-04', () =>
              expect(answer.data.decoded_value === world.values[value], 'the value came back').toBe(true),
            )
        }
      }
    },
  },
)
