import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { blocks, needs, OTHER_SCOPE, placeFor, rightsFor, SCOPE } from '../fixtures.ts'

/** A roleset as it is read, without its account; the order of the roles at a resource is not said. */
const withoutAccount = ({ service_account_email: _email, bindings, ...rest }: Record<string, unknown>): unknown => {
  const sorted = Object.entries((bindings ?? {}) as Record<string, string[]>).map(([resource, roles]) => [resource, [...roles].sort()])
  return { ...rest, bindings: Object.fromEntries(sorted) }
}

check(
  'cloudc/rotate',
  ['CLOUDC-ROT-01', 'CLOUDC-ROT-02', 'CLOUDC-ROT-03', 'CLOUDC-ROT-04', 'CLOUDC-ROT-05', 'CLOUDC-ROT-06', 'CLOUDC-ROT-08'],
  'a rotation replaces the account and nothing else',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const first = { [place.resources.project]: ['roles/viewer', 'roles/browser'], [place.resources.beta]: ['roles/pubsub.viewer'] }
    const [name, neighbour] = [await place.roleset({ bindings: blocks(first) }), await place.roleset()]
    const other = await place.read(neighbour)
    const second = { [place.resources.alpha]: ['roles/pubsub.publisher'], [place.resources.project]: ['roles/browser'] }
    const write =
      (given: typeof first, more: JsonObject = {}) =>
      () =>
        bench.given('cloudc.writeRoleset', { path: { name }, body: place.body({ bindings: blocks(given), ...more }) })
    // At once again, and after everything else that changes a roleset, so that what is only right the first time shows.
    for (const [bindings, change] of [
      [first, async () => undefined],
      [first, async () => undefined],
      [second, write(second)],
      [second, async () => bench.call('cloudc.rotateKey', { path: { name } })],
      [second, write(second, { token_scopes: [OTHER_SCOPE, SCOPE] })],
      [first, write(first, { token_scopes: [OTHER_SCOPE] })],
    ] as const) {
      await change()
      const before = await place.read(name)
      const old = String(before.data.service_account_email)
      const rotated = await bench.call('cloudc.rotate', { path: { name } })
      await bench.decide('CLOUDC-ROT-01', () => {
        // Where warnings are generated, the answer may be 200 with them.
        if (rotated.status === 200) return expect(rotated.body, 'an answer with warnings').toMatchObject({ warnings: expect.anything() })
        expect(rotated).toHaveStatus(204)
        expect(rotated.text).toBe('')
      })
      // What did not happen says nothing of its effects.
      if (!rotated.ok) continue
      const after = await place.read(name)
      const email = String(after.data.service_account_email)
      await bench.decide('CLOUDC-ROT-02', () => expect(email).not.toBe(old))
      await bench.decide('CLOUDC-ROT-03', () => bench.eventually(async () => expect(await place.accounts()).not.toContain(old)))
      await bench.decide('CLOUDC-ROT-04', async () => {
        await bench.eventually(async () => expect(await place.rights(email)).toEqual(rightsFor(bindings)))
        await bench.eventually(async () => expect(await place.rights(old)).toEqual({}))
      })
      await bench.decide('CLOUDC-ROT-05', () => expect(withoutAccount(after.data)).toEqual(withoutAccount(before.data)))
      const token = await bench.call('cloudc.readToken', { path: { roleset: name } })
      await bench.decide('CLOUDC-ROT-06', async () => {
        expect(token).toHaveStatus(200)
        const info = await place.judge.tokenInfo(String(token.data.token))
        expect(info?.email).toBe(email)
        expect(info?.scopes).toEqual([...(after.data.token_scopes as string[])].sort())
      })
      await bench.decide('CLOUDC-ROT-08', async () => {
        expect((await place.read(neighbour)).data).toEqual(other.data)
        expect(await place.accounts()).toContain(other.data.service_account_email)
      })
    }
  },
)

check(
  'cloudc/rotate-keys',
  ['CLOUDC-ROT-07', 'CLOUDC-ROT-10', 'CLOUDC-ROT-08'],
  'keys issued before a rotation end with their account',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const [name, neighbour] = [await place.keyRoleset(), await place.keyRoleset()]
    const other = await place.key(neighbour)
    await place.logsIn(other, 'a key of the neighbour')
    for (const round of [1, 2, 3]) {
      const keys = await place.keys(name)
      for (const key of keys) await place.logsIn(key, 'a key before')
      const before = await place.email(name)
      const rotated = await bench.call('cloudc.rotate', { path: { name } })
      await bench.decide('CLOUDC-ROT-10', async () => {
        expect(rotated).toSucceed()
        expect(await place.email(name), `the account after ${round} rotations`).not.toBe(before)
        await bench.eventually(async () => expect(await place.accounts()).not.toContain(before))
        const fresh = await place.key(name)
        expect(fresh.facts.email).toBe(await place.email(name))
        await place.logsIn(fresh, 'a new key')
      })
      await bench.decide('CLOUDC-ROT-07', async () => {
        for (const { file } of keys) await bench.eventually(async () => (await place.judge.login(file)) === undefined)
      })
      await bench.decide('CLOUDC-ROT-08', async () => expect(await place.judge.login(other.file)).toBeDefined())
    }
  },
)

