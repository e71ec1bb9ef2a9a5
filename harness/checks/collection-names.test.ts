import { expect, it } from 'vitest'
import { type Handler, runOnToy } from '../../tests/support/toy-target.ts'
import type { JsonObject } from '../base/json.ts'
import { keptAsWritten } from './collection-names.ts'
import type { RunnableCheck } from './vocabulary.ts'

const check: RunnableCheck = {
  id: 'toy/alike-as-written',
  engine: 'toy',
  clauses: ['TOY-READ', 'TOY-LIST'],
  title: 'names are kept as they are written',
  kind: 'scenario',
  needs: {},
  deadline: 1000,
  body: keptAsWritten({
    at: { kind: 'round' },
    clauses: { read: 'TOY-READ', listed: 'TOY-LIST', deleted: 'TOY-DELETE' },
    operations: { write: 'write', read: 'read', remove: 'remove', list: 'list' },
    bodies: async (): Promise<JsonObject[]> => [{ size: 1 }, { size: 2 }],
  }),
}

/** A shelf that takes the names that `isTaken` says, and lists them as `listed` does. */
const shelf = (isTaken: (name: string) => boolean, listed = (name: string): string => name): Handler => {
  const things = new Map<string, JsonObject>()
  return async (operation, { path, body }) => {
    const name = path?.name ?? ''
    if (path?.kind !== 'round') return { status: 404 }
    if (operation === 'write' && !isTaken(name)) return { status: 400 }
    if (operation === 'write') things.set(name, body as JsonObject)
    if (operation === 'list') return { status: 200, body: { data: { keys: [...things.keys()].map(listed) } } }
    return { status: operation === 'remove' || things.has(name) ? 200 : 404 }
  }
}

const decided = async (handler: Handler): Promise<string[]> => {
  const { decisions, error } = await runOnToy(check, handler)
  expect(error).toBeUndefined()
  return [...new Set(decisions.map(({ clause, outcome }) => `${clause} ${outcome}`))].sort()
}

it('decides reading and listing by the names that are taken', async () => {
  expect(await decided(shelf(() => true))).toEqual(['TOY-LIST verified', 'TOY-READ verified'])
  expect(await decided(shelf((name) => name.endsWith('~b')))).toEqual(['TOY-LIST verified', 'TOY-READ verified'])
})

it('finds names that are listed in another form', async () => {
  expect(await decided(shelf(() => true, encodeURIComponent))).toEqual(['TOY-LIST violated', 'TOY-READ verified'])
})

it('only observes both clauses where no such name is taken', async () => {
  expect(await decided(shelf(() => false))).toEqual(['TOY-LIST observed', 'TOY-READ observed'])
})
