/** What a clause is verified without, and what leaves it undecided. */
import { expect, test } from 'vitest'
import { answers, blocked, errors, exchange, told, verified, violated } from './testing/told.ts'

const ofClause = (results: ReturnType<typeof told>, id: string) => {
  const { outcome, causedBy, narrowedBy } = results.clauses.find((clause) => clause.id === id)!
  return { outcome, ...(causedBy === undefined ? {} : { causedBy }), ...(narrowedBy === undefined ? {} : { narrowedBy }) }
}
const gateOf = ({ gate, gateReasons }: ReturnType<typeof told>) => [
  gate,
  ...gateReasons.map(({ kind, subject }) => `${kind} ${subject ?? ''}`),
]

test('a feature that the configuration says is lacking narrows a clause which others decided', () => {
  const results = told({
    checks: [
      verified('kv/a', ['KV-A-01']),
      blocked('kv/b', ['KV-A-01'], { lacks: 'namespaces' }),
      blocked('kv/c', ['KV-A-01'], { lacks: 'namespaces' }),
    ],
    without: ['namespaces'],
  })
  expect(ofClause(results, 'KV-A-01')).toEqual({ outcome: 'verified', narrowedBy: [{ cause: 'namespaces', checks: ['kv/b', 'kv/c'] }] })
  expect(gateOf(results)).toEqual(['passed'])
})

test.each([
  ['a time-out', undefined],
  ['a feature that nobody said is lacking', { lacks: 'namespaces' }],
  ['a set-up that was answered with 500', { operation: 'kv.write', status: 500 }],
  ['a clause that is not violated', { restsOn: 'KV-B-01' }],
])('%s blocks a clause, however many checks decided it', (_, stoppedBy) => {
  const results = told({
    checks: [verified('kv/a', ['KV-A-01']), verified('kv/d', ['KV-A-01', 'KV-B-01']), blocked('kv/b', ['KV-A-01'], stoppedBy)],
    coverage: [answers('kv.write', { 500: 3 })],
    stating: { 'kv.write': 'KV-B-01' },
  })
  expect(ofClause(results, 'KV-A-01')).toEqual({ outcome: 'blocked' })
  expect(gateOf(results)).toEqual(['incomplete', 'undecided KV-A-01'])
})

test('an operation that the configuration says is lacking narrows where it is not there, and not where it answers 500', () => {
  const seen = (status: number) =>
    ofClause(
      told({
        checks: [verified('kv/a', ['KV-A-01']), blocked('kv/b', ['KV-A-01'], { operation: 'kv.write', status })],
        without: ['kv.write'],
      }),
      'KV-A-01',
    )
  expect(seen(404)).toEqual({ outcome: 'verified', narrowedBy: [{ cause: 'kv.write', checks: ['kv/b'] }] })
  expect(seen(500)).toEqual({ outcome: 'blocked' })
})

test('a clause is blocked, not a gap, if all its checks need what the target lacks', () => {
  const results = told({
    checks: [blocked('kv/b', ['KV-A-01'], { lacks: 'namespaces' }), verified('kv/c', ['KV-B-01'])],
    without: ['namespaces'],
  })
  expect(ofClause(results, 'KV-A-01')).toEqual({ outcome: 'blocked', causedBy: ['namespaces'] })
  expect(results.verdict).toBe('incomplete')
  expect(gateOf(results)).toEqual(['passed'])
})

test('one cause does not excuse another check that timed out', () => {
  const results = told({
    checks: [blocked('kv/a', ['KV-A-01'], { lacks: 'mounts' }), blocked('kv/b', ['KV-A-01']), verified('kv/c', ['KV-B-01'])],
    without: ['mounts'],
  })
  expect(ofClause(results, 'KV-A-01')).toEqual({ outcome: 'blocked' })
  expect(gateOf(results)).toEqual(['incomplete', 'undecided KV-A-01'])
})

test('an engine of which nothing could be decided for what is lacking does not pass', () => {
  const results = told({
    checks: [blocked('kv/b', ['KV-A-01'], { lacks: 'mounts' }), verified('ssh/c', ['SSH-B-01'])],
    without: ['mounts'],
  })
  expect(gateOf(results)).toEqual(['incomplete', 'undecided kv'])
})

test('what is named as lacking and is there fails the gate', () => {
  const results = told({ checks: [verified('kv/a', ['KV-A-01'])], without: ['namespaces'], present: ['namespaces'] })
  expect(gateOf(results)).toEqual(['failed', 'unexpectedFeature namespaces'])
  expect(results.gateReasons[0]?.message).toContain('take it out')
})

test('what needs a route that is not there rests on the clause that states it, once, tolerated or not', () => {
  const refused = { operation: 'kv.write', status: 404 }
  const results = told({
    checks: [
      violated('kv/route', 'KV-ROUTE-01', [exchange(1, 'kv.write', 404)]),
      blocked('kv/b', ['KV-A-01'], refused),
      blocked('kv/c', ['KV-A-01', 'KV-B-01'], refused),
      verified('kv/d', ['KV-B-01']),
    ],
    coverage: [answers('kv.write', { 404: 3 })],
    stating: { 'kv.write': 'KV-ROUTE-01' },
  })
  expect(ofClause(results, 'KV-A-01')).toEqual({ outcome: 'blocked', causedBy: ['KV-ROUTE-01'] })
  expect(ofClause(results, 'KV-B-01')).toEqual({ outcome: 'verified', narrowedBy: [{ cause: 'KV-ROUTE-01', checks: ['kv/c'] }] })
  expect(gateOf(results)).toEqual(['failed', 'violated KV-ROUTE-01'])
})

test('a route that once did something explains no refusal but one of the same words', () => {
  const words = errors('the extra words are not allowed here')
  const checks = (said: object) => [
    violated('kv/words', 'KV-WORDS-01', [exchange(1, 'kv.write', 400, words)]),
    blocked('kv/b', ['KV-A-01'], { operation: 'kv.write', status: 400 }, [exchange(4, 'kv.write', 400, said)]),
  ]
  const seen = (said: object) =>
    ofClause(
      told({ checks: checks(said), coverage: [answers('kv.write', { 200: 1, 400: 2 })], stating: { 'kv.write': 'KV-ROUTE-01' } }),
      'KV-A-01',
    )
  expect(seen(words)).toEqual({ outcome: 'blocked', causedBy: ['KV-WORDS-01'] })
  expect(seen(errors('something else is wrong with it'))).toEqual({ outcome: 'blocked' })
})
