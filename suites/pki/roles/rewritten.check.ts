/** Every field of a role counts in an update as it does at creation: switched on and off, filled and emptied, raised and lowered. */
import { rewritten } from '../../../harness/checks/index.ts'
import { ownMount, withRoot } from '../fixtures.ts'
import { roleSettings } from './role-settings.ts'

rewritten('pki/role-rewritten', 'PKI-ROLE-02', 'every field of a role counts in an update', {
  needs: ownMount,
  operations: { write: 'pki.writeRole', read: 'pki.readRole' },
  async settings({ bench }) {
    await withRoot(bench)
    return roleSettings(bench)
  },
})
