import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { needs, placeFor } from '../fixtures.ts'

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
refused('project-missing', 'CLOUDC-SET-06', 'no roleset without a project', [({ project: _project, ...rest }) => rest])
refused('bindings-missing', 'CLOUDC-SET-07', 'no roleset without bindings', [({ bindings: _bindings, ...rest }) => rest])
refused('objects', 'CLOUDC-SET-23', 'an object is no text', [
  (good) => ({ ...good, project: { a: {} } }),
  (good) => ({ ...good, secret_type: { a: {} } }),
])
refused('scope-object', 'CLOUDC-SET-24', 'an object is no scope', [(good) => ({ ...good, token_scopes: [{ a: {} }] })])

/** A member cannot be updated: refused, or nothing comes of it. */
const fixed = (id: string, clause: string, title: string, change: JsonObject, shown: string): void =>
  check(`cloudc/${id}`, clause, title, needs(), async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const name = await place.roleset()
    const before = await place.read(name)
    const written = await bench.call('cloudc.writeRoleset', { path: { name }, body: place.body(change) })
    if (!written.ok) expect(written).toBeRefused()
    const after = await place.read(name)
    expect(after.data[shown], shown).toBe(before.data[shown])
    expect(await bench.call('cloudc.readToken', { path: { roleset: name } }), 'it still gives tokens').toHaveStatus(200)
  })

fixed('project-fixed', 'CLOUDC-SET-18', 'the project stays', { project: 'another-project' }, 'service_account_project')
fixed('type-fixed', 'CLOUDC-SET-19', 'the secret type stays', { secret_type: 'service_account_key' }, 'secret_type')

check('cloudc/refused-leaves-nothing', 'CLOUDC-SET-27', 'what is refused leaves nothing', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  const good = await place.roleset()
  const accounts = await place.accounts()
  const bads: JsonObject[] = [{ secret_type: 'password' }, { bindings: 'resource {' }, { project: 'no-such-project-of-ours' }]
  for (const more of bads) {
    const name = place.name()
    const answer = await bench.call('cloudc.writeRoleset', { path: { name }, body: place.body(more), invalid: true })
    expect(answer.ok, 'it was accepted').toBe(false)
    expect(await place.read(name)).toHaveStatus(404)
    expect((await bench.given('cloudc.listRolesets')).data.keys).toEqual([good])
    await bench.eventually(async () => expect(await place.accounts(), 'accounts at the provider').toEqual(accounts))
  }
})
