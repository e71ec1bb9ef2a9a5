/** Faults of the parameters of roles: what is required, and how values read. */

import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { requestBody } from '../../faults/wrappers.ts'
import { sshEngine } from './engine.ts'
import type { SshRules } from './rules.ts'
import type { KeyType, Role } from './state.ts'
import { nameOf, type SshCall } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(sshEngine)

rule('port-high', 'SSH-PORT-03', 'ports above 32767 are refused', {
  portAllowed: (original) => (port) => original(port) && port < 32_768,
})
const existing = (call: SshCall): Role | undefined => call.state.roles.get(nameOf(call))
change('empty-exclusion-ignored', 'SSH-ROLE-02', 'an update cannot empty the excluded blocks', {
  routes: {
    'ssh.writeRole': requestBody((body: JsonObject, call: SshCall) =>
      existing(call) && body.exclude_cidr_list === '' ? { ...body, exclude_cidr_list: null } : body,
    ),
  },
})
const showing: [name: string, clause: string, title: string, kind: KeyType, change: (role: Role) => JsonObject][] = [
  ['otp-user-shown', 'SSH-DEFUSER-03', 'the default user of an otp role reads as empty', 'otp', () => ({ default_user: '' })],
  [
    'dynamic-user-shown',
    'SSH-DEFUSER-04',
    'the administrator is shown for the user',
    'dynamic',
    (role) => ({ default_user: role.admin_user }),
  ],
  ['cidr-shown', 'SSH-CIDR-02', 'the first block only is shown', 'otp', (role) => ({ cidr_list: role.cidr_list.split(',')[0] ?? '' })],
  ['port-shown', 'SSH-PORT-03', 'the port always reads as 22', 'otp', () => ({ port: 22 })],
  ['key-name-shown', 'SSH-KEYNAME-02', 'the name of the key is masked', 'dynamic', () => ({ key: '******' })],
  ['admin-shown', 'SSH-ADMIN-02', 'the user is shown for the administrator', 'dynamic', (role) => ({ admin_user: role.default_user })],
  ['ttl-shown', 'SSH-TTL-04', 'ttl is shown in whole hours', 'ca', (role) => ({ ttl: `${Math.floor(role.ttl / 3600)}h` })],
  ['max-ttl-shown', 'SSH-MAXTTL-03', 'max_ttl is shown in minutes', 'ca', (role) => ({ max_ttl: String(role.max_ttl / 60) })],
  ['critical-list-shown', 'SSH-CRITOPT-04', 'the list of critical options reads as empty', 'ca', () => ({ allowed_critical_options: '' })],
  ['extension-list-shown', 'SSH-EXT-05', 'the list of extensions reads as a star', 'ca', () => ({ allowed_extensions: '*' })],
  ['critical-defaults-shown', 'SSH-DEFCRIT-05', 'default critical options read as empty', 'ca', () => ({ default_critical_options: {} })],
  [
    'extension-defaults-shown',
    'SSH-DEFEXT-05',
    'default extensions read without their values',
    'ca',
    (role) => ({ default_extensions: Object.fromEntries(Object.keys(role.default_extensions).map((name) => [name, ''])) }),
  ],
]
/** Shows some members of one kind of role wrongly. */
const shown =
  (kind: KeyType, change: (role: Role) => JsonObject) =>
  (original: SshRules['readRole']): SshRules['readRole'] =>
  (role) => ({ ...original(role), ...(role.key_type === kind ? change(role) : {}) })
for (const [name, clause, title, kind, change] of showing) rule(name, clause, title, { readRole: shown(kind, change) })
const flags: [field: keyof Role, clause: string][] = [
  ['allow_bare_domains', 'SSH-BARE-04'],
  ['allow_subdomains', 'SSH-SUBDOM-06'],
  ['allow_user_certificates', 'SSH-USERCERT-03'],
  ['allow_host_certificates', 'SSH-HOSTCERT-03'],
  ['allow_user_key_ids', 'SSH-KEYID-04'],
]
const words = (field: string): string => field.replaceAll('_', '-')
for (const [field, clause] of flags)
  rule(`default-${words(field)}`, clause, `${field} is true by default`, {
    defaults: (original) => () => ({ ...original(), [field]: true }),
  })
for (const [field, clause] of flags)
  rule(`shown-${words(field)}`, clause, `${field} always reads false`, { readRole: shown('ca', () => ({ [field]: false })) })
/** Gives one kind of role another port where the request names none. */
const port = (kind: KeyType) => requestBody<SshCall>((body) => (body.key_type === kind ? { port: 2222, ...body } : body))
route('default-otp-port', 'SSH-PORT-01', 'the port of an otp role is 2222', 'ssh.writeRole', port('otp'))
route('default-dynamic-port', 'SSH-PORT-02', 'the port of a dynamic role is 2222', 'ssh.writeRole', port('dynamic'))

export const faults = declared
