import { describe, expect, it } from 'vitest'
import { runOnToy } from '../../tests/support/toy-target.ts'
import type { JsonObject } from '../base/json.ts'
import { ReadBack } from './read-back.ts'
import type { RunnableCheck } from './vocabulary.ts'

type Things = Map<string, JsonObject>

/** Two things are written and a third one comes and goes; `slip` is what goes wrong in between. */
const runOn = async (slip: (things: Things) => void) => {
  const things: Things = new Map([['connection', { size: 1 }]])
  const check: RunnableCheck = {
    id: 'toy/read-back',
    engine: 'toy',
    clauses: ['TOY-READ'],
    title: 'things stay as they were written',
    kind: 'model',
    needs: {},
    deadline: 1000,
    async body({ bench, expect: judged }) {
      const kept = await ReadBack.begin(bench, {
        read: 'read',
        list: 'list',
        bystanders: [{ operation: 'read', input: { path: { name: 'connection' } } }],
      })
      for (const name of ['one', 'two', 'gone']) {
        await bench.call('write', { path: { name }, body: { size: name.length } })
        await kept.written(name)
      }
      await bench.call('remove', { path: { name: 'gone' } })
      kept.removed('gone')
      slip(things)
      await bench.decide('TOY-READ', () => kept.agrees({ bench, expect: judged }, ['one', 'two', 'gone', 'never']))
    },
  }
  const ran = await runOnToy(check, async (operation, { path, body }) => {
    const name = path?.name ?? ''
    if (operation === 'list') return { status: 200, body: { data: { keys: [...things.keys()] } } }
    if (operation === 'write') things.set(name, body as JsonObject)
    if (operation === 'remove') things.delete(name)
    const found = things.get(name)
    if (operation === 'read' && found !== undefined) return { status: 200, body: { data: found } }
    return { status: operation === 'read' ? 404 : 204 }
  })
  return ran.decisions.map(({ outcome }) => outcome)
}

describe('what is read back', () => {
  it('agrees where nothing has changed', async () => {
    expect(await runOn(() => undefined)).toEqual(['verified'])
  })

  it.each<[string, (things: Things) => void]>([
    ['a neighbour that changed', (things) => things.set('two', { size: 4 })],
    ['a member that came', (things) => things.set('one', { size: 3, colour: 'red' })],
    ['one that is gone', (things) => things.delete('one')],
    ['one that came back', (things) => things.set('gone', { size: 4 })],
    ['a bystander that changed', (things) => things.set('connection', { size: 2 })],
  ])('finds %s', async (_what, slip) => {
    expect(await runOn(slip)).toEqual(['violated'])
  })
})
