import { expect, test } from 'vitest'
import { nearIds } from './near-ids.ts'

const bench = { random: { word: (length: number) => 'z'.repeat(length) } } as Parameters<typeof nearIds>[0]

test('near ids are other ids: cut, prolonged, in the other case behind their kind, among blanks, and with an ending', () => {
  const near = ['at-aB', 't-aB1', 'at-aB1zz', 'zzat-aB1', 'at-AB1', 'at-ab1', 'aB1', ' at-aB1', 'at-aB1 ', 'at-aB1.json']
  expect(nearIds(bench, 'at-aB1').map(([, other]) => other)).toEqual(near)
})

test('an id without letters of one case is none of its own near ones, and no near id is empty', () => {
  expect(nearIds(bench, 'at-ab').map(([how]) => how)).not.toContain('in lower case')
  expect(nearIds(bench, '7').map(([, near]) => near)).toEqual(['7zz', 'zz7', ' 7', '7 ', '7.json'])
})
