import { expect, it } from 'vitest'
import { runOnToy } from '../../tests/support/toy-target.ts'
import { Blocked } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { rewrites } from './rewritten.ts'
import type { CheckContext, RunnableCheck } from './vocabulary.ts'

/** A thing of two fields, `size` and `open`; an update takes of the body what the server does with it. */
const runOn = (
  updated: (before: JsonObject, body: JsonObject) => JsonObject,
  shows: (thing: JsonObject) => JsonObject = (thing) => thing,
) => {
  const things = new Map<string, JsonObject>()
  const check: RunnableCheck = {
    id: 'toy/rewritten',
    engine: 'toy',
    clauses: ['TOY-UPDATE'],
    title: 'an update counts',
    kind: 'scenario',
    needs: {},
    deadline: 1000,
    body: rewrites('TOY-UPDATE', {
      operations: { write: 'write', read: 'read' },
      settings: async ({ bench }: CheckContext) => [
        {
          what: 'size',
          bodies: [
            { size: 1, open: false },
            { size: 2, open: false },
          ],
          look: async (name) => (await bench.call('use', { path: { name } })).data,
        },
        {
          what: 'open',
          bodies: [
            { size: 1, open: true },
            { size: 1, open: false },
          ],
          look: async (name) => (await bench.call('use', { path: { name } })).data,
        },
      ],
    }),
  }
  return runOnToy(check, async (operation, { path, body }) => {
    const name = path?.name ?? ''
    const before = things.get(name)
    if (operation === 'write') {
      things.set(name, before === undefined ? (body as JsonObject) : updated(before, body as JsonObject))
      return { status: 204 }
    }
    return { status: 200, body: { data: operation === 'use' ? shows(before ?? {}) : { name } } }
  })
}

const outcomesOf = async (...server: Parameters<typeof runOn>) => (await runOn(...server)).decisions.map(({ outcome }) => outcome)

it('passes where an update is what a new one with that body is', async () => {
  expect(await outcomesOf((_, body) => body)).toEqual(['verified', 'verified', 'verified', 'verified'])
})

it('finds a field that updates leave as it was', async () => {
  expect(await outcomesOf((before, body) => ({ ...body, size: before.size ?? 0 }))).toEqual([
    'violated',
    'verified',
    'verified',
    'verified',
  ])
})

it('finds a switch that cannot be turned off', async () => {
  const sticky = (before: JsonObject, body: JsonObject) => ({ ...body, open: before.open === true || body.open === true })
  expect(await outcomesOf(sticky)).toEqual(['verified', 'verified', 'violated', 'verified'])
})

it('decides nothing where no field shows at all', async () => {
  expect(
    (
      await runOn(
        (_, body) => body,
        () => ({}),
      )
    ).error,
  ).toBeInstanceOf(Blocked)
})
