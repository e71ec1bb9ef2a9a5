import { type Bench, check, type Json, type JsonObject } from '../../../harness/checks/index.ts'
import { caFields, otpFields, refusesRole, userPair } from '../fixtures.ts'

/** What no server can take for text, number or truth value. */
const OBJECT: Json = { a: { b: ['c'] } }

type Kind = (bench: Bench) => Promise<JsonObject>

const otp: Kind = async () => otpFields()
const ca: Kind = async () => caFields()
const dynamic: Kind = async (bench) => {
  const key = bench.mixedName('key')
  await bench.given('ssh.writeKey', { path: { name: key }, body: { key: userPair().privateKey } })
  return otpFields({ key_type: 'dynamic', key, admin_user: 'root' })
}

/** Field, clause, and the kind of role that it belongs to: what another kind makes of it is open. */
const FIELDS: [field: string, clause: string, kind: Kind][] = [
  ['key_type', 'SSH-KEYTYPE-03', otp],
  ['key', 'SSH-KEYNAME-05', dynamic],
  ['admin_user', 'SSH-ADMIN-04', dynamic],
  ['default_user', 'SSH-DEFUSER-07', otp],
  ['cidr_list', 'SSH-CIDR-10', otp],
  ['exclude_cidr_list', 'SSH-EXCL-06', otp],
  ['port', 'SSH-PORT-06', otp],
  ['key_bits', 'SSH-BITS-04', dynamic],
  ['install_script', 'SSH-SCRIPT-04', dynamic],
  ['allowed_users', 'SSH-USERS-14', otp],
  ['allowed_users_template', 'SSH-TEMPLATE-05', ca],
  ['allowed_domains', 'SSH-DOMAIN-06', ca],
  ['key_option_specs', 'SSH-OPTSPEC-03', dynamic],
  ['ttl', 'SSH-TTL-07', ca],
  ['max_ttl', 'SSH-MAXTTL-06', ca],
  ['allowed_critical_options', 'SSH-CRITOPT-05', ca],
  ['allowed_extensions', 'SSH-EXT-06', ca],
  ['default_critical_options', 'SSH-DEFCRIT-06', ca],
  ['default_extensions', 'SSH-DEFEXT-06', ca],
  ['allow_user_certificates', 'SSH-USERCERT-04', ca],
  ['allow_host_certificates', 'SSH-HOSTCERT-04', ca],
  ['allow_bare_domains', 'SSH-BARE-05', ca],
  ['allow_subdomains', 'SSH-SUBDOM-07', ca],
  ['allow_user_key_ids', 'SSH-KEYID-05', ca],
  ['key_id_format', 'SSH-KEYFMT-05', ca],
  ['allowed_user_key_lengths', 'SSH-KEYLEN-05', ca],
  ['algorithm_signer', 'SSH-ALGO-06', ca],
]

for (const [field, clause, kind] of FIELDS) {
  check(`ssh/role-type-${field}`, clause, `an object for ${field} of a role is refused`, async ({ bench }) => {
    const role = await kind(bench)
    await refusesRole(bench, { ...role, [field]: OBJECT }, role)
  })
}
