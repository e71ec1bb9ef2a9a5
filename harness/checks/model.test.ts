import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runOnToy, toyStore } from '../../tests/support/toy-target.ts'
import { AssertionFailure } from '../base/errors.ts'
import type { Json } from '../base/json.ts'
import type { Answer } from '../target/exchange.ts'
import { registeredChecks } from './check.ts'
import { commandsOf, type Model, model } from './model.ts'

interface State {
  stored: Record<string, number>
}
interface World {
  keys: string[]
}

const on = commandsOf<State, World>()
const key = fc.nat(2)
const pathOf = (world: World, index: number) => ({ path: { key: world.keys[index]! } })

const storeModel: Model<State, World> = {
  world: async (bench) => ({ keys: [0, 1, 2].map(() => bench.fresh('key')) }),
  initial: () => ({ stored: {} }),
  commands: {
    write: on<{ key: number; value: number }, Answer>({
      arguments: fc.record({ key, value: fc.nat(50) }),
      run: (bench, input, world) => bench.call('write', { ...pathOf(world, input.key), body: input.value }),
      expects: (_state, _input, seen, expect) => expect(seen).toSucceed(),
      next: (state, input) => ({ stored: { ...state.stored, [input.key]: input.value } }),
    }),
    remove: on<{ key: number }, Answer>({
      arguments: fc.record({ key }),
      resolve: (state, drawn) => (drawn.key in state.stored ? drawn : undefined),
      run: (bench, input, world) => bench.call('remove', pathOf(world, input.key)),
      expects: (_state, _input, seen, expect) => expect(seen).toSucceed(),
      next: (state, input) => ({ stored: Object.fromEntries(Object.entries(state.stored).filter(([name]) => name !== String(input.key))) }),
    }),
    read: on<{ key: number }, Answer>({
      arguments: fc.record({ key }),
      weight: 2,
      run: (bench, input, world) => bench.call('read', pathOf(world, input.key)),
      expects: (state, input, seen, expect) => {
        const value = state.stored[input.key]
        if (value === undefined) expect(seen).toHaveStatus(404)
        else expect(seen.data).toEqual({ value })
      },
      next: (state) => state,
    }),
  },
}

model('toy/model', 'TOY-01', 'reads show the latest write', {}, storeModel)
const check = registeredChecks().at(-1)!

const removed = { key: 2 }
model(
  'toy/model-examples',
  'TOY-01',
  'examples run first',
  { runs: [1, 1], minimum: 1 },
  {
    ...storeModel,
    examples: [
      [
        { command: 'write', drawn: { ...removed, value: 7 } },
        { command: 'remove', drawn: removed },
        { command: 'read', drawn: removed },
      ],
    ],
  },
)
const withExamples = registeredChecks().at(-1)!

const bugs: Record<string, { handler: () => ReturnType<typeof toyStore>; steps: number }> = {
  'a removed value is still read': {
    handler: () => toyStore((store, operation, name) => (operation === 'remove' && store.has(name) ? { status: 204 } : undefined)),
    steps: 3,
  },
  'a second write does not replace': {
    handler: () => toyStore((store, operation, name) => (operation === 'write' && store.has(name) ? { status: 204 } : undefined)),
    steps: 3,
  },
  'the third key is never stored': {
    handler: () =>
      toyStore((_store, operation, name) => (operation === 'write' && Number(name.split('-')[1]) % 3 === 0 ? { status: 204 } : undefined)),
    steps: 2,
  },
  'a removal takes another key along': {
    handler: () =>
      toyStore((store, operation, name) => {
        if (operation !== 'remove') return undefined
        const number = Number(name.split('-')[1])
        store.delete(name)
        store.delete(`key-${number + 1}`)
        return { status: 204 }
      }),
    steps: 4,
  },
  'zero is not stored': {
    handler: () =>
      toyStore((_store, operation, _name, input) => (operation === 'write' && (input.body as Json) === 0 ? { status: 204 } : undefined)),
    steps: 2,
  },
}

describe('model', () => {
  it('holds on a correct target with any seed', async () => {
    for (const seed of [1, 2, 3, 4, 5]) expect((await runOnToy(check, toyStore(), { seed })).error).toBeUndefined()
  })

  it.each(Object.entries(bugs))('finds that %s, in few steps, and replays it', async (_, bug) => {
    const run = await runOnToy(check, bug.handler(), { seed: 2 })
    expect(run.error).toBeInstanceOf(AssertionFailure)
    const [head = '', ...lines] = run.notes.counterexample!.split('=>')[0]!.trim().split('\n')
    expect(Number.parseInt(head, 10), run.notes.counterexample).toBeLessThanOrEqual(bug.steps)
    expect(lines.length).toBeLessThanOrEqual(2 * bug.steps)
    const again = await runOnToy(check, bug.handler(), { seed: 2, replay: run.notes.path! })
    expect(again.error).toBeInstanceOf(AssertionFailure)
    expect(again.notes.counterexample?.split('\n')[0]).toBe(head)
  })

  it('runs its examples whatever is drawn, and replays them', async () => {
    const { handler } = bugs['a removed value is still read']!
    expect((await runOnToy(withExamples, toyStore())).error).toBeUndefined()
    const run = await runOnToy(withExamples, handler())
    expect(run.notes.counterexample).toMatch(/^3 steps: write, remove, read\n/)
    expect((await runOnToy(withExamples, handler(), { replay: run.notes.path! })).error).toBeInstanceOf(AssertionFailure)
  })

  it('shrinks within 200 requests', async () => {
    let requestsAtFailure = 0
    const wrong = toyStore((_store, operation) => (operation === 'read' ? { status: 200, body: { data: { value: -1 } } } : undefined))
    const run = await runOnToy(check, async (operation, input) => {
      const answer = await wrong(operation, input)
      if (operation === 'read' && requestsAtFailure === 0) requestsAtFailure = 1
      return answer
    })
    expect(run.error).toBeInstanceOf(AssertionFailure)
    expect(run.requests).toBeLessThan(12 + 200 + 36)
  })
})
