/** Objects that are taken where the contract knows plain values. */

import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { isNested, requestNestedAs } from '../../faults/wrappers.ts'
import { sshEngine } from './engine.ts'
import { flattening } from './wrappers.ts'

const { route, change, declared } = faultsOf(sshEngine)

change('type-role-key', 'SSH-KEYNAME-05', 'an object for key of a role is taken for the key that was registered last', {
  routes: {
    'ssh.writeRole': (original) => (call) => {
      const { key } = call.body
      return original(isNested(key) ? { ...call, body: { ...call.body, key: [...call.state.keys.keys()].at(-1) ?? '' } } : call)
    },
  },
})
type Row = [field: string, clause: string, taken?: JsonObject[string]]
const rows: Row[] = [
  ['key_type', 'SSH-KEYTYPE-03', 'otp'],
  ['admin_user', 'SSH-ADMIN-04', 'root'],
  ['default_user', 'SSH-DEFUSER-07', 'object'],
  ['cidr_list', 'SSH-CIDR-10'],
  ['exclude_cidr_list', 'SSH-EXCL-06'],
  ['port', 'SSH-PORT-06'],
  ['key_bits', 'SSH-BITS-04'],
  ['install_script', 'SSH-SCRIPT-04'],
  ['allowed_users', 'SSH-USERS-14'],
  ['allowed_users_template', 'SSH-TEMPLATE-05', true],
  ['allowed_domains', 'SSH-DOMAIN-06'],
  ['key_option_specs', 'SSH-OPTSPEC-03'],
  ['ttl', 'SSH-TTL-07'],
  ['max_ttl', 'SSH-MAXTTL-06'],
  ['allowed_critical_options', 'SSH-CRITOPT-05'],
  ['allowed_extensions', 'SSH-EXT-06'],
  ['allow_user_certificates', 'SSH-USERCERT-04', true],
  ['allow_host_certificates', 'SSH-HOSTCERT-04', true],
  ['allow_bare_domains', 'SSH-BARE-05', true],
  ['allow_subdomains', 'SSH-SUBDOM-07', true],
  ['allow_user_key_ids', 'SSH-KEYID-05', true],
  ['key_id_format', 'SSH-KEYFMT-05', '[object Object]'],
  ['algorithm_signer', 'SSH-ALGO-06'],
]
const words = (text: string): string => text.replaceAll('_', '-')
for (const [field, clause, taken] of rows)
  route(`type-role-${words(field)}`, clause, `an object is taken for ${field} of a role`, 'ssh.writeRole', requestNestedAs(field, taken))
const maps: Row[] = [
  ['default_critical_options', 'SSH-DEFCRIT-06'],
  ['default_extensions', 'SSH-DEFEXT-06'],
  ['allowed_user_key_lengths', 'SSH-KEYLEN-05'],
]
for (const [field, clause] of maps)
  route(`type-role-${words(field)}`, clause, `objects are taken within ${field} of a role`, 'ssh.writeRole', flattening(field))
const others: [operation: string, ...row: Row][] = [
  ['createCredential', 'username', 'SSH-CREDS-14', ''],
  ['createCredential', 'ip', 'SSH-CREDS-15', '10.1.2.3'],
  ['lookupRoles', 'ip', 'SSH-LOOKUP-07', '10.1.2.3'],
  ['signKey', 'ttl', 'SSH-SIGN-18'],
  ['signKey', 'valid_principals', 'SSH-SIGN-20', 'ubuntu'],
  ['signKey', 'cert_type', 'SSH-SIGN-25'],
  ['signKey', 'key_id', 'SSH-SIGN-26'],
  ['writeCa', 'generate_signing_key', 'SSH-CA-25', false],
]
for (const [operation, field, clause, taken] of others)
  route(
    `type-${words(field)}-${operation.toLowerCase()}`,
    clause,
    `an object is taken for ${field}`,
    `ssh.${operation}`,
    requestNestedAs(field, taken),
  )
route('type-critical-options', 'SSH-SIGN-28', 'objects are taken within critical options', 'ssh.signKey', flattening('critical_options'))
route('type-extensions', 'SSH-SIGN-30', 'objects within extensions are left out', 'ssh.signKey', requestNestedAs('extensions'))

export const faults = declared
