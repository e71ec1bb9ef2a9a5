/** Two roles that differ in one field: what the one gives is not a matter of the other, whichever was written, used or deleted last. */
import { check } from '../../../harness/checks/index.ts'
import { ownMount, withRoot } from '../fixtures.ts'
import { roleSettings } from './role-settings.ts'

check(
  'pki/roles-side-by-side',
  'PKI-APART-01',
  'of two roles that differ in one field each gives what it says, with the other beside it and without',
  { needs: ownMount, deadline: 300_000 },
  async ({ bench, expect }) => {
    await withRoot(bench)
    for (const { what, bodies, look } of await roleSettings(bench)) {
      const [one, other] = [bench.mixedName('one'), bench.mixedName('other')]
      // A value that the target does not take is decided by the clauses of its field.
      if (!(await bench.call('pki.writeRole', { path: { name: one }, body: bodies[0] })).ok) continue
      const alone = await look(one)
      if (!(await bench.call('pki.writeRole', { path: { name: other }, body: bodies[1] })).ok) continue
      const besideOne = await look(other)
      const beside = await look(one)
      await bench.decide('PKI-APART-01', () => expect(beside, `${what}: once another role was written and used`).toEqual(alone))
      await bench.given('pki.deleteRole', { path: { name: one } })
      // The first time right after the other was used, the second time after itself.
      for (const time of ['first', 'second']) {
        const left = await look(other)
        await bench.decide('PKI-APART-01', () => expect(left, `${what}: the ${time} time once the other was deleted`).toEqual(besideOne))
      }
      // The next two have nothing beside them.
      await bench.given('pki.deleteRole', { path: { name: other } })
    }
  },
)
