/** Roles of one name in several places. */
import { elsewhere } from '../../../harness/checks/index.ts'
import { caFields, otpFields } from '../fixtures.ts'

elsewhere('ssh/roles-elsewhere', 'roles of one name', {
  type: 'ssh',
  clause: 'SSH-APART-01',
  operations: { write: 'ssh.writeRole', read: 'ssh.readRole', remove: 'ssh.deleteRole', list: 'ssh.listRoles' },
  uses: { operation: 'ssh.createCredential', input: { body: { ip: '10.1.2.3' } } },
  bodies: async () => [
    otpFields({ port: 2200, cidr_list: '10.1.0.0/16' }),
    caFields({ default_extensions: { 'permit-pty': '' }, allowed_extensions: 'permit-pty' }),
    otpFields({ default_user: 'guest' }),
  ],
})
