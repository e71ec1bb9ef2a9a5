import { check } from '../../../harness/checks/index.ts'
import { FOURTH_SCOPE, KEYS, needs, OTHER_SCOPE, placeFor, SCOPE, THIRD_SCOPE } from '../fixtures.ts'

check(
  'cloudc/roleset',
  ['CLOUDC-SET-01', 'CLOUDC-SET-02', 'CLOUDC-SET-08', 'CLOUDC-SET-09', 'CLOUDC-SET-10'],
  'a roleset is made, with an account at the provider, and read',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const name = place.name()
    const made = await bench.call('cloudc.writeRoleset', {
      path: { name },
      body: place.body({ token_scopes: [OTHER_SCOPE, THIRD_SCOPE, SCOPE] }),
    })
    await bench.decide('CLOUDC-SET-01', async () => {
      expect(made).toSucceed()
      await bench.eventually(async () => expect((await place.accounts()).length, 'accounts at the provider').toBe(1))
    })
    const read = await place.read(name)
    await bench.decide('CLOUDC-SET-02', () => expect(read).toHaveStatus(200))
    await bench.decide('CLOUDC-SET-08', () => expect(read.data.service_account_project).toBe(place.cloud.id))
    await bench.decide('CLOUDC-SET-09', () =>
      bench.eventually(async () => expect(await place.accounts()).toEqual([read.data.service_account_email])),
    )
    await bench.decide('CLOUDC-SET-10', () =>
      expect([...(read.data.token_scopes as string[])].sort()).toEqual([OTHER_SCOPE, THIRD_SCOPE, SCOPE].sort()),
    )
  },
)

check('cloudc/type-default', 'CLOUDC-SET-03', 'tokens are the default', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  const { secret_type: _type, ...body } = place.body()
  const name = place.name()
  expect(await bench.call('cloudc.writeRoleset', { path: { name }, body })).toSucceed()
  expect((await place.read(name)).data.secret_type).toBe('access_token')
  expect(await bench.call('cloudc.readToken', { path: { roleset: name } })).toHaveStatus(200)
})

check('cloudc/type-key', ['CLOUDC-SET-04', 'CLOUDC-SET-12'], 'a roleset for keys', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  const name = await place.keyRoleset()
  await bench.decide('CLOUDC-SET-04', async () => expect((await place.read(name)).data.secret_type).toBe('service_account_key'))
  // When it is made, and when it is updated.
  for (const other of [place.name(), name]) {
    const written = await bench.call('cloudc.writeRoleset', { path: { name: other }, body: place.body({ ...KEYS, token_scopes: [SCOPE] }) })
    await bench.decide('CLOUDC-SET-12', async () => {
      if (!written.ok) expect(written).toBeRefused()
      if (written.ok || other === name) expect((await place.read(other)).data.token_scopes ?? []).toEqual([])
    })
  }
})

check('cloudc/scopes-default', 'CLOUDC-SET-11', 'without scopes there are none', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  const { token_scopes: _scopes, ...body } = place.body()
  const name = place.name()
  const written = await bench.call('cloudc.writeRoleset', { path: { name }, body })
  expect(written).toSucceed()
  const { token_scopes: shown = [] } = (await place.read(name)).data
  expect(shown, 'a list, unless it is left out').toEqual([])
})

check('cloudc/scopes-verbatim', 'CLOUDC-SET-10', 'scopes are read letter by letter', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  for (const token_scopes of [[SCOPE], ['https://www.googleapis.com/auth/Mixed.Case'], ['https://example.com/auth/a b', 'email']]) {
    const name = place.name()
    // Whether a scope that the provider does not know is taken before it is used is not said.
    const written = await bench.call('cloudc.writeRoleset', { path: { name }, body: place.body({ token_scopes }) })
    if (!written.ok && token_scopes[0] !== SCOPE) continue
    expect(written).toSucceed()
    expect([...((await place.read(name)).data.token_scopes as string[])].sort()).toEqual([...token_scopes].sort())
  }
})

check('cloudc/scopes-update', 'CLOUDC-SET-20', 'scopes are updated, and the next token has them', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  const name = await place.roleset()
  await place.token(name)
  const all = [FOURTH_SCOPE, THIRD_SCOPE, OTHER_SCOPE, SCOPE]
  for (const token_scopes of [[OTHER_SCOPE], [SCOPE, OTHER_SCOPE], all, [THIRD_SCOPE, SCOPE, OTHER_SCOPE], [SCOPE], [], all.slice(1)]) {
    expect(await bench.call('cloudc.writeRoleset', { path: { name }, body: place.body({ token_scopes }) })).toSucceed()
    // An empty list may be left out of a read.
    const shown = ((await place.read(name)).data.token_scopes ?? []) as string[]
    expect([...shown].sort(), 'scopes read').toEqual([...token_scopes].sort())
    // What a token without scopes is good for is the provider's affair.
    if (token_scopes.length === 0) continue
    const info = await place.judge.tokenInfo(String((await place.token(name)).data.token))
    expect(info?.scopes).toEqual([...token_scopes].sort())
  }
})

check('cloudc/own-accounts', 'CLOUDC-SET-22', 'rolesets do not share an account', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  const names = [await place.roleset(), await place.roleset(), await place.keyRoleset()]
  const emails = await Promise.all(names.map((name) => place.email(name)))
  expect(new Set(emails).size).toBe(3)
  await bench.eventually(async () => expect((await place.accounts()).sort()).toEqual(emails.sort()))
})

check('cloudc/other-mount', 'CLOUDC-SET-28', 'a roleset belongs to its mount', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  const name = await place.roleset()
  expect(await place.read(name), 'in its own').toHaveStatus(200)
  const mount = await bench.mount('cloudc', { exclusive: true })
  await bench.given('cloudc.writeConfig', { mount, body: { credentials: place.cloud.credentials } })
  expect(await bench.call('cloudc.readRoleset', { mount, path: { name } })).toHaveStatus(404)
  expect(await bench.call('cloudc.readToken', { mount, path: { roleset: name } })).toHaveStatus(400, 404)
  expect(await bench.call('cloudc.listRolesets', { mount }), 'a listing of the other, which has none').toHaveStatus(404)
  expect(await place.read(name)).toHaveStatus(200)
})
