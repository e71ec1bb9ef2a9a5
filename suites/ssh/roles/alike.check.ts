/** Roles whose names are alike. */
import { collection } from '../../../harness/checks/index.ts'
import { caFields, hostFields, otpFields, ownMount } from '../fixtures.ts'

collection('ssh/roles-alike', 'roles whose names are alike are kept apart', {
  ...ownMount,
  clauses: { read: 'SSH-ROLE-03', listed: 'SSH-ROLE-05', deleted: 'SSH-ROLE-08' },
  alone: { type: 'ssh', spelled: ['CORE-NS-01', 'CORE-NS-02', 'CORE-NS-03'] },
  operations: { write: 'ssh.writeRole', read: 'ssh.readRole', remove: 'ssh.deleteRole', list: 'ssh.listRoles' },
  bodies: async () => [
    otpFields({ port: 2200, cidr_list: '10.1.0.0/16', allowed_users: 'ubuntu,admin' }),
    caFields({ default_extensions: { 'permit-pty': '' }, allowed_extensions: 'permit-pty' }),
    otpFields({ default_user: 'guest', exclude_cidr_list: '10.1.2.3/32' }),
    hostFields({ ttl: '20m', default_critical_options: { 'force-command': '/bin/true' } }),
    caFields({ ttl: '30m', max_ttl: '2h', allow_subdomains: true, allowed_domains: 'example.com' }),
  ],
  async bystanders(bench, names) {
    const [dying, staying] = [names[0]!, `${names[0]}zero`]
    await bench.given('ssh.writeRole', { path: { name: staying }, body: otpFields({ port: 2222 }) })
    await bench.given('ssh.writeZeroAddress', { body: { roles: `${dying},${staying}` } })
    // What becomes of a deleted role's own place on the list is not said; the other's stays.
    return async () => {
      const { data } = await bench.call('ssh.readZeroAddress')
      return Array.isArray(data?.roles) && data.roles.includes(staying)
    }
  },
})
