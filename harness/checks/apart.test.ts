import { expect, it } from 'vitest'
import { runOnToy } from '../../tests/support/toy-target.ts'
import { type Step, stayApart } from './apart.ts'
import type { RunnableCheck } from './vocabulary.ts'

/** Two counters, of which an operation raises one; a clumsy server raises both. */
const outcomes = async (isClumsy: boolean, changes: Step['changes'], atFirst = 0) => {
  const counters = { first: 0, second: 0 }
  const check: RunnableCheck = {
    id: 'toy/neighbours',
    engine: 'toy',
    clauses: ['TOY-APART'],
    title: 'counters are kept apart',
    kind: 'scenario',
    needs: {},
    deadline: 1000,
    body: (context) =>
      stayApart(context, 'TOY-APART', {
        views: { first: async () => counters.first, second: async () => counters.second },
        atFirst: { second: atFirst },
        steps: [
          { what: 'after nothing', run: async () => undefined },
          {
            what: 'after the first was raised',
            run: () => context.bench.call('toy.raise'),
            ...(changes === undefined ? {} : { changes }),
          },
        ],
      }),
  }
  const { decisions } = await runOnToy(check, async () => {
    counters.first += 1
    if (isClumsy) counters.second += 1
    return { status: 204 }
  })
  return decisions.map(({ outcome }) => outcome)
}

it('lets a step change what it names', async () => {
  expect(await outcomes(false, ['first'])).toEqual(['verified', 'verified', 'verified'])
})

it('holds a step guilty of what changes beside it', async () => {
  expect(await outcomes(true, ['first'])).toEqual(['verified', 'verified', 'violated'])
  expect(await outcomes(false, undefined)).toEqual(['verified', 'verified', 'violated'])
})

it('holds a server guilty of what is wrong before the first step', async () => {
  expect((await outcomes(false, ['first'], 1))[0]).toBe('violated')
})
