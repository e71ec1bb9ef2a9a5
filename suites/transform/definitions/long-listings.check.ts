/** Listings of more names than a page of anything holds. */
import { type Bench, check, type JsonObject } from '../../../harness/checks/index.ts'

/** More than a hundred. */
const MANY = 110

const LISTED: { word: string; write: string; list: string; remove: string; clause: string; body(bench: Bench): Promise<JsonObject> }[] = [
  {
    word: 'alphabet',
    write: 'transform.writeAlphabet',
    list: 'transform.listAlphabets',
    remove: 'transform.deleteAlphabet',
    clause: 'TRANSFORM-ALPHABET-05',
    body: async () => ({ alphabet: '0123456789' }),
  },
  {
    word: 'template',
    write: 'transform.writeTemplate',
    list: 'transform.listTemplates',
    remove: 'transform.deleteTemplate',
    clause: 'TRANSFORM-TEMPLATE-05',
    async body(bench) {
      const alphabet = bench.mixedName('alphabet')
      await bench.given('transform.writeAlphabet', { path: { name: alphabet }, body: { alphabet: '0123456789' } })
      return { type: 'regex', pattern: '([0-9]{6})', alphabet }
    },
  },
  {
    word: 'role',
    write: 'transform.writeRole',
    list: 'transform.listRoles',
    remove: 'transform.deleteRole',
    clause: 'TRANSFORM-ROLE-05',
    body: async () => ({ transformations: [] }),
  },
  {
    word: 'transformation',
    write: 'transform.writeTokenization',
    list: 'transform.listTransformations',
    remove: 'transform.deleteTransformation',
    clause: 'TRANSFORM-READ-06',
    body: async () => ({ allowed_roles: [] }),
  },
]

for (const { word, write, list, remove, clause, body } of LISTED)
  check(`transform/many-${word}s`, clause, `a listing has ${MANY} names and loses only what is deleted`, async ({ bench, expect }) => {
    const given = await body(bench)
    const names = Array.from({ length: MANY }, () => bench.fresh(word))
    for (const name of names) await bench.given(write, { path: { name }, body: given })
    const missing = async (method: string): Promise<string[]> => {
      const { keys } = (await bench.given(list, { method })).data
      return names.filter((name) => !(keys as string[]).includes(name))
    }
    for (const method of ['LIST', 'GET']) expect(await missing(method), `not listed by ${method}`).toEqual([])
    const gone = [names[0]!, names[MANY / 2]!, names.at(-1)!]
    for (const name of gone) await bench.given(remove, { path: { name } })
    for (const method of ['LIST', 'GET']) expect((await missing(method)).sort(), `no longer listed by ${method}`).toEqual([...gone].sort())
    for (const name of names) await bench.call(remove, { path: { name } })
  })
