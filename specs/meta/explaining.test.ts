import { expect, test } from 'vitest'
import { byExplaining } from './explaining.ts'

const clauses = [
  { id: 'A-01' },
  { id: 'B-01' },
  { id: 'B-02', causedBy: ['B-01'] },
  { id: 'B-03', causedBy: ['B-02'] },
  { id: 'C-01', causedBy: ['C-01', 'A-01'] },
]

test('what explains most comes first, directly or through others; else the order of the clauses', () => {
  expect(['C-01', 'A-01', 'B-03', 'B-02', 'B-01'].sort(byExplaining(clauses))).toEqual(['B-01', 'A-01', 'B-02', 'B-03', 'C-01'])
})
