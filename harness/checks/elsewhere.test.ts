import { expect, it } from 'vitest'
import { type Handler, runOnToy } from '../../tests/support/toy-target.ts'
import type { JsonObject } from '../base/json.ts'
import { standsApart } from './elsewhere.ts'
import type { RunnableCheck } from './vocabulary.ts'

const check = (
  bodies: readonly JsonObject[] = [{ size: 1 }, { size: 2 }, { size: 3 }],
  late?: Parameters<typeof standsApart>[2],
): RunnableCheck => ({
  id: 'toy/elsewhere',
  engine: 'toy',
  clauses: ['TOY-APART'],
  title: 'things of one name are kept apart',
  kind: 'scenario',
  needs: {},
  deadline: 1000,
  body: standsApart(
    {
      type: 'toy',
      clause: 'TOY-APART',
      operations: { write: 'write', read: 'read', remove: 'remove', list: 'list' },
      uses: { operation: 'use' },
      bodies: async () => bodies,
    },
    async () => [
      ['one mount', 'a'],
      ['the other', 'ab'],
    ],
    late,
  ),
})

type Keys = (operation: string, mount: string, name: string) => string

/** Mounts that work; `keyOf` may take one thing for another. */
const mounts = (keyOf: Keys = (_, mount, name) => `${mount} ${name}`): Handler => {
  const things = new Map<string, JsonObject>()
  return async (operation, { mount = '', path, body }) => {
    const key = keyOf(operation, mount, path?.name ?? '')
    if (operation === 'write') things.set(key, body as JsonObject)
    if (operation === 'list') {
      const own = [...things.keys()].filter((one) => one.startsWith(key))
      return own.length === 0 ? { status: 404 } : { status: 200, body: { data: { keys: own.map((one) => one.split(' ')[1]!) } } }
    }
    if (operation === 'remove') return { status: things.delete(key) ? 204 : 404 }
    const thing = things.get(key)
    return thing === undefined ? { status: 404 } : { status: 200, body: { data: thing } }
  }
}

const outcomesOn = async (handler: Handler): Promise<string[]> => {
  const { decisions, error } = await runOnToy(check(), handler)
  expect(error).toBeUndefined()
  return [...new Set(decisions.map(({ outcome }) => outcome))]
}

it('passes where each mount has its own things', async () => {
  expect(await outcomesOn(mounts())).toEqual(['verified'])
})

it.each<[string, Keys]>([
  ['all mounts share their things', (_, _mount, name) => `all ${name}`],
  ['a listing goes by the beginning of the path', (operation, mount, name) => (operation === 'list' ? mount : `${mount} ${name}`)],
  ['what is missing is served by its like in another mount', (operation, mount, name) => `${operation === 'use' ? 'a' : mount} ${name}`],
  ['a deletion goes to the first mount', (operation, mount, name) => `${operation === 'remove' ? 'a' : mount} ${name}`],
  [
    'a read goes to the mount of the last write',
    (() => {
      let last = ''
      return (operation, mount, name) => {
        if (operation === 'write') last = mount
        return `${operation === 'read' ? last : mount} ${name}`
      }
    })(),
  ],
])('finds that %s', async (_, keyOf) => {
  expect(await outcomesOn(mounts(keyOf))).toContain('violated')
})

it.each<[string, Keys, string]>([
  ['passes where a mount that is made afterwards has nothing', (_, mount, name) => `${mount} ${name}`, 'verified'],
  ['finds that it has what the first has', (_, mount, name) => `${mount === 'later' ? 'a' : mount} ${name}`, 'violated'],
])('%s', async (_, keyOf, outcome) => {
  const { decisions } = await runOnToy(
    check(undefined, async () => 'later'),
    mounts(keyOf),
  )
  expect([...new Set(decisions.map((one) => one.outcome))]).toContain(outcome)
  expect(decisions.some((one) => one.outcome === 'violated')).toBe(outcome === 'violated')
})

it('is blocked where what is written cannot be told apart', async () => {
  const { error } = await runOnToy(check([{ size: 1 }, { size: 1 }, { size: 1 }]), mounts())
  expect(String(error)).toMatch(/read alike/)
})
