import { describe, expect, it } from 'vitest'
import { concernsEngine, mutantsFor, staleEntries, withKeys } from './mutants.ts'

const mutant = (id: string, original: string, file = 'engines/kv/kv1.rules.ts') => ({
  id,
  file,
  line: 3,
  mutator: 'ConditionalExpression',
  original,
  replacement: 'true',
})

describe('mutants', () => {
  const all = withKeys([mutant('0', 'a > b'), mutant('1', 'a > b'), mutant('2', 'a > b', 'core/rules.ts')])

  it('have keys that tell the same change in one file apart, whatever its line', () => {
    expect(all.map(({ key }) => key)).toEqual([
      'ConditionalExpression: a > b => true',
      'ConditionalExpression: a > b => true (2)',
      'ConditionalExpression: a > b => true',
    ])
  })

  it('concern the engine whose folder they are in, the general one, or every engine that reaches a shared file', () => {
    const concerned = (file: string) => ['core', 'kv', 'cloudc'].filter((engine) => concernsEngine(file, engine, new Set(['core'])))
    expect(concerned('engines/kv/kv1.rules.ts')).toEqual(['kv'])
    expect(concerned('core/rules.ts')).toEqual(['core'])
    expect(concerned('http/listener.ts')).toEqual(['core'])
    expect(concerned('clouds/requests.ts')).toEqual(['kv', 'cloudc'])
  })

  it('are asked about where a request came to their file, tables that are only read at the start included', () => {
    const reached = new Map([
      ['0', 'starting'],
      ['1', 'answering'],
      ['2', 'starting'],
    ] as const)
    const shared = withKeys([mutant('0', 'a', 'clouds/a.ts'), mutant('1', 'b', 'clouds/a.ts'), mutant('2', 'c', 'clouds/b.ts')])
    expect(mutantsFor(shared, 'kv', reached, new Set(['core'])).map(({ id }) => id)).toEqual(['0', '1'])
  })

  it('make an entry stale that names none of them, or no reason', () => {
    const entry = { file: 'core/rules.ts', key: 'ConditionalExpression: a > b => true', reason: 'b is never above a' }
    expect(staleEntries([entry, { file: 'core/rules.ts', reason: 'none of it is of the contract' }], all)).toEqual([])
    expect(
      staleEntries(
        [
          { ...entry, reason: ' ' },
          { ...entry, key: 'gone' },
          { file: 'core/gone.ts', reason: 'none of it is of the contract' },
        ],
        all,
      ),
    ).toEqual([
      'core/rules.ts: ConditionalExpression: a > b => true: has no reason',
      'core/rules.ts: gone: does not exist any more',
      'core/gone.ts: every mutant: does not exist any more',
    ])
  })
})
