/** Violations that follow from others, by the same failing answer or member, and those that only look like it. */
import { expect, test } from 'vitest'
import { answers, errors, exchange, told, violated } from './testing/told.ts'

const followsOf = ({ clauses }: ReturnType<typeof told>) => Object.fromEntries(clauses.map(({ id, causedBy = [] }) => [id, causedBy]))
const INTERNAL = errors('internal error: no such connection is known')
const failing = ({ gateReasons }: ReturnType<typeof told>) =>
  gateReasons.filter(({ kind }) => kind === 'violated').map(({ subject }) => subject)

test('a general clause follows from the clause of the operation that answers the same error', () => {
  const own = violated('kv/own', 'KV-OWN-01', [exchange(1, 'kv.act', 500, INTERNAL)])
  const coverage = [answers('kv.act', { 200: 1, 500: 2 })]
  const general = (operation: string, body: object) => violated('core/general', 'CORE-GENERAL-01', [exchange(1, operation, 500, body)])
  const follows = (body: object, operation = 'kv.act') =>
    followsOf(told({ checks: [own, general(operation, body)], coverage }))['CORE-GENERAL-01']
  expect(follows(INTERNAL)).toEqual(['KV-OWN-01'])
  expect(failing(told({ checks: [own, general('kv.act', INTERNAL)], coverage }))).toEqual(['KV-OWN-01'])
  expect(follows(errors('internal error: quite another one'))).toEqual([])
  expect(follows(errors('internal'))).toEqual([])
  expect(follows(INTERNAL, 'kv.other')).toEqual([])
})

test('a clause of which one decision remains unexplained follows from nothing', () => {
  const results = told({
    checks: [
      violated('kv/own', 'KV-OWN-01', [exchange(1, 'kv.act', 500, INTERNAL)]),
      violated('core/general', 'CORE-GENERAL-01', [exchange(1, 'kv.act', 500, INTERNAL)]),
      violated('core/other', 'CORE-GENERAL-01', [exchange(1, 'kv.read', 200)]),
    ],
    coverage: [answers('kv.act', { 200: 1, 500: 2 }), answers('kv.read', { 200: 1 })],
  })
  expect(followsOf(results)['CORE-GENERAL-01']).toEqual([])
  expect(failing(results)).toEqual(['KV-OWN-01', 'CORE-GENERAL-01'])
})

test('what a route that is not there answers shows that alone', () => {
  const results = told({
    checks: [
      violated('kv/route', 'KV-ROUTE-01', [exchange(1, 'kv.write', 404)]),
      violated('core/help', 'CORE-HELP-01', [exchange(1, 'core.help', 200)], { expected: '[]', seen: '["kv.write","kv.delete"]' }),
      violated('core/several', 'CORE-SEVERAL-01', [exchange(1, 'kv.write', 404)], { expected: '[]', seen: '["a: 404","b: 404"]' }),
      violated('core/lists', 'CORE-HELP-02', [exchange(1, 'core.help', 200)], { expected: '[]', seen: '["kv.write","kv.read"]' }),
      violated('core/put', 'CORE-PUT-01', [exchange(1, 'kv.write', 404)]),
    ],
    // A path has one handler: what else stands there is gone with it.
    coverage: [answers('kv.write', { 404: 3 }), answers('kv.delete', { 404: 1 }), { ...answers('kv.read', { 200: 1 }), path: '/other' }],
    stating: { 'kv.write': 'KV-ROUTE-01', 'kv.read': 'KV-READ-01' },
  })
  expect(followsOf(results)).toMatchObject({
    'CORE-HELP-01': ['KV-ROUTE-01'],
    'CORE-HELP-02': [],
    'CORE-SEVERAL-01': [],
    'CORE-PUT-01': ['KV-ROUTE-01'],
  })
})

