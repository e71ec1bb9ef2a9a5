/** Properties: one statement over many generated values. */
import type { Arbitrary } from 'fast-check'
import { type Arbitraries, arbitraries } from './arbitraries.ts'
import { check, clauseList } from './check.ts'
import { explore, type Reach, reachOf } from './explore.ts'
import type { CheckContext, CheckOptions } from './vocabulary.ts'

export interface GeneratedOptions extends CheckOptions, Partial<Reach> {}

export interface PropertyOptions<T> extends GeneratedOptions {
  /** Values that are tried before the random ones: the corners that must never be missed. */
  first?: readonly T[]
}

/**
 * Registers a check that holds for every generated value. A failure is shrunk with at most 200 requests, run three times again, and
 * reported as a short transcript; the same `--seed` repeats it.
 *
 * @param options as for `check`, and `runs` (cases at quick effort and at the others, default 10 and 40), `within` (ms after which no case begins once there are enough,
 *   default half the deadline), `minimum` (cases below which the check is blocked), `first` (values tried before the random ones).
 * @param values the arbitrary, from `fc` and the field's own strings, durations and JSON values.
 * @param holds asserts with `expect`; with several clauses inside `bench.decide`. Take fresh names in here: every case needs its own.
 *
 * @example
 * property('kv/round-trip', 'KV-V1-06', 'every object comes back as it was stored', { runs: [10, 50] },
 *   ({ fc, json }) => fc.dictionary(fc.string(), json),
 *   async ({ bench, expect }, value) => {
 *     const path = { path: bench.fresh('key') }
 *     await bench.given('kv1.write', { path, body: value })
 *     const read = await bench.call('kv1.read', { path })
 *     expect(read.data).toEqual(value)
 *   })
 */
export const property = <T>(
  id: string,
  clauses: string | string[],
  title: string,
  options: PropertyOptions<T>,
  values: (tools: Arbitraries) => Arbitrary<T>,
  holds: (context: CheckContext, value: T) => Promise<void>,
): void => {
  const { runs, within, minimum, first, ...rest } = options
  check(id, clauses, title, { kind: 'property', ...rest }, (context) =>
    explore(context, {
      ...reachOf(options, [10, 40]),
      clauses: clauseList(clauses),
      arbitrary: values(arbitraries),
      ...(first === undefined ? {} : { first }),
      run: holds,
    }),
  )
}
