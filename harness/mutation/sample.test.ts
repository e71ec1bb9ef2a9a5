import { expect, test } from 'vitest'
import { steadySampleOf } from './sample.ts'

const things = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `thing-${at}` }))

test('a sample stays as it is where a thing comes that is not in it, and where one goes', () => {
  const nameOf = ({ id }: { id: string }) => id
  const all = things(200)
  const drawn = steadySampleOf(all, nameOf, 10, 1)
  expect(drawn).toHaveLength(10)
  expect(steadySampleOf(all.toReversed(), nameOf, 10, 1)).toEqual(drawn)
  const without = all.filter((one) => one !== drawn[3])
  expect(steadySampleOf(without, nameOf, 9, 1)).toEqual(drawn.filter((one) => one !== drawn[3]))
  expect(steadySampleOf(all, nameOf, 10, 2)).not.toEqual(drawn)
})
