/** Random programs of tokens: encoded, asked about, their transformations and roles changed, deleted and made again; the whole is compared then. */
import { type Answer, type Bench, type CheckContext, commandsOf, type Expect, fc, model } from '../../../harness/checks/index.ts'
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
} from '../access-model.ts'
import { asking, newText, pairsOf } from './fixtures.ts'

/** Clauses about a role that its own list, or the transformation, does not let use the operation. */
const SIDES = {
  encode: ['TRANSFORM-ACCESS-01', 'TRANSFORM-ACCESS-02'],
  decode: ['TRANSFORM-ACCESS-03', 'TRANSFORM-ACCESS-04'],
  validate: ['TRANSFORM-ACCESS-14', 'TRANSFORM-ACCESS-15'],
  tokenized: ['TRANSFORM-ACCESS-16', 'TRANSFORM-ACCESS-17'],
  metadata: ['TRANSFORM-ACCESS-18', 'TRANSFORM-ACCESS-19'],
} as const

const PAIRS = ['', 'of=one', 'of=two,and=more']

interface Kept {
  value: number
  transformation: number
  /** Which of the transformations that had the name. */
  made: number
  metadata: string
  /** Seconds; 0 for ever. */
  ttl: number
}

interface State extends Access {
  kept: Kept[]
}

interface World extends Names {
  values: string[]
  /** What was seen for each token of the state, in its order; milliseconds since the epoch between which it was made. */
  tokens: { token: string; from: number; to: number }[]
}

type Operation = keyof typeof SIDES
type Question = Exclude<Operation, 'encode'>

const on = commandsOf<State, World>()

const isCurrent = (state: State, { transformation, made }: Kept): boolean =>
  state.allowed[transformation] !== undefined && state.made[transformation] === made

const send = (bench: Bench, world: World, role: number, transformation: number, operation: Operation, text: string): Promise<Answer> =>
  asking(bench, world.roles[role]!, world.transformations[transformation]!)[operation](text)

/** Whether a value counts as tokenized by a transformation; undefined where only a deleted one of the same name had it. */
const isTokenized = (state: State, transformation: number, value: number): boolean | undefined => {
  const known = state.kept.filter((kept) => kept.transformation === transformation && kept.value === value)
  if (known.some((kept) => isCurrent(state, kept))) return true
  return known.length > 0 ? undefined : false
}

/** What is answered about a token by its own transformation. Where equal values have one token, its metadata and its end are those of any of them. */
const ownAnswer = async (
  { bench, expect }: Pick<CheckContext, 'bench' | 'expect'>,
  state: State,
  world: World,
  index: number,
  question: Question,
  answer: Answer,
): Promise<void> => {
  const { token, from, to } = world.tokens[index]!
  const kept = state.kept[index]!
  const equal = state.kept.filter((_one, other) => world.tokens[other]!.token === token)
  if (question === 'decode')
    await bench.decide('TRANSFORM-TOKEN-01', () =>
      expect(answer.data.decoded_value === world.values[kept.value], 'the value came back').toBe(true),
    )
  if (question === 'validate') await bench.decide('TRANSFORM-VALIDATE-01', () => expect(answer.data.valid, 'valid').toBe(true))
  if (question !== 'metadata') return
  // What is shown of a token without metadata is not said, but never what others carry.
  const shown = pairsOf(answer.data.metadata).filter((pair) => PAIRS.flatMap(pairsOf).includes(pair))
  await bench.decide('TRANSFORM-METADATA-03', () => {
    expect(
      equal.map(({ metadata }) => pairsOf(metadata)),
      'metadata of the token',
    ).toContainEqual(shown)
  })
  if (kept.ttl === 0 || equal.length > 1) return
  const end = Date.parse(String(answer.data.expiration_time)) - bench.clockSkew * 1_000
  await bench.decide('TRANSFORM-METADATA-02', () => {
    expect(end, 'the end of the token, not before').toBeGreaterThanOrEqual(from + kept.ttl * 1_000 - bench.grace)
    expect(end, 'the end of the token, not after').toBeLessThanOrEqual(to + kept.ttl * 1_000 + bench.grace)
  })
}