check(
  'cloudc/rotate-key',
  ['CLOUDC-ROT-11', 'CLOUDC-ROT-12', 'CLOUDC-ROT-13', 'CLOUDC-ROT-16'],
  'the key of the account is replaced, the account stays',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const name = await place.roleset()
    const nothing = async () => undefined
    // What a deletion leaves at the provider is CLOUDC-SET-16.
    const left = new Set<string>()
    // At first, at once again, and after everything else that changes a roleset.
    const changes = [
      nothing,
      nothing,
      () => bench.call('cloudc.rotate', { path: { name } }),
      () => bench.call('cloudc.rotate', { path: { name } }),
      nothing,
      () =>
        bench.given('cloudc.writeRoleset', {
          path: { name },
          body: place.body({ bindings: blocks({ [place.resources.project]: ['roles/browser'] }), token_scopes: [SCOPE, OTHER_SCOPE] }),
        }),
      async () => {
        left.add(await place.email(name))
        await bench.given('cloudc.deleteRoleset', { path: { name } })
        await bench.given('cloudc.writeRoleset', { path: { name }, body: place.body() })
      },
    ]
    for (const change of bench.few(changes, 4)) {
      await change()
      const before = await place.read(name)
      const email = String(before.data.service_account_email)
      if (left.has(email)) continue
      const old = await bench.eventually(async () => {
        const ids = await place.keyIds(email)
        expect(ids?.length, 'keys before').toBe(1)
        return ids
      })
      const rotated = await bench.call('cloudc.rotateKey', { path: { name } })
      await bench.decide('CLOUDC-ROT-11', () => {
        // Where warnings are generated, the answer may be 200 with them.
        if (rotated.status === 200) return expect(rotated.body, 'an answer with warnings').toMatchObject({ warnings: expect.anything() })
        expect(rotated).toHaveStatus(204)
        expect(rotated.text).toBe('')
      })
      await bench.decide('CLOUDC-ROT-12', async () => {
        expect((await place.read(name)).data).toEqual(before.data)
        await bench.eventually(async () => expect((await place.accounts()).filter((one) => !left.has(one))).toEqual([email]))
      })
      await bench.decide('CLOUDC-ROT-13', async () => {
        await bench.eventually(async () => {
          const ids = await place.keyIds(email)
          expect(ids?.length, 'keys of the account').toBe(1)
          expect(ids).not.toEqual(old)
        })
      })
      const token = await bench.call('cloudc.readToken', { path: { roleset: name } })
      await bench.decide('CLOUDC-ROT-16', async () => {
        expect(token).toHaveStatus(200)
        const info = await place.judge.tokenInfo(String(token.data.token))
        expect(info?.email).toBe(email)
        expect(info?.scopes).toEqual([...(before.data.token_scopes as string[])].sort())
      })
    }
  },
)

check('cloudc/rotate-key-type', 'CLOUDC-ROT-14', 'rolesets for keys have no key to rotate', needs(), async ({ bench }) => {
  const place = await placeFor(bench)
  const [name, good] = [await place.keyRoleset(), await place.roleset()]
  const key = await place.key(name)
  await place.logsIn(key, 'the key')
  await bench.refuses('cloudc.rotateKey', {
    bad: { path: { name } },
    control: { path: { name: good } },
    unchanged: async () => [(await place.read(name)).data, await place.keyIds(key.facts.email)],
  })
})

for (const [id, clause, operation] of [
  ['rotate-unknown', 'CLOUDC-ROT-09', 'cloudc.rotate'],
  ['rotate-key-unknown', 'CLOUDC-ROT-15', 'cloudc.rotateKey'],
] as const)
  check(`cloudc/${id}`, clause, 'an unknown roleset is not rotated', needs(), async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const name = await place.roleset()
    const gone = await place.roleset()
    const left = await place.email(gone)
    await bench.given('cloudc.deleteRoleset', { path: { name: gone } })
    for (const unknown of [bench.fresh('unknown'), gone])
      expect(await bench.call(operation, { path: { name: unknown } }), unknown).toHaveStatus(400, 404)
    expect(await bench.call(operation, { path: { name } }), 'a known one').toSucceed()
    await bench.eventually(async () => expect((await place.accounts()).filter((one) => one !== left).length).toBe(1))
  })
