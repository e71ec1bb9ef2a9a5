/** A role that is deleted and made again under its name. */
import { check, type JsonObject, recreated } from '../../../harness/checks/index.ts'
import { ownMount } from '../fixtures.ts'

const KINDS: Record<string, [bare: JsonObject, more: JsonObject]> = {
  otp: [
    { key_type: 'otp', default_user: 'ubuntu', cidr_list: '10.0.0.0/8' },
    { port: 2222, exclude_cidr_list: '10.9.0.0/16', allowed_users: 'deploy,guest' },
  ],
  ca: [
    { key_type: 'ca', allow_user_certificates: true },
    {
      default_user: 'ubuntu',
      allowed_users: 'deploy,guest',
      allowed_domains: 'example.com',
      ttl: '10m',
      max_ttl: '5h',
      allowed_extensions: 'permit-pty',
      default_extensions: { 'permit-pty': '' },
      allowed_critical_options: 'force-command',
      default_critical_options: { 'force-command': '/bin/true' },
      allow_host_certificates: true,
      allow_bare_domains: true,
      allow_subdomains: true,
      allow_user_key_ids: true,
      key_id_format: 'by-{{role_name}}',
    },
  ],
}

for (const [kind, [bare, more]] of Object.entries(KINDS))
  recreated(
    `ssh/${kind}-role-recreated`,
    'SSH-ROLE-01',
    `a role of kind ${kind} that is made again has nothing of the deleted one, nor of another`,
    {
      ...ownMount,
      operations: { write: 'ssh.writeRole', read: 'ssh.readRole', remove: 'ssh.deleteRole' },
      recreations: async () => [{ what: 'without its optional fields', full: async () => ({ ...bare, ...more }), bare: async () => bare }],
    },
  )

check(
  'ssh/role-of-another-kind',
  'SSH-ROLE-06',
  'a role that is made again as another kind is listed as that kind',
  ownMount,
  async ({ bench, expect }) => {
    const name = bench.mixedName('role')
    for (const kind of ['otp', 'ca', 'otp']) {
      await bench.given('ssh.writeRole', { path: { name }, body: KINDS[kind]![0] })
      const { data } = await bench.given('ssh.listRoles')
      const info = (data.key_info ?? {}) as Record<string, JsonObject>
      expect(info[name]?.key_type, `listed as made again: ${kind}`).toBe(kind)
      await bench.given('ssh.deleteRole', { path: { name } })
    }
  },
)
