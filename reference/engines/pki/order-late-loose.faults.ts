/** Faults that show in what comes second, continued: after an update of a role, an exported root, or a name that was refused. */
import { faultsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'
import { withRules } from './overlays.ts'
import type { PkiState } from './state.ts'

const { rule, route } = faultsOf(pkiEngine)

rule(
  'update-adds-domains',
  ['PKI-ROLE-02'],
  'an update adds to the allowed_domains of a role and takes none away (001 4.2, roles: create or update)',
  {
    writeRole: (original) => (previous, given, base) => {
      const role = original(previous, given, base)
      return { ...role, allowed_domains: [...new Set([...(previous?.allowed_domains ?? []), ...role.allowed_domains])] }
    },
  },
)

const exported = new WeakSet<PkiState>()
route(
  'internal-after-exported',
  ['PKI-ROOT-05'],
  'an internal root returns its key where a root of the mount was exported before (001 4.2: internal, never returned)',
  'pki.generateRoot',
  withRules((rules, call) => ({
    returnsKey: (type) => {
      if (rules.returnsKey(type)) exported.add(call.state)
      return exported.has(call.state)
    },
  })),
)
