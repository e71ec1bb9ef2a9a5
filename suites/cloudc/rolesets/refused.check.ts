import { check, type JsonObject, textsIn } from '../../../harness/checks/index.ts'
import { blocks, KEYS, needs, placeFor, SCOPE } from '../fixtures.ts'

/** A creation is refused and leaves nothing; the good one succeeds. */
const refused = (id: string, clause: string, title: string, bads: ((good: JsonObject) => JsonObject)[]): void =>
  check(`cloudc/${id}`, clause, title, needs(), async ({ bench }) => {
    const place = await placeFor(bench)
    for (const bad of bads) {
      const path = { name: place.name() }
      const body = bad(place.body())
      await bench.refuses('cloudc.writeRoleset', {
        bad: { path, body },
        control: { path, body: place.body() },
        unchanged: async () => [(await place.read(path.name)).status, (await place.settled()).length],
        label: Object.keys(body).join(', '),
      })
    }
  })

refused('type-unknown', 'CLOUDC-SET-05', 'a secret type has to be one of two', [
  (good) => ({ ...good, secret_type: 'password' }),
  (good) => ({ ...good, secret_type: 'access_tokens' }),
])

/** Texts like the two types, and parts of them. */
const LIKE_TYPES = ['access-token', 'service account key', 'accesstoken', 'token', 'service_account']

check('cloudc/type-alike', 'CLOUDC-SET-05', 'what is like a secret type is none', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  // Without scopes, which are refused of one for keys: the type alone is at fault.
  const { token_scopes: _scopes, ...plain } = place.body()
  const asked = (name: string, secret_type: string) => ({ path: { name }, body: { ...plain, secret_type } })
  const names = LIKE_TYPES.map(() => place.name())
  for (const [index, type] of LIKE_TYPES.entries()) {
    const answer = await bench.call('cloudc.writeRoleset', { ...asked(names[index]!, type), invalid: true })
    expect(answer, JSON.stringify(type)).toBeRefused()
    expect(await place.read(names[index]!), `the roleset of type ${JSON.stringify(type)}`).toHaveStatus(404)
  }
  // The types themselves are taken under the same names, and no account is there but theirs.
  for (const [index, type] of ['access_token', 'service_account_key'].entries())
    await bench.given('cloudc.writeRoleset', asked(names[index]!, type))
  expect((await place.settled()).length, 'accounts at the provider').toBe(2)
})

/** The same for keys: scopes are for tokens alone. */
const forKeys = ({ token_scopes: _scopes, ...rest }: JsonObject): JsonObject => ({ ...rest, secret_type: 'service_account_key' })

refused('project-missing', 'CLOUDC-SET-06', 'no roleset of either type without a project', [
  ({ project: _project, ...rest }) => rest,
  ({ project: _project, ...rest }) => forKeys(rest),
])
refused('bindings-missing', 'CLOUDC-SET-07', 'no roleset of either type without bindings', [
  ({ bindings: _bindings, ...rest }) => rest,
  ({ bindings: _bindings, ...rest }) => forKeys(rest),
])
refused('objects', 'CLOUDC-SET-23', 'an object is not text', [
  (good) => ({ ...good, project: { a: {} } }),
  (good) => ({ ...good, secret_type: { a: {} } }),
])
refused('scope-object', 'CLOUDC-SET-24', 'an object is not a scope', [(good) => ({ ...good, token_scopes: [{ a: {} }] })])

/** Members that cannot be updated, for each kind of roleset: refused, or nothing comes of it. */
const fixed = (
  id: string,
  clause: string,
  title: string,
  shown: string,
  change: (isForTokens: boolean, other: string) => JsonObject,
): void =>
  check(`cloudc/${id}`, [clause, 'CLOUDC-SET-12'], title, needs(), async ({ bench, expect }) => {
    const place = await placeFor(bench)
    for (const isForTokens of [true, false]) {
      const kind: JsonObject = isForTokens ? {} : KEYS
      const name = await place.roleset(kind)
      const before = await place.read(name)
      const put = (more: JsonObject) =>
        bench.call('cloudc.writeRoleset', { path: { name }, body: place.body({ ...kind, ...more }), invalid: true })
      const names = async () => textsIn((await bench.given('cloudc.listRolesets')).data.keys).sort()
      const listed = await names()
      for (const _time of bench.few([1, 2], 1)) {
        const written = await put(change(isForTokens, place.name()))
        const after = await place.read(name)
        await bench.decide(clause, async () => {
          if (!written.ok) expect(written).toBeRefused()
          expect(await names(), 'the rolesets that are there').toEqual(listed)
          expect(after.data[shown], shown).toBe(before.data[shown])
          const operation = isForTokens ? 'cloudc.readToken' : 'cloudc.readKey'
          expect(await bench.call(operation, { path: { roleset: name } }), 'it still gives its secrets').toHaveStatus(200)
        })
        if (!isForTokens)
          await bench.decide('CLOUDC-SET-12', () => expect(after.data.token_scopes ?? [], 'scopes of one for keys').toEqual([]))
      }
      // What can be updated still is.
      const again = await put({ bindings: blocks({ [place.resources.project]: ['roles/browser'] }) })
      await bench.decide(clause, async () => {
        expect(again).toSucceed()
        expect((await place.read(name)).data[shown], shown).toBe(before.data[shown])
      })
    }
  })

fixed('project-fixed', 'CLOUDC-SET-18', 'the project stays', 'service_account_project', () => ({ project: 'another-project' }))
fixed('name-fixed', 'CLOUDC-SET-30', 'the name stays', 'service_account_project', (_isForTokens, name) => ({ name }))
fixed('type-fixed', 'CLOUDC-SET-19', 'the secret type stays', 'secret_type', (isForTokens) =>
  isForTokens ? KEYS : { secret_type: 'access_token', token_scopes: [SCOPE] },
)

check(
  'cloudc/refused-leaves-nothing',
  ['CLOUDC-SET-27', 'CLOUDC-FAIL-06'],
  'what is refused leaves nothing',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const good = await place.roleset()
    const accounts = await place.accounts()
    const bads: JsonObject[] = [{ secret_type: 'password' }, { bindings: 'resource {' }, { project: 'no-such-project-of-ours' }]
    for (const more of bads) {
      const name = place.name()
      const answer = await bench.call('cloudc.writeRoleset', { path: { name }, body: place.body(more), invalid: true })
      // The provider may refuse the project at first use instead.
      if (more.project !== undefined && answer.ok) {
        const token = await bench.call('cloudc.readToken', { path: { roleset: name } })
        await bench.decide('CLOUDC-SET-27', () => expect(token.ok, 'a token of an unknown project').toBe(false))
        await bench.given('cloudc.deleteRoleset', { path: { name } })
        continue
      }
      await bench.decide('CLOUDC-SET-27', async () => {
        expect(answer.ok, 'it was accepted').toBe(false)
        expect(await place.read(name)).toHaveStatus(404)
        expect((await bench.given('cloudc.listRolesets')).data.keys).toEqual([good])
      })
      await bench.decide(more.project === undefined ? 'CLOUDC-SET-27' : 'CLOUDC-FAIL-06', () =>
        bench.eventually(async () => expect(await place.accounts(), 'accounts at the provider').toEqual(accounts)),
      )
    }
  },
)
