import { describe, expect, it } from 'vitest'
import { engineOfFile, staleEntries, withKeys } from './mutants.ts'

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

  it('belong to the engine whose folder they are in', () => {
    expect(all.map(({ file }) => engineOfFile(file, 'core'))).toEqual(['kv', 'kv', 'core'])
  })

  it('make an entry stale that names none of them, or no reason', () => {
    const entry = { file: 'core/rules.ts', key: 'ConditionalExpression: a > b => true', reason: 'b is never above a' }
    expect(staleEntries([entry], all)).toEqual([])
    expect(
      staleEntries(
        [
          { ...entry, reason: ' ' },
          { ...entry, key: 'gone' },
        ],
        all,
      ),
    ).toEqual(['core/rules.ts: ConditionalExpression: a > b => true: has no reason', 'core/rules.ts: gone: does not exist any more'])
  })
})
