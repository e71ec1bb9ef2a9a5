/** Rolesets whose names are alike, and names that have to be escaped in a path. */
import { check, collection } from '../../../harness/checks/index.ts'
import { blocks, KEYS, needs, OTHER_SCOPE, placeFor, SCOPE } from '../fixtures.ts'

collection('cloudc/rolesets-alike', 'rolesets whose names are alike are kept apart', {
  ...needs(),
  emptied: { ...needs().needs, features: ['mounts'] },
  clauses: { read: 'CLOUDC-SET-02', listed: 'CLOUDC-SET-14', deleted: 'CLOUDC-SET-15' },
  operations: { write: 'cloudc.writeRoleset', read: 'cloudc.readRoleset', remove: 'cloudc.deleteRoleset', list: 'cloudc.listRolesets' },
  // Each has an account at the provider, and a new one when its bindings change.
  changing: ['service_account_email'],
  more: 35,
  async bodies(bench) {
    const place = await placeFor(bench)
    const { project, alpha, beta } = place.resources
    const { secret_type: _type, token_scopes: _scopes, ...plain } = place.body()
    return [
      place.body({ token_scopes: [SCOPE, OTHER_SCOPE] }),
      place.body({ bindings: blocks({ [alpha]: ['roles/pubsub.viewer'] }) }),
      { ...plain, bindings: blocks({ [beta]: ['roles/pubsub.publisher'] }) },
      place.body({
        secret_type: 'service_account_key',
        bindings: blocks({ [project]: ['roles/viewer'], [alpha]: ['roles/pubsub.publisher'] }),
      }),
      place.body({ token_scopes: [OTHER_SCOPE], bindings: blocks({ [project]: ['roles/browser'], [beta]: ['roles/pubsub.viewer'] }) }),
    ]
  },
})

/** Ends of names, each of which a URL spells otherwise. */
const ESCAPED = [' and more', '+plus', '@at', ':colon', '%41', 'é']

check('cloudc/escaped', 'CLOUDC-SET-14', 'names that a path has to escape are listed as they are', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  const names = [await place.roleset()]
  for (const end of ESCAPED) {
    const name = `${place.name()}${end}`
    bench.defer(() => bench.call('cloudc.deleteRoleset', { path: { name } }))
    // Which letters a name may have is not said.
    if ((await bench.call('cloudc.writeRoleset', { path: { name }, body: place.body() })).ok) names.push(name)
  }
  const { keys } = (await bench.given('cloudc.listRolesets')).data
  expect([...(keys as string[])].sort(), 'names that are listed').toEqual([...names].sort())
  for (const name of names) expect(await place.read(name), JSON.stringify(name)).toHaveStatus(200)
})

/** As short as names can be, and long ones. Names of one letter, or that begin with a digit, may be refused. */
const LENGTHS: ((fresh: string) => string)[] = [
  () => 'a',
  () => 'z',
  () => '7',
  () => 'ab',
  (fresh) => `${fresh}-${'x'.repeat(59 - fresh.length)}`,
]

check(
  'cloudc/short-and-long',
  ['CLOUDC-SET-01', 'CLOUDC-SET-02', 'CLOUDC-SET-14', 'CLOUDC-SET-15', 'CLOUDC-TOK-01', 'CLOUDC-ROT-01', 'CLOUDC-ROT-11'],
  'names of one letter and of many serve as any other',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const names: string[] = []
    for (const name of LENGTHS.map((nameOf) => place.name(nameOf(bench.fresh('n'))))) {
      const made = await bench.call('cloudc.writeRoleset', { path: { name }, body: place.body() })
      if (name.length > 1) await bench.decide('CLOUDC-SET-01', () => expect(made, name).toSucceed())
      if (!made.ok) continue
      names.push(name)
      const read = await place.read(name)
      await bench.decide('CLOUDC-SET-02', () => {
        expect(read, name).toHaveStatus(200)
        expect(read.data.service_account_project).toBe(place.cloud.id)
      })
      for (const [clause, operation, path] of [
        ['CLOUDC-TOK-01', 'cloudc.readToken', { roleset: name }],
        ['CLOUDC-ROT-11', 'cloudc.rotateKey', { name }],
        ['CLOUDC-ROT-01', 'cloudc.rotate', { name }],
      ] as const) {
        const answer = await bench.call(operation, { path })
        await bench.decide(clause, () => expect(answer, `${operation} of ${name}`).toSucceed())
      }
    }
    const { keys } = (await bench.given('cloudc.listRolesets')).data
    await bench.decide('CLOUDC-SET-14', () => expect([...(keys as string[])].sort()).toEqual([...names].sort()))
    for (const name of names) {
      const deleted = await bench.call('cloudc.deleteRoleset', { path: { name } })
      await bench.decide('CLOUDC-SET-15', async () => {
        expect(deleted, name).toSucceed()
        expect(await place.read(name), name).toHaveStatus(404)
      })
    }
  },
)

/** Names that an account's name can be made of alike: without other characters than letters, in lower case, cut at either end. */
const likeNames = (fresh: string): string[] => {
  const long = `${fresh}-${'x'.repeat(40)}`
  return [`${fresh}a`, `${fresh}-a`, `${fresh}.a`, `${fresh}_a`, `${fresh}-A`, `${long}1`, `${long}2`, `b-${long}1`]
}

check(
  'cloudc/accounts-alike',
  ['CLOUDC-SET-01', 'CLOUDC-SET-22'],
  'rolesets whose names are alike are all made, each with an account of its own',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const names: string[] = []
    for (const [index, name] of likeNames(bench.fresh('n')).entries()) {
      const input = { path: { name: place.name(name) }, body: place.body(index % 2 === 0 ? {} : KEYS) }
      const made = await bench.call('cloudc.writeRoleset', input)
      // Whether names may differ by case alone is not said.
      if (!made.ok && names.some((other) => other.toLowerCase() === name.toLowerCase())) continue
      if (!made.ok) {
        // Which letters a name may have is not said either: what is made alone has to be made beside others.
        for (const other of names) await bench.given('cloudc.deleteRoleset', { path: { name: other } })
        const alone = (await bench.call('cloudc.writeRoleset', input)).ok
        if (alone) await bench.given('cloudc.deleteRoleset', { path: input.path })
        for (const other of names) await bench.given('cloudc.writeRoleset', { path: { name: other }, body: place.body() })
        if (!alone) continue
      }
      await bench.decide('CLOUDC-SET-01', () => expect(made, `${name} beside ${names.join(', ')}`).toSucceed())
      if (made.ok) names.push(name)
    }
    const emails: string[] = []
    for (const name of names) emails.push(await place.email(name))
    await bench.decide('CLOUDC-SET-22', async () => {
      expect(new Set(emails).size, `accounts of ${names.join(', ')}`).toBe(names.length)
      await bench.eventually(async () => expect((await place.accounts()).sort()).toEqual([...emails].sort()))
    })
  },
)
