import {
  commandsOf,
  fc,
  type GeneratedOptions,
  goneAfterwards,
  type Identity,
  type Model,
  model,
  neverShown,
  notSeenBy,
} from '../../harness/checks/index.ts'
import { exactJson } from './exact.ts'
import { meantBy, VERSION_1, VERSION_2, type Version } from './fixtures.ts'

/** Values by key, as the callers who may write left them. */
type State = Record<string, string>

interface World {
  keys: string[]
  values: string[]
  /** May read and nothing else. */
  reader: Identity
  /** May write and nothing else. */
  writer: Identity
  /** May do nothing here. */
  stranger: Identity
}

const KEYS = 3
const VALUES = 4
const on = commandsOf<State, World>()
const key = fc.nat(KEYS - 1)
const pathOf = (world: World, index: number) => ({ path: world.keys[index]! })

const callers = (version: Version): Model<State, World> => ({
  async world(bench) {
    const directory = bench.fresh('dir')
    const below = (operation: string, capabilities: ('read' | 'create' | 'update')[], path = `${directory}/*`) =>
      bench.identity([{ operation, path: { path }, capabilities }])
    return {
      keys: Array.from({ length: KEYS }, (_, index) => `${directory}/${index}`),
      values: Array.from({ length: VALUES }, () => bench.canary('value')),
      reader: await below(version.read, ['read']),
      writer: await below(version.write, ['create', 'update']),
      stranger: await below(version.read, ['read'], `${directory}-beside/*`),
    }
  },
  initial: () => ({}),
  length: 8,
  commands: {
    write: on({
      arguments: fc.record({ key, value: fc.nat(VALUES - 1) }),
      weight: 2,
      run: (bench, input, world) =>
        bench.call(version.write, {
          path: pathOf(world, input.key),
          body: version.body({ value: world.values[input.value]! }),
          as: world.writer,
        }),
      expects: (_state, _input, seen, expect) => expect(seen, 'a write by a caller who may').toSucceed(),
      next: (state, input, seen) => (seen === undefined ? state : { ...state, [input.key]: String(input.value) }),
      clause: 'CORE-CAP-06',
    }),
    refusedWrite: on({
      arguments: fc.record({ key, value: fc.nat(VALUES - 1) }),
      run: (bench, input, world) =>
        bench.call(version.write, {
          path: pathOf(world, input.key),
          body: version.body({ value: world.values[input.value]! }),
          as: world.reader,
        }),
      expects: (_state, _input, seen, expect) => expect(seen, 'a write by a caller who may only read').toBeRefused(),
      next: (state) => state,
      clause: 'CORE-CAP-04',
    }),
    refusedRead: on({
      arguments: fc.record({ key }),
      async run(bench, input, world) {
        // What somebody who may read it has just seen is not shown to the next one who may not.
        await bench.call(version.read, { path: pathOf(world, input.key), as: world.reader })
        return { answer: await bench.call(version.read, { path: pathOf(world, input.key), as: world.writer }), values: world.values }
      },
      expects(_state, _input, { answer, values }, expect) {
        expect(answer, 'a read by a caller who may only write').toBeRefused()
        neverShown({ expect }, [answer], values)
      },
      next: (state) => state,
      clause: 'CORE-CAP-05',
    }),
    read: on({
      arguments: fc.record({ key }),
      weight: 2,
      async run(bench, input, world) {
        const answer = await bench.call(version.read, { path: pathOf(world, input.key), as: world.reader })
        return { status: answer.status, meant: meantBy(version, answer), values: world.values }
      },
      expects(state, input, seen, expect) {
        const value = state[input.key]
        if (value === undefined) expect(seen.status, 'status of a read of a key that was never written').not.toBe(200)
        else
          expect(seen.meant, 'what a caller reads who may').toContainEqual(exactJson(JSON.stringify({ value: seen.values[Number(value)] })))
      },
      next: (state) => state,
      // Where nothing was written a read shows no right to read, but that no refused write was kept.
      clause: (state, input) => (state[input.key] === undefined ? 'CORE-CAP-04' : 'CORE-CAP-03'),
    }),
  },
  async invariants(context, state, world) {
    const reads = world.keys.map((path) => ({ operation: version.read, input: { path: { path } } }))
    const unwritten = reads.filter((_, index) => state[index] === undefined)
    await context.bench.decide('CORE-CAP-04', () => goneAfterwards(context, unwritten))
    await context.bench.decide('CORE-CAP-01', () => notSeenBy(context, { as: world.stranger }, reads))
    await context.bench.decide('CORE-CAP-02', () => notSeenBy(context, { as: world.stranger }, reads, world.values))
  },
})

const CLAUSES = ['CORE-CAP-01', 'CORE-CAP-02', 'CORE-CAP-03', 'CORE-CAP-04', 'CORE-CAP-05', 'CORE-CAP-06']
const OPTIONS: GeneratedOptions = { runs: [3, 8], needs: { features: ['identities'] } }

model('kv/v1-callers-model', CLAUSES, 'what callers of different rights write and see', OPTIONS, callers(VERSION_1))
model('kv/v2-callers-model', CLAUSES, 'what callers of different rights write and see', OPTIONS, callers(VERSION_2))
