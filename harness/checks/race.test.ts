import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Handler, runOnToy, toyStore } from '../../tests/support/toy-target.ts'
import { AssertionFailure, Blocked, LostAnswer } from '../base/errors.ts'
import type { Answer } from '../target/exchange.ts'
import { registeredChecks } from './check.ts'
import { commandsOf } from './model.ts'
import { race } from './race.ts'

interface State {
  value: number | null
}
const on = commandsOf<State, { key: string }>()

race(
  'toy/race',
  'TOY-01',
  'reads among writers show a value in some order',
  {},
  {
    world: async (bench) => ({ key: bench.fresh('key') }),
    initial: () => ({ value: null }),
    probes: [{ command: 'read', drawn: null }],
    commands: {
      write: on<number, Answer>({
        arguments: fc.nat(100),
        run: (bench, value, world) => bench.call('write', { path: { key: world.key }, body: value }),
        expects: (_state, _input, seen, expect) => expect(seen).toSucceed(),
        next: (_state, value) => ({ value }),
      }),
      read: on<null, Answer>({
        arguments: fc.constant(null),
        run: (bench, _input, world) => bench.call('read', { path: { key: world.key } }),
        expects: (state, _input, seen, expect) =>
          state.value === null ? expect(seen).toHaveStatus(404) : expect(seen.data.value).toBe(state.value),
        next: (state) => state,
      }),
    },
  },
)
const store = registeredChecks().at(-1)!

interface Otp {
  used: boolean
}
const onOtp = commandsOf<Otp, { otp: string }>()
race(
  'toy/once',
  'TOY-02',
  'a password is accepted once',
  {},
  {
    world: async (bench) => ({ otp: bench.fresh('otp') }),
    initial: () => ({ used: false }),
    prefix: 0,
    branch: 1,
    commands: {
      verify: onOtp<null, Answer>({
        arguments: fc.constant(null),
        run: (bench, _input, { otp }) => bench.call('verify', { body: otp }),
        expects: (state, _input, seen, expect) => (state.used ? expect(seen).toBeRefused() : expect(seen).toSucceed()),
        next: () => ({ used: true }),
      }),
    },
  },
)
const once = registeredChecks().at(-1)!

const pause = () => new Promise((done) => setTimeout(done, 1))

const slow =
  (handler: Handler): Handler =>
  async (operation, input) => {
    await pause()
    const answer = await handler(operation, input)
    await pause()
    return answer
  }

const otpServer = (check: (used: Set<string>, otp: string) => Promise<boolean>): Handler => {
  const used = new Set<string>()
  return async (_operation, input) => ({ status: (await check(used, String(input.body))) ? 204 : 400, body: { errors: ['used'] } })
}

describe('race', () => {
  it('holds on a correct target', async () => {
    for (const seed of [1, 2, 3]) {
      expect((await runOnToy(store, slow(toyStore()), { seed })).error).toBeUndefined()
      const atomic = otpServer(async (used, otp) => !used.has(otp) && used.add(otp).size > 0)
      expect((await runOnToy(once, slow(atomic), { seed })).error).toBeUndefined()
    }
  }, 60_000)

  it('finds a password that two concurrent uses both spend', async () => {
    const racy = otpServer(async (used, otp) => {
      if (used.has(otp)) return false
      await pause()
      used.add(otp)
      return true
    })
    const run = await runOnToy(once, racy)
    expect(run.error).toBeInstanceOf(AssertionFailure)
    expect(run.notes.stability).toBe('deterministic')
    expect(run.notes.counterexample).toContain('nothing; then at once A: verify | B: verify\n')
    expect((await runOnToy(once, racy, { replay: run.notes.path! })).error).toBeInstanceOf(AssertionFailure)
  })

  it('finds a read that goes back behind a finished write', async () => {
    const stale = toyStore()
    const first = new Map<string, number>()
    const run = await runOnToy(
      store,
      slow(async (operation, input) => {
        const key = input.path!.key!
        if (operation === 'write' && first.has(key)) return { status: 204 }
        if (operation === 'write') first.set(key, 1)
        return stale(operation, input)
      }),
    )
    expect(run.error).toBeDefined()
    expect((run.error as Error).message).toMatch(/no order of the concurrent operations|sequential steps before a race failed/)
  })

  it('accepts a lost write both as applied and as not applied', async () => {
    for (const [applied, seed] of [true, false].flatMap((how) => [1, 2, 3].map((number) => [how, number] as const))) {
      const inner = toyStore()
      let writes = 0
      const lossy = slow(async (operation, input) => {
        if (operation !== 'write') return inner(operation, input)
        writes += 1
        if (writes % 5 !== 0) return inner(operation, input)
        if (applied) await inner(operation, input)
        throw new LostAnswer('connection closed', 'see the server')
      })
      expect((await runOnToy(store, lossy, { seed })).error).toBeUndefined()
    }
  }, 60_000)

  it('is blocked where everything is lost', async () => {
    const run = await runOnToy(store, async () => {
      throw new LostAnswer('connection closed', 'see the server')
    })
    expect(run.error).toBeInstanceOf(Blocked)
  })
})
