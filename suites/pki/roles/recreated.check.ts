/** A role that is deleted and made again under its name. */
import { recreated } from '../../../harness/checks/index.ts'
import { ownMount } from '../fixtures.ts'
import { roleFields } from './role-fields.ts'

recreated('pki/role-recreated', 'PKI-ROLE-05', 'a role that is made again has nothing of the deleted one, nor of another', {
  needs: ownMount,
  operations: { write: 'pki.writeRole', read: 'pki.readRole', remove: 'pki.deleteRole' },
  recreations: async () => [
    {
      what: 'without any field',
      full: async () => ({ ...Object.fromEntries(roleFields.map(({ name, other }) => [name, other])), ext_key_usage: ['CodeSigning'] }),
      bare: async () => ({}),
    },
  ],
})