test('a comparison follows from the schema of the member that alone differs, by a value of that kind', () => {
  const schema = violated('kv/contract', 'KV-SERIAL-01', [exchange(1, 'kv.read', 200)], {
    member: '/data/serial',
    seen: '[]',
    message: 'must be string',
  })
  const compared = (seen: object) =>
    violated('kv/compared', 'KV-ROLE-01', [exchange(1, 'kv.read', 200)], { expected: '{"serial":"","ttl":1}', seen: JSON.stringify(seen) })
  const follows = (seen: object) =>
    followsOf(told({ checks: [schema, compared(seen)], coverage: [answers('kv.read', { 200: 2 })] }))['KV-ROLE-01']
  expect(follows({ serial: [], ttl: 1 })).toEqual(['KV-SERIAL-01'])
  expect(follows({ serial: 'other', ttl: 1 })).toEqual([])
  expect(follows({ serial: [], ttl: 2 })).toEqual([])
})

test('a clause that rests on that of a member follows from it where the member alone is what it is about', () => {
  const schema = violated('kv/contract', 'KV-SERIAL-01', [exchange(1, 'kv.read', 200)], {
    member: '/data/serial',
    message: "must have required property 'serial'",
  })
  const follows = (message: string, more: object = {}) =>
    followsOf(
      told({
        checks: [schema, violated('kv/refuses', 'KV-STRINGS-01', [exchange(1, 'kv.write', 200)], { message, ...more })],
        coverage: [answers('kv.read', { 200: 1 }), answers('kv.write', { 200: 1 })],
        restsOn: { 'KV-STRINGS-01': ['KV-SERIAL-01'] },
      }),
    )['KV-STRINGS-01']
  expect(follows('serial: expected a refusal (4xx)')).toEqual(['KV-SERIAL-01'])
  expect(follows('serial_other: expected a refusal (4xx)')).toEqual([])
  expect(follows('the role: serial: expected 1, got 2', { expected: '{"serial":1,"ttl":1}', seen: '{"serial":2,"ttl":2}' })).toEqual([])
})

test('a clause that rests on a member which is not there follows where it found nothing at that operation', () => {
  const schema = violated('kv/contract', 'KV-LINKS-01', [exchange(1, 'kv.list', 200)], {
    member: '/links',
    message: "must have required property 'links'",
  })
  const follows = (message: string, operation = 'kv.list', seen?: string) => {
    const checks = [schema, violated('kv/next', 'KV-NEXT-01', [exchange(2, operation, 200)], { message, seen } as object)]
    return followsOf(told({ checks, coverage: [answers('kv.list', { 200: 2 })], restsOn: { 'KV-NEXT-01': ['KV-LINKS-01'] } }))['KV-NEXT-01']
  }
  expect(follows('the link next: expected any String, got nothing')).toEqual(['KV-LINKS-01'])
  expect(follows('the link next: expected any String, got 7', 'kv.list', '7')).toEqual([])
  expect(follows('the link next: expected any String, got nothing', 'kv.read')).toEqual([])
})

test('a stated dependence needs a refusal before, the same status of the operation, or the member', () => {
  const restsOn = { 'KV-CA-10': ['KV-CA-09'] }
  const after = (first: number, check: string, operation = 'kv.show') =>
    followsOf(
      told({
        checks: [
          violated('kv/replace', 'KV-CA-09', [exchange(2, 'kv.writeCa', first)]),
          violated(check, 'KV-CA-10', [exchange(2, 'kv.writeCa', first), exchange(4, operation, operation === 'kv.show' ? 200 : first)]),
        ],
        coverage: [answers('kv.writeCa', { 200: 1, 400: 2 })],
        restsOn,
      }),
    )['KV-CA-10']
  expect(after(400, 'kv/replace')).toEqual(['KV-CA-09'])
  expect(after(400, 'kv/other', 'kv.writeCa')).toEqual(['KV-CA-09'])
  expect(after(400, 'kv/other')).toEqual([])
  expect(after(200, 'kv/replace')).toEqual([])
})

test('two clauses that explain each other explain nothing', () => {
  const results = told({
    checks: ['KV-A-01', 'KV-B-01'].map((clause) => violated('kv/both', clause, [exchange(1, 'kv.act', 400)])),
    coverage: [answers('kv.act', { 200: 1, 400: 2 })],
    restsOn: { 'KV-A-01': ['KV-B-01'], 'KV-B-01': ['KV-A-01'] },
  })
  expect(followsOf(results)).toEqual({ 'KV-A-01': [], 'KV-B-01': [] })
  expect(failing(results)).toEqual(['KV-A-01', 'KV-B-01'])
})
