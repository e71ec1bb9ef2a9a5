/** Defaults of a role that a read shows and that decide nothing. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { pkiEngine } from './engine.ts'
import { withRules } from './overlays.ts'
import type { Role } from './role.ts'
import type { PkiRules } from './rules.ts'
import type { Handle } from './wrappers.ts'

const { change } = faultsOf(pkiEngine)

const UNUSED: [field: keyof Role, clause: string, title: string, decides: (rules: PkiRules) => Partial<PkiRules>][] = [
  ['key_type', 'PKI-KEYTYPE-02', 'issues EC keys', () => ({ keyToIssue: () => ({ type: 'ec', bits: 256 }) })],
  [
    'key_bits',
    'PKI-KEYBITS-02',
    'issues RSA keys of 3072 bits',
    ({ keyToIssue }) => ({ keyToIssue: (role) => ({ ...keyToIssue(role), bits: 3072 }) }),
  ],
  ['not_before_duration', 'PKI-NOTBEFORE-02', 'dates nothing back', () => ({ validFrom: (_role, now) => now })],
  [
    'server_flag',
    'PKI-SERVER-02',
    'has no usage for servers',
    ({ flagUsages }) => ({ flagUsages: (role) => flagUsages({ ...role, server_flag: false }) }),
  ],
  [
    'client_flag',
    'PKI-CLIENT-02',
    'has no usage for clients',
    ({ flagUsages }) => ({ flagUsages: (role) => flagUsages({ ...role, client_flag: false }) }),
  ],
  [
    'code_signing_flag',
    'PKI-CODE-02',
    'has a usage for code',
    ({ flagUsages }) => ({ flagUsages: (role) => flagUsages({ ...role, code_signing_flag: true }) }),
  ],
  [
    'email_protection_flag',
    'PKI-EMAIL-02',
    'has a usage for email',
    ({ flagUsages }) => ({ flagUsages: (role) => flagUsages({ ...role, email_protection_flag: true }) }),
  ],
  ['allow_ip_sans', 'PKI-IPSANS-02', 'allows no addresses', () => ({ addressAllowed: () => false })],
]

for (const [field, clause, title, decides] of UNUSED) {
  const without = remembered(() => new Set<string>())
  const decided = (original: Handle): Handle =>
    withRules((rules, call) => (without(call.state).has(call.params.name!) ? decides(rules) : {}))(original)
  change(`unused-default-of-${field.replaceAll('_', '-')}`, clause, `a role without ${field} reads as documented and ${title}`, {
    routes: {
      'pki.writeRole': (original) => (call) => {
        const names = without(call.state)
        if (call.body[field] === undefined) names.add(call.params.name!)
        else names.delete(call.params.name!)
        return original(call)
      },
      'pki.issue': decided,
      'pki.sign': decided,
    },
  })
}
