import { expect, it } from 'vitest'
import { type Handler, runOnToy } from '../../tests/support/toy-target.ts'
import type { Json, JsonObject } from '../base/json.ts'
import type { CallInput } from '../target/exchange.ts'
import { collects } from './collection.ts'
import type { RunnableCheck } from './vocabulary.ts'

type Things = Map<string, JsonObject>

const check: RunnableCheck = {
  id: 'toy/alike',
  engine: 'toy',
  clauses: ['TOY-READ', 'TOY-LIST', 'TOY-DELETE'],
  title: 'things are kept apart',
  kind: 'scenario',
  needs: {},
  deadline: 1000,
  body: collects({
    clauses: { read: 'TOY-READ', listed: 'TOY-LIST', deleted: 'TOY-DELETE' },
    operations: { write: 'write', read: 'read', remove: 'remove', list: 'list' },
    more: 3,
    bodies: async (): Promise<JsonObject[]> => [{ size: 1, open: true }, { size: 2 }, { size: 3 }],
  }),
}

const callerOf = ({ as }: CallInput): string => (typeof as === 'object' ? as.name : 'root')

/** A shelf that works; `bug` may answer a request instead. */
const shelf = (bug?: (things: Things, operation: string, input: CallInput) => Json | undefined): Handler => {
  const things: Things = new Map()
  return async (operation, input) => {
    const planted = bug?.(things, operation, input)
    if (planted !== undefined) return { status: 200, body: { data: planted } }
    const name = input.path?.name ?? ''
    if (operation === 'write') things.set(name, input.body as JsonObject)
    if (operation === 'list') return { status: 200, body: { data: { keys: [...things.keys()] } } }
    if (operation === 'remove') return { status: things.delete(name) ? 204 : 404 }
    const thing = things.get(name)
    return thing === undefined ? { status: 404 } : { status: 200, body: { data: thing } }
  }
}

const violatedOn = async (...[handler, options]: [Handler, { withoutIdentities?: boolean }?]): Promise<string[]> => {
  const { decisions, error } = await runOnToy(check, handler, options)
  expect(error).toBeUndefined()
  return [...new Set(decisions.filter(({ outcome }) => outcome === 'violated').map(({ clause }) => clause))].sort()
}

it('passes where things are kept apart, with another caller and without', async () => {
  expect(await violatedOn(shelf())).toEqual([])
  expect(await violatedOn(shelf(), { withoutIdentities: true })).toEqual([])
})

it('lets two callers write, delete, read and list', async () => {
  const seen = new Set<string>()
  await violatedOn(shelf((_things, operation, input) => void seen.add(`${operation} ${callerOf(input)}`)))
  expect([...seen].sort()).toEqual(['list', 'read', 'remove', 'write'].flatMap((one) => [`${one} root`, `${one} somebody`]))
})

it('finds a read that remembers for a caller what another one changes', async () => {
  const known = new Map<string, JsonObject>()
  const remembers = shelf((things, operation, input) => {
    const key = `${callerOf(input)} ${input.path?.name}`
    if (operation !== 'read') known.delete(key)
    const thing = known.get(key) ?? things.get(input.path?.name ?? '')
    if (operation !== 'read' || thing === undefined) return undefined
    known.set(key, thing)
    return thing
  })
  expect(await violatedOn(remembers)).toEqual(['TOY-DELETE', 'TOY-READ'])
})

it('finds a listing that has what a caller wrote, and nothing else', async () => {
  const writers = new Map<string, string>()
  const ofOne = shelf((things, operation, input) => {
    if (operation === 'write') writers.set(input.path?.name ?? '', callerOf(input))
    return operation === 'list' ? { keys: [...things.keys()].filter((name) => writers.get(name) === callerOf(input)) } : undefined
  })
  expect(await violatedOn(ofOne)).toEqual(['TOY-LIST'])
})

it('finds names that are taken for one, and what is not kept at all', async () => {
  const folded = shelf((things, operation, input) => {
    const name = (input.path?.name ?? '').replaceAll('_', '-')
    if (operation === 'write') things.set(name, input.body as JsonObject)
    return operation === 'read' ? things.get(name) : undefined
  })
  expect(await violatedOn(folded)).toContain('TOY-READ')
  const loses = shelf((_things, operation) => (operation === 'write' ? {} : undefined))
  expect(await violatedOn(loses)).toContain('TOY-READ')
})
