import { expect, it } from 'vitest'
import { runOnToy } from '../../tests/support/toy-target.ts'
import { Blocked } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { recreates } from './recreated.ts'
import type { RunnableCheck } from './vocabulary.ts'

/** A thing with a field `size` that is 0 where it is not given; a server keeps of a deleted one what it keeps. */
const runOn = (kept: (deleted: JsonObject) => JsonObject, fallback = 0) => {
  const [things, gone] = [new Map<string, JsonObject>(), new Map<string, JsonObject>()]
  const check: RunnableCheck = {
    id: 'toy/recreated',
    engine: 'toy',
    clauses: ['TOY-DELETE'],
    title: 'what is made again is new',
    kind: 'scenario',
    needs: {},
    deadline: 1000,
    body: recreates('TOY-DELETE', {
      operations: { write: 'write', read: 'read', remove: 'remove' },
      recreations: async () => [
        { what: 'without its size', full: async () => ({ kind: 'a', size: 7 }), bare: async () => ({ kind: 'a' }) },
      ],
    }),
  }
  return runOnToy(check, async (operation, { path, body }) => {
    const name = path?.name ?? ''
    if (operation === 'write') things.set(name, { size: fallback, ...kept(gone.get(name) ?? {}), ...(body as JsonObject) })
    if (operation === 'read') return { status: 200, body: { data: things.get(name) ?? {} } }
    if (operation === 'remove') gone.set(name, things.get(name) ?? {})
    return { status: 204 }
  })
}

it('passes where what is made again is as one that was never there', async () => {
  expect((await runOn(() => ({}))).decisions.map(({ outcome }) => outcome)).toEqual(['verified'])
})

it('finds a field that outlives the deletion', async () => {
  expect((await runOn((deleted) => deleted)).decisions.map(({ outcome }) => outcome)).toEqual(['violated'])
})

it('decides nothing where what may be left out never shows', async () => {
  expect((await runOn(() => ({}), 7)).error).toBeInstanceOf(Blocked)
})
