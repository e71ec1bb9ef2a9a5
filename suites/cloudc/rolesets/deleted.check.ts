import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { blocks, needs, OTHER_SCOPE, placeFor, SCOPE } from '../fixtures.ts'

check('cloudc/unknown', ['CLOUDC-SET-13', 'CLOUDC-SET-25'], 'an unknown roleset is not found', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  await place.roleset()
  const path = { name: bench.fresh('unknown') }
  const read = await bench.call('cloudc.readRoleset', { path })
  await bench.decide('CLOUDC-SET-13', () => expect(read).toHaveStatus(404))
  bench.observe('CLOUDC-SET-25', (await bench.call('cloudc.deleteRoleset', { path, observing: true })).status)
})

check('cloudc/list', 'CLOUDC-SET-14', 'every roleset is listed', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  const names = [await place.roleset(), await place.keyRoleset(), await place.roleset()]
  const keys = async (): Promise<unknown[]> => [...((await bench.call('cloudc.listRolesets')).data.keys as unknown[])].sort()
  expect(await keys()).toEqual([...names].sort())
  await bench.given('cloudc.deleteRoleset', { path: { name: names[1]! } })
  expect(await keys()).toEqual([names[0], names[2]].sort())
})

check(
  'cloudc/delete',
  ['CLOUDC-SET-15', 'CLOUDC-SET-16', 'CLOUDC-SET-17'],
  'a deleted roleset is gone, here and at the provider',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const bindings = blocks({
      [place.resources.project]: ['roles/viewer', 'roles/browser'],
      [place.resources.alpha]: ['roles/pubsub.viewer'],
    })
    for (const [name, operation] of [
      [await place.roleset({ bindings }), 'cloudc.readToken'],
      [await place.keyRoleset({ bindings }), 'cloudc.readKey'],
    ] as const) {
      const neighbour = await place.roleset()
      const email = await place.email(name)
      await bench.eventually(async () => expect(Object.keys(await place.rights(email)).length, 'resources before').toBe(2))
      const deleted = await bench.call('cloudc.deleteRoleset', { path: { name } })
      await bench.decide('CLOUDC-SET-15', async () => {
        expect(deleted).toSucceed()
        expect(await place.read(name)).toHaveStatus(404)
        expect((await bench.given('cloudc.listRolesets')).data.keys).not.toContain(name)
        expect(await bench.call(operation, { path: { roleset: name } })).toHaveStatus(400, 404)
      })
      await bench.decide('CLOUDC-SET-16', () =>
        bench.eventually(async () => expect(await place.accounts(), 'accounts at the provider').not.toContain(email)),
      )
      await bench.decide('CLOUDC-SET-17', () => bench.eventually(async () => expect(await place.rights(email)).toEqual({})))
      expect(await bench.call('cloudc.readToken', { path: { roleset: neighbour } }), 'the neighbour').toHaveStatus(200)
    }
  },
)

check(
  'cloudc/again',
  ['CLOUDC-SET-21', 'CLOUDC-SET-29'],
  'a roleset made again may be of the other type',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const name = await place.roleset()
    const before = await place.email(name)
    await bench.given('cloudc.deleteRoleset', { path: { name } })
    const body = place.body({ secret_type: 'service_account_key' })
    const made = await bench.call('cloudc.writeRoleset', { path: { name }, body })
    const { secret_type, service_account_email } = (await place.read(name)).data
    await bench.decide('CLOUDC-SET-21', () => {
      expect(made).toSucceed()
      expect(secret_type, 'what the old one was has no say').toBe('service_account_key')
    })
    bench.observe('CLOUDC-SET-29', { account: service_account_email === before ? 'the same' : 'another' })
  },
)

check(
  'cloudc/again-defaults',
  ['CLOUDC-SET-03', 'CLOUDC-SET-11'],
  'a roleset made again has nothing of the one before it',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const { secret_type: _type, token_scopes: _scopes, ...plain } = place.body()
    for (const before of [{ token_scopes: [SCOPE, OTHER_SCOPE] }, { secret_type: 'service_account_key' }] as JsonObject[]) {
      const name = await place.roleset(before)
      await bench.given('cloudc.deleteRoleset', { path: { name } })
      expect(await bench.call('cloudc.writeRoleset', { path: { name }, body: plain })).toSucceed()
      const { secret_type, token_scopes = [] } = (await place.read(name)).data
      await bench.decide('CLOUDC-SET-03', () => expect(secret_type, 'secret_type').toBe('access_token'))
      await bench.decide('CLOUDC-SET-11', () => expect(token_scopes, 'token_scopes').toEqual([]))
    }
  },
)
