import { describe, expect, it } from 'vitest'
import { runOnToy, toyStore } from '../../tests/support/toy-target.ts'
import { AssertionFailure, Blocked, LostAnswer } from '../base/errors.ts'
import { registeredChecks } from './check.ts'
import { property } from './property.ts'
import type { RunnableCheck } from './vocabulary.ts'

let count = 0
const registered = (define: (id: string) => void): RunnableCheck => {
  count += 1
  define(`toy/property-${count}`)
  return registeredChecks().at(-1)!
}

const roundTrip = registered((id) =>
  property(
    id,
    'TOY-01',
    'comes back',
    {},
    ({ fc }) => fc.array(fc.nat(1000), { maxLength: 20 }),
    async ({ bench, expect }, value) => {
      const path = { key: bench.fresh('key') }
      await bench.given('write', { path, body: value })
      expect((await bench.call('read', { path })).data.value).toEqual(value)
    },
  ),
)

const losesBigNumbers = () =>
  toyStore((store, operation, key, input) => {
    if (operation !== 'write' || !Array.isArray(input.body)) return undefined
    store.set(
      key,
      input.body.map((item) => (Number(item) > 100 ? 100 : item)),
    )
    return { status: 204 }
  })

describe('property', () => {
  it('holds on a correct target', async () => {
    const run = await runOnToy(roundTrip, toyStore())
    expect(run.error).toBeUndefined()
    expect(run.requests).toBe(80)
    expect(run.assertions).toBeGreaterThan(40)
  })

  it('on a slow machine takes what time it has for as many cases as it needs, and no more', async () => {
    const slow = registered((id) =>
      property(
        id,
        'TOY-01',
        'holds, slowly',
        { runs: [20, 20], minimum: 7, within: 0 },
        ({ fc }) => fc.nat(),
        async ({ expect }, value) => expect(value).toBeGreaterThanOrEqual(0),
      ),
    )
    const run = await runOnToy(slow, toyStore())
    expect(run.error).toBeUndefined()
    expect(run.assertions).toBe(7 + 1)
  })

  it('finds a planted bug, shrinks it within 200 requests and calls it deterministic', async () => {
    const run = await runOnToy(roundTrip, losesBigNumbers())
    expect(run.error).toBeInstanceOf(AssertionFailure)
    expect(run.notes.stability).toBe('deterministic')
    expect(run.notes.counterexample).toContain('[101]')
    expect(run.notes.counterexample).toContain('write path={"key":')
    expect(run.requests).toBeLessThanOrEqual(80 + 200 + 6)
  })

  it('replays the shrunk case by seed and path', async () => {
    const first = await runOnToy(roundTrip, losesBigNumbers(), { seed: 9 })
    const again = await runOnToy(roundTrip, losesBigNumbers(), { seed: 9, replay: first.notes.path! })
    expect(again.error).toBeInstanceOf(AssertionFailure)
    expect(again.notes.counterexample?.split('\n')[0]).toBe(first.notes.counterexample?.split('\n')[0])
    expect(again.requests).toBe(8)
  })

  it('replays a mended target as a pass', async () => {
    const first = await runOnToy(roundTrip, losesBigNumbers(), { seed: 9 })
    const mended = await runOnToy(roundTrip, toyStore(), { seed: 9, replay: first.notes.path! })
    expect(mended.error).toBeUndefined()
    expect(mended.requests).toBe(2)
  })

  it('sends the same requests for the same seed', async () => {
    const [one, two, other] = await Promise.all([4, 4, 5].map((seed) => runOnToy(roundTrip, toyStore(), { seed })))
    expect(one?.requestLog).toEqual(two?.requestLog)
    expect(one?.requestLog).not.toEqual(other?.requestLog)
  })

  it('bounds shrinking where every case fails in its own way', async () => {
    const run = await runOnToy(
      roundTrip,
      toyStore((_store, operation) => (operation === 'read' ? { status: 200, body: { data: { value: 'x' } } } : undefined)),
    )
    expect(run.error).toBeInstanceOf(AssertionFailure)
    expect(run.requests).toBeLessThanOrEqual(2 + 200 + 6)
  })

  it('where only the verdict counts, fails with the first case that fails and leaves it at that', async () => {
    const whole = await runOnToy(roundTrip, losesBigNumbers())
    const brief = await runOnToy(roundTrip, losesBigNumbers(), { verdictOnly: true })
    expect(brief.error).toBeInstanceOf(AssertionFailure)
    expect(brief.notes.stability).toBeUndefined()
    expect(brief.requests).toBeLessThan(whole.requests)
  })

  it('shrinks no further once the time for cases is over, and still says what failed', async () => {
    const late = registered((id) =>
      property(
        id,
        'TOY-01',
        'is small',
        { within: 0 },
        ({ fc }) => fc.integer({ min: 1000, max: 100_000 }),
        async ({ bench, expect }, value) => {
          await bench.given('write', { path: { key: bench.fresh() }, body: value })
          expect(value).toBeLessThan(10)
        },
      ),
    )
    const run = await runOnToy(late, toyStore())
    expect(run.error).toBeInstanceOf(AssertionFailure)
    expect(run.notes.stability).toBe('deterministic')
    expect(run.requests, 'the failing case and its repetitions').toBe(1 + 3)
  })

  it('shrinks no further once the run is to end', async () => {
    const abort = new AbortController()
    const store = toyStore()
    let failed = 0
    const run = await runOnToy(
      roundTrip,
      async (operation, input) => {
        if (operation !== 'read') return store(operation, input)
        failed += 1
        if (failed === 5) abort.abort()
        return { status: 200, body: { data: { value: 'x' } } }
      },
      { signal: abort.signal },
    )
    expect(run.error).toBeInstanceOf(AssertionFailure)
    expect(run.requests, 'five cases, and the repetitions of the last').toBeLessThanOrEqual(5 * 2 + 3 * 2)
  })

  it('calls a failure that does not come back unstable', async () => {
    let reads = 0
    const flaky = toyStore((_store, operation) => {
      if (operation !== 'read') return undefined
      reads += 1
      return reads === 5 ? { status: 500, body: {} } : undefined
    })
    const run = await runOnToy(roundTrip, flaky)
    expect(run.error).toBeInstanceOf(AssertionFailure)
    expect(run.notes.stability).toBe('unstable')
  })

  it('passes on what blocks it, without shrinking', async () => {
    const run = await runOnToy(roundTrip, async () => {
      throw new Blocked('no such mount', 'mount it')
    })
    expect(run.error).toBeInstanceOf(Blocked)
    expect(run.requests).toBe(1)
  })

  it('is blocked when most answers are lost, and not when a few are', async () => {
    const everyNth = (period: number) => {
      const store = toyStore()
      let calls = 0
      return async (...parameters: Parameters<typeof store>) => {
        calls += 1
        if (calls % period === 0) throw new LostAnswer('closed', 'see the server')
        return store(...parameters)
      }
    }
    expect((await runOnToy(roundTrip, everyNth(9))).error).toBeUndefined()
    expect((await runOnToy(roundTrip, everyNth(2))).error).toBeInstanceOf(Blocked)
  })

  it('attributes a failure to the clause that was decided', async () => {
    const two = registered((id) =>
      property(
        id,
        ['TOY-01', 'TOY-02'],
        'two clauses',
        {},
        ({ fc }) => fc.nat(),
        async ({ bench, expect }, value) => {
          const path = { key: bench.fresh() }
          const written = await bench.call('write', { path, body: value })
          await bench.decide('TOY-01', () => expect(written).toSucceed())
          const read = await bench.call('read', { path })
          await bench.decide('TOY-02', () => expect(read.data.value).toBe(value))
        },
      ),
    )
    const bad = toyStore((_store, operation) => (operation === 'read' ? { status: 404, body: {} } : undefined))
    expect((await runOnToy(two, bad)).decisions).toEqual([{ clause: 'TOY-02', outcome: 'violated' }])
    expect((await runOnToy(two, toyStore())).decisions).toEqual([
      { clause: 'TOY-01', outcome: 'verified' },
      { clause: 'TOY-02', outcome: 'verified' },
    ])
  })
})
