import { expect, test } from 'vitest'
import { MutationTurns, mutations } from './garbled-answers.ts'

const names = Object.keys(mutations)

test.each([1, 3, 5, names.length])('as many answers as there are mutations get every one of them, over %i routes', (routes) => {
  const turns = new MutationTurns()
  const given = names.map((_, answer) => turns.next(`route ${answer % routes}`))
  expect([...given].sort()).toEqual([...names].sort())
})

test('a route goes through all mutations before one comes again', () => {
  const turns = new MutationTurns()
  const given = [...names, ...names].map((_, answer) => {
    if (answer % 3 === 0) turns.next('another route')
    return turns.next('route')
  })
  expect(new Set(given.slice(0, names.length)).size).toBe(names.length)
  expect(new Set(given.slice(names.length)).size).toBe(names.length)
  expect([...turns.applied.values()].reduce((sum, count) => sum + count)).toBe(given.length + Math.ceil(given.length / 3))
})
