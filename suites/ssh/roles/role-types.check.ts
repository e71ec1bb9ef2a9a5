import { check, type Json, type JsonObject } from '../../../harness/checks/index.ts'
import { caFields, otpFields, roleRead } from '../fixtures.ts'

/** What no server can take for text, number or truth value. */
const OBJECT: Json = { a: { b: ['c'] } }

/** Field, clause, and the role that it belongs to. */
const FIELDS: [field: string, clause: string, role: JsonObject][] = [
  ['key_type', 'SSH-KEYTYPE-03', otpFields()],
  ['key', 'SSH-KEYNAME-05', otpFields()],
  ['admin_user', 'SSH-ADMIN-04', otpFields()],
  ['default_user', 'SSH-DEFUSER-07', otpFields()],
  ['cidr_list', 'SSH-CIDR-10', otpFields()],
  ['exclude_cidr_list', 'SSH-EXCL-06', otpFields()],
  ['port', 'SSH-PORT-06', otpFields()],
  ['key_bits', 'SSH-BITS-04', otpFields()],
  ['install_script', 'SSH-SCRIPT-04', otpFields()],
  ['allowed_users', 'SSH-USERS-14', otpFields()],
  ['allowed_users_template', 'SSH-TEMPLATE-05', caFields()],
  ['allowed_domains', 'SSH-DOMAIN-06', caFields()],
  ['key_option_specs', 'SSH-OPTSPEC-03', otpFields()],
  ['ttl', 'SSH-TTL-07', caFields()],
  ['max_ttl', 'SSH-MAXTTL-06', caFields()],
  ['allowed_critical_options', 'SSH-CRITOPT-05', caFields()],
  ['allowed_extensions', 'SSH-EXT-06', caFields()],
  ['default_critical_options', 'SSH-DEFCRIT-06', caFields()],
  ['default_extensions', 'SSH-DEFEXT-06', caFields()],
  ['allow_user_certificates', 'SSH-USERCERT-04', caFields()],
  ['allow_host_certificates', 'SSH-HOSTCERT-04', caFields()],
  ['allow_bare_domains', 'SSH-BARE-05', caFields()],
  ['allow_subdomains', 'SSH-SUBDOM-07', caFields()],
  ['allow_user_key_ids', 'SSH-KEYID-05', caFields()],
  ['key_id_format', 'SSH-KEYFMT-05', caFields()],
  ['allowed_user_key_lengths', 'SSH-KEYLEN-05', caFields()],
  ['algorithm_signer', 'SSH-ALGO-06', caFields()],
]

for (const [field, clause, role] of FIELDS) {
  check(`ssh/role-type-${field}`, clause, `an object for ${field} of a role is refused`, async ({ bench }) => {
    const path = { name: bench.fresh('role') }
    await bench.refuses('ssh.writeRole', {
      bad: { path, body: { ...role, [field]: OBJECT } },
      control: { path, body: role },
      unchanged: roleRead(bench, path.name),
    })
  })
}
