/** Roles come, change and go. */
import { check, type JsonObject, judgeCrl } from '../../../harness/checks/index.ts'
import { crlOf, issue, obtain, openRole, ownMount, quickKey, readBySerial, sameText, WAYS, withRoot } from '../fixtures.ts'
import { comparable, roleBodies, roleFields, switchBodies } from './role-fields.ts'

check(
  'pki/role-round-trip',
  ['PKI-ROLE-01', 'PKI-ROLE-02', 'PKI-ROLE-09'],
  'a role reads back as it was written, at first and again',
  { needs: ownMount },
  async ({ bench, expect }) => {
    const compared = (role: JsonObject) => Object.fromEntries(roleFields.map((field) => [field.name, comparable(field, role[field.name])]))
    const updated = bench.mixedName('role')
    for (const [at, body] of roleBodies().entries())
      for (const [name, clause] of [
        [bench.mixedName('role'), 'PKI-ROLE-01'],
        [updated, at === 0 ? 'PKI-ROLE-01' : 'PKI-ROLE-02'],
      ] as const) {
        const written = await bench.call('pki.writeRole', { path: { name }, body })
        const read = await bench.call('pki.readRole', { path: { name } })
        await bench.decide(clause, () => {
          expect(written).toSucceed()
          expect(compared(read.data), `the role of body ${at + 1}`).toEqual(compared(body))
        })
        await bench.decide('PKI-ROLE-09', () => expect(read.data).toHaveProperty('allowed_domains'))
      }
  },
)

check(
  'pki/role-switches',
  'PKI-ROLE-01',
  'each switch of a role is read as it was written',
  { needs: ownMount },
  async ({ bench, expect }) => {
    for (const body of switchBodies()) {
      const path = { name: bench.mixedName('role') }
      expect(await bench.call('pki.writeRole', { path, body }), `a role of ${JSON.stringify(body)}`).toSucceed()
      const { data } = await bench.given('pki.readRole', { path })
      expect(Object.fromEntries(Object.keys(body).map((name) => [name, data[name]])), 'its switches').toEqual(body)
    }
  },
)

check(
  'pki/role-update',
  ['PKI-ROLE-02', 'PKI-ROLE-08'],
  'writing to an existing name updates the role',
  { needs: ownMount },
  async ({ bench, expect }) => {
    const name = bench.mixedName('role')
    await bench.given('pki.writeRole', { path: { name }, body: { allowed_domains: ['one.example'], allow_subdomains: true, ttl: '1h' } })
    const updated = await bench.call('pki.writeRole', { path: { name }, body: { allowed_domains: ['two.example'] } })
    const read = await bench.given('pki.readRole', { path: { name } })
    await bench.decide('PKI-ROLE-02', () => {
      expect(updated).toSucceed()
      expect(read.data.allowed_domains).toEqual(['two.example'])
    })
    bench.observe('PKI-ROLE-08', { resets: read.data.allow_subdomains === false })
  },
)

check('pki/role-follows', 'PKI-ISSUE-17', 'certificates follow the role as it is now', { needs: ownMount }, async (context) => {
  const { bench, expect } = context
  await withRoot(bench)
  const path = { name: await openRole(bench, { ou: 'zero' }) }
  await issue(context, path.name)
  for (const ou of ['one', 'two', 'three']) {
    await bench.given('pki.writeRole', { path, body: { allow_any_name: true, ttl: '1h', ...quickKey, ou } })
    for (const way of WAYS)
      for (const use of ['first', 'second'])
        expect((await obtain(context, way, path.name)).facts.subject.OU, `the ${use} time after it was written, ${way}`).toEqual([ou])
  }
})

check('pki/role-unknown', 'PKI-ROLE-03', 'an unknown role gives 404', { needs: ownMount }, async ({ bench, expect }) => {
  expect(await bench.call('pki.readRole', { path: { name: bench.fresh('nobody') } })).toHaveStatus(404)
  expect(await bench.call('pki.readRole', { path: { name: await openRole(bench) } })).toHaveStatus(200)
})

check('pki/role-list', 'PKI-ROLE-04', 'roles are listed by name', { needs: ownMount }, async ({ bench, expect }) => {
  const names = [await openRole(bench), await openRole(bench)]
  const listing = await bench.call('pki.listRoles')
  expect(listing).toHaveStatus(200)
  expect(Array.isArray(listing.data.keys)).toBe(true)
  for (const name of names) expect(listing.data.keys).toContain(name)
})

check(
  'pki/role-delete',
  ['PKI-ROLE-05', 'PKI-ROLE-06', 'PKI-ROLE-07'],
  'a deleted role issues no more, and its certificates stay valid',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    const [role, kept] = [await openRole(bench), await openRole(bench)]
    const made = await issue(context, role)
    const deleted = await bench.call('pki.deleteRole', { path: { name: role } })
    await bench.decide('PKI-ROLE-05', async () => {
      expect(deleted).toSucceed()
      expect(await bench.call('pki.readRole', { path: { name: role } })).toHaveStatus(404)
      const keys = (await bench.call('pki.listRoles')).data.keys
      expect(keys).not.toContain(role)
      expect(keys).toContain(kept)
      expect(await bench.call('pki.issue', { path: { name: role }, body: { common_name: 'www.example.com' } })).toBeRefused()
    })
    await bench.decide('PKI-ROLE-06', async () => {
      const read = await readBySerial(bench, String(made.answer.data.serial_number))
      expect(sameText(read.data.certificate)).toBe(sameText(made.certificate))
      expect(Number(read.data.revocation_time ?? 0)).toBe(0)
    })
    bench.observe('PKI-ROLE-07', { again: (await bench.call('pki.deleteRole', { path: { name: role }, observing: true })).status })
  },
)

check('pki/role-delete-crl', 'PKI-ROLE-10', 'deleting a role revokes nothing', { needs: ownMount }, async (context) => {
  const { bench, expect } = context
  const ca = await withRoot(bench)
  const [role, other] = [await openRole(bench), await openRole(bench)]
  const [made, revoked] = [await issue(context, role), await issue(context, other)]
  await bench.given('pki.deleteRole', { path: { name: role } })
  await bench.given('pki.revoke', { body: { serial_number: String(revoked.answer.data.serial_number) } })
  const { serials } = await judgeCrl(bench, await crlOf(bench), ca)
  if (!serials.includes(revoked.facts.serial)) bench.blocked('the CRL does not show what was revoked last', 'see PKI-REVOKE-08 first')
  expect(serials).not.toContain(made.facts.serial)
})
