/** Sentences that hold of every verdict, over random tables of outcomes. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Results, Verdict } from '../../specs/meta/results.ts'
import { type Imagined, imagine, type Seen } from './testing/imagined.ts'

const SEEN: Seen[] = ['verified', 'unstable', 'violated', 'observed', 'blocked', 'errored', 'notExercised', 'notClaimed', 'excluded']
const ENGINES = ['kv', 'ssh', 'broker']

/** Some tables have one outcome only: they are the ones that verdicts have been wrong about. */
const clauses = fc.subarray(SEEN, { minLength: 1 }).chain((few) =>
  fc.array(
    fc.record({
      seen: fc.constantFrom(...few),
      level: fc.constantFrom('required' as const, 'required' as const, 'advised' as const, 'open' as const),
    }),
    { minLength: 1, maxLength: 5 },
  ),
)

const tables: fc.Arbitrary<Imagined> = fc.record({
  engines: fc.subarray(ENGINES, { minLength: 1 }).chain((ids) => fc.record(Object.fromEntries(ids.map((id) => [id, clauses])))),
  asked: fc.subarray(ENGINES),
  narrowedWithin: fc.boolean(),
  cutShort: fc.constantFrom(false, false, false, true),
})

const BEST_LAST: Verdict[] = ['nonConformant', 'incomplete', 'notClaimed', 'partial', 'conformant']
const worth = (verdict: Verdict) => BEST_LAST.indexOf(verdict)
const GATES: Results['gate'][] = ['failed', 'errored', 'incomplete', 'passed']
const required = ({ clauses: all }: Results, engine?: string) =>
  all.filter((clause) => clause.level === 'required' && (engine === undefined || clause.engine === engine)).map(({ outcome }) => outcome)
const DECIDED = ['verified', 'violated', 'warned', 'observed']

/** Holds of each run by itself. */
type Sentence = (results: Results, table: Imagined) => boolean

const SENTENCES: [text: string, holds: Sentence][] = [
  [
    'nothing decided is never green',
    (results) =>
      results.clauses.some(({ outcome }) => DECIDED.includes(outcome)) ||
      (results.gate !== 'passed' && worth(results.verdict) < worth('partial')),
  ],
  [
    'a violated required clause is never conformant, and fails the gate',
    (results) => !required(results).includes('violated') || (results.verdict === 'nonConformant' && results.gate === 'failed'),
  ],
  [
    'nonConformant needs a violated required clause',
    (results) => results.verdict !== 'nonConformant' || required(results).includes('violated'),
  ],
  [
    'an engine without a verified required clause is not conformant',
    (results) => results.engines.every(({ id, verdict }) => verdict !== 'conformant' || required(results, id).includes('verified')),
  ],
  [
    'an engine is conformant only when each of its required clauses was decided and holds, or cannot be tested',
    (results) =>
      results.engines.every(
        ({ id, verdict }) =>
          verdict !== 'conformant' ||
          required(results, id).every((outcome) => ['verified', 'observed', 'notClaimed', 'excluded'].includes(outcome)),
      ),
  ],
  [
    'a run is conformant only when every engine that it speaks for is',
    (results) => results.verdict !== 'conformant' || results.engines.every(({ verdict }) => ['conformant', 'notClaimed'].includes(verdict)),
  ],
  [
    'a conformant run has a conformant engine',
    (results) => results.verdict !== 'conformant' || results.engines.some(({ verdict }) => verdict === 'conformant'),
  ],
  [
    'narrowing within engines never yields conformant',
    (results, { narrowedWithin }) => !narrowedWithin || [results, ...results.engines].every(({ verdict }) => verdict !== 'conformant'),
  ],
  [
    'leaving out an engine never yields a conformant run',
    (results, { engines, asked = [] }) =>
      asked.length === 0 || Object.keys(engines).every((id) => asked.includes(id)) || results.verdict !== 'conformant',
  ],
  [
    'an engine that was named and cannot be tested makes the run incomplete, or worse',
    (results, { asked = [] }) =>
      asked.every((id) => (results.engines.find((engine) => engine.id === id)?.verdict ?? 'notClaimed') !== 'notClaimed') ||
      (worth(results.verdict) <= worth('incomplete') && results.gate !== 'passed'),
  ],
  [
    'a run that was cut short is neither conformant nor through the gate',
    (results, { cutShort }) => cutShort !== true || (results.verdict !== 'conformant' && results.gate !== 'passed'),
  ],
  [
    'a run that passes the gate is conformant or partial',
    (results) => results.gate !== 'passed' || worth(results.verdict) >= worth('partial'),
  ],
  [
    'a gate that is not passed says why, and one that is has nothing to say',
    (results) => (results.gate === 'passed') === (results.gateReasons.length === 0),
  ],
  [
    'an incomplete verdict never passes the gate without a known deviation',
    (results) => results.verdict !== 'incomplete' || results.gate !== 'passed',
  ],
  [
    'the counts of an engine add up',
    (results) =>
      results.engines.every(({ clauses: { total, ...counts } }) => Object.values(counts).reduce((sum, one) => sum + one, 0) === total),
  ],
]

describe('of every run it holds that', () => {
  test.each(SENTENCES)('%s', (_, holds) => {
    fc.assert(
      fc.property(tables, (table) => holds(imagine(table), table)),
      { numRuns: 500, seed: 11 },
    )
  })
})

const withClause = (table: Imagined, engine: string, seen: Seen): Imagined => ({
  ...table,
  engines: { ...table.engines, [engine]: [...(table.engines[engine] ?? []), { seen }] },
})

describe('between runs it holds that', () => {
  const engine = fc.constantFrom(...ENGINES)
  test.each(['blocked', 'violated', 'errored'] as const)(
    'a required clause that is %s more never improves the verdict or the gate',
    (seen) => {
      fc.assert(
        fc.property(tables, engine, (table, id) => {
          fc.pre(id in table.engines)
          const [before, after] = [imagine(table), imagine(withClause(table, id, seen))]
          expect(worth(after.verdict)).toBeLessThanOrEqual(worth(before.verdict))
          expect(GATES.indexOf(after.gate)).toBeLessThanOrEqual(GATES.indexOf(before.gate))
        }),
        { numRuns: 300, seed: 12 },
      )
    },
  )
  test('narrowing never improves the verdict of a run or of an engine', () => {
    fc.assert(
      fc.property(tables, (table) => {
        const [whole, narrowed] = [imagine({ ...table, narrowedWithin: false }), imagine({ ...table, narrowedWithin: true })]
        fc.pre(whole.verdict !== 'incomplete')
        expect(worth(narrowed.verdict)).toBeLessThanOrEqual(worth(whole.verdict))
      }),
      { numRuns: 300, seed: 13 },
    )
  })
  test('the order of engines, clauses and checks does not matter', () => {
    fc.assert(
      fc.property(tables, (table) => {
        const turned = Object.fromEntries(
          Object.entries(table.engines)
            .reverse()
            .map(([id, list]) => [id, [...list].reverse()]),
        )
        const [one, other] = [imagine(table), imagine({ ...table, engines: turned })]
        expect([other.verdict, other.gate]).toEqual([one.verdict, one.gate])
        for (const { id, verdict } of one.engines) expect(other.engines.find((found) => found.id === id)?.verdict).toBe(verdict)
      }),
      { numRuns: 300, seed: 14 },
    )
  })
})