/** What is answered about a token by another transformation. */
const strangeAnswer = (bench: Bench, expect: Expect, value: string, question: Question, answer: Answer): Promise<void> => {
  const clause = {
    decode: 'TRANSFORM-TOKEN-09',
    validate: 'TRANSFORM-VALIDATE-02',
    metadata: 'TRANSFORM-TOKEN-09',
    tokenized: 'TRANSFORM-TOKENIZED-02',
  }[question]
  return bench.decide(clause, () => {
    expect(answer.status, `status of ${question}`).toBeLessThan(500)
    expect(answer.text.includes(value), 'the value').toBe(false)
    expect(answer.data.valid ?? false, 'valid').toBe(false)
    expect(
      pairsOf(answer.data.metadata).filter((pair) => PAIRS.flatMap(pairsOf).includes(pair)),
      'metadata',
    ).toEqual([])
  })
}

const tokenizedAnswer = (bench: Bench, expect: Expect, known: boolean | undefined, answer: Answer): Promise<void> =>
  bench.decide(known === true ? 'TRANSFORM-TOKENIZED-01' : 'TRANSFORM-TOKENIZED-03', () => {
    if (known !== undefined) expect(answer.data.tokenized, 'tokenized').toBe(known)
  })

model<State, World>(
  'transform/token-model',
  [
    ...new Set(Object.values(SIDES).flat()),
    'TRANSFORM-ACCESS-09',
    'TRANSFORM-ACCESS-10',
    'TRANSFORM-METADATA-02',
    'TRANSFORM-METADATA-03',
    'TRANSFORM-READ-02',
    'TRANSFORM-READ-06',
    'TRANSFORM-READ-07',
    'TRANSFORM-ROLE-03',
    'TRANSFORM-ROLE-05',
    'TRANSFORM-ROLE-08',
    'TRANSFORM-TOKEN-01',
    'TRANSFORM-TOKEN-09',
    'TRANSFORM-TOKENIZED-01',
    'TRANSFORM-TOKENIZED-03',
    'TRANSFORM-VALIDATE-01',
    'TRANSFORM-VALIDATE-02',
  ],
  'programs of tokens, their transformations and roles do what the model says',
  { runs: [3, 8] },
  {
    world: async (bench) => ({ ...newNames(bench), values: Array.from({ length: COUNT }, () => newText(bench)), tokens: [] }),
    initial: () => ({ ...noAccess(), kept: [] }),
    length: 14,
    examples: [
      [
        { command: 'writeTransformation', drawn: { transformation: 0, roles: [0, 1] } },
        { command: 'writeTransformation', drawn: { transformation: 1, roles: [1] } },
        { command: 'writeRole', drawn: { role: 0, transformations: [0] } },
        { command: 'writeRole', drawn: { role: 1, transformations: [0, 1] } },
        { command: 'encode', drawn: { role: 0, transformation: 0, value: 0, metadata: 'of=one', ttl: 3_600 } },
        { command: 'encode', drawn: { role: 1, transformation: 1, value: 0, metadata: 'of=two,and=more', ttl: 0 } },
        { command: 'encode', drawn: { role: 0, transformation: 0, value: 0, metadata: '', ttl: 0 } },
        { command: 'ask', drawn: { role: 1, which: 0, question: 'decode' } },
        { command: 'ask', drawn: { role: 1, which: 1, question: 'metadata' } },
        { command: 'deleteRole', drawn: { role: 0 } },
        { command: 'writeTransformation', drawn: { transformation: 0, roles: [1] } },
      ],
      [
        { command: 'writeTransformation', drawn: { transformation: 0, roles: [0] } },
        { command: 'writeTransformation', drawn: { transformation: 1, roles: [0] } },
        { command: 'writeRole', drawn: { role: 0, transformations: [0, 1] } },
        { command: 'encode', drawn: { role: 0, transformation: 0, value: 0, metadata: 'of=one', ttl: 7_200 } },
        { command: 'encode', drawn: { role: 0, transformation: 1, value: 0, metadata: '', ttl: 0 } },
        { command: 'encode', drawn: { role: 0, transformation: 1, value: 1, metadata: 'of=two,and=more', ttl: 3_600 } },
        { command: 'deleteTransformation', drawn: { transformation: 0 } },
        { command: 'ask', drawn: { role: 0, which: 1, question: 'tokenized' } },
        { command: 'writeTransformation', drawn: { transformation: 0, roles: [0] } },
        { command: 'encode', drawn: { role: 0, transformation: 0, value: 1, metadata: '', ttl: 0 } },
      ],
    ],
    commands: {
      ...accessCommands<State, World>((bench, _world, name, allowed_roles) =>
        bench.call('transform.writeTokenization', { path: { name }, body: { allowed_roles } }),
      ),
      encode: on({
        arguments: fc.record({
          role: one,
          transformation: one,
          value: one,
          metadata: fc.constantFrom(...PAIRS),
          ttl: fc.constantFrom(0, 3_600, 7_200),
        }),
        weight: 4,
        async run(bench, { role, transformation, value, metadata, ttl }, world) {
          const from = Date.now()
          const answer = await asking(bench, world.roles[role]!, world.transformations[transformation]!).encode(world.values[value]!, {
            ...(metadata === '' ? {} : { metadata }),
            ...(ttl === 0 ? {} : { ttl }),
          })
          const token = String(answer.data.encoded_value)
          bench.secret(token)
          if (answer.ok) world.tokens.push({ token, from, to: Date.now() })
          return { ok: answer.ok, status: answer.status }
        },
        expects: (state, { role, transformation }, seen, expect) => judged(expect, seen, may(state, role, transformation), 'encoding'),
        next: (state, { transformation, value, metadata, ttl }, seen) =>
          seen?.ok === true
            ? { ...state, kept: [...state.kept, { value, transformation, made: state.made[transformation] ?? 0, metadata, ttl }] }
            : state,
        clause: (state, { role, transformation }) => sideOf(state, role, transformation, SIDES.encode),
      }),
      // Only whether it is answered: what is answered is compared once the program is over.
      ask: on({
        arguments: fc.record({
          role: one,
          which: fc.nat(5),
          question: fc.constantFrom<Question>('decode', 'validate', 'tokenized', 'metadata'),
        }),
        weight: 3,
        resolve: ({ kept }, drawn) => (kept.length === 0 ? undefined : { ...drawn, which: drawn.which % kept.length }),
        async run(bench, { role, which, question }, world) {
          const text = question === 'tokenized' ? world.values[0]! : world.tokens[which]!.token
          const seen: { ok: boolean; status: number }[] = []
          for (const transformation of world.transformations.keys()) {
            const { ok, status } = await send(bench, world, role, transformation, question, text)
            seen.push({ ok, status })
          }
          return seen
        },
        expects(state, { role, which, question }, seen, expect) {
          for (const [transformation, answer] of seen.entries()) {
            const own = state.kept[which]!.transformation === transformation && isCurrent(state, state.kept[which]!)
            if (!may(state, role, transformation)) judged(expect, answer, false, question)
            else if (own || question === 'tokenized') judged(expect, answer, true, question)
          }
        },
        next: (state) => state,
        clause: (state, { role, which, question }) => sideOf(state, role, state.kept[which]!.transformation, SIDES[question]),
      }),
    },
    async invariants({ bench, expect }, state, world) {
      await accessAgrees({ bench, expect }, state, world)
      for (const role of world.roles.keys())
        for (const transformation of world.transformations.keys()) {
          const allowed = may(state, role, transformation)
          const refused = (question: Question, answer: Answer) =>
            bench.decide(sideOf(state, role, transformation, SIDES[question]), () => judged(expect, answer, false, question))
          for (const [value, text] of world.values.entries()) {
            const answer = await send(bench, world, role, transformation, 'tokenized', text)
            if (allowed) await tokenizedAnswer(bench, expect, isTokenized(state, transformation, value), answer)
            else await refused('tokenized', answer)
          }
          // Where nothing is answered, one token is like another.
          for (const [index, kept] of state.kept.slice(0, allowed ? undefined : 1).entries())
            for (const question of ['decode', 'validate', 'metadata'] as const) {
              const answer = await send(bench, world, role, transformation, question, world.tokens[index]!.token)
              if (!allowed) await refused(question, answer)
              else if (kept.transformation !== transformation)
                await strangeAnswer(bench, expect, world.values[kept.value]!, question, answer)
              else if (isCurrent(state, kept)) await ownAnswer({ bench, expect }, state, world, index, question, answer)
            }
        }
    },
  },
)
