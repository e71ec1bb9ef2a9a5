/** Faults that show in what comes second, continued: after an update of a role, an exported root, or a name that was refused. */
import { ApiError, invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { pkiEngine } from './engine.ts'
import { withRules } from './overlays.ts'
import type { PkiCall } from './requests.ts'
import type { Role } from './role.ts'
import type { PkiState } from './state.ts'

const { rule, route } = faultsOf(pkiEngine)

const nameOf = (call: PkiCall): string => call.params.name ?? ''

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

rule('update-never-unsets', [], 'an update does not turn off a flag of a role that was on (001 4.2, roles: create or update)', {
  writeRole: (original) => (previous, given, base) => {
    const kept = Object.entries(given).filter(([field, value]) => value === false && previous?.[field as keyof Role] === true)
    return { ...original(previous, given, base), ...Object.fromEntries(kept.map(([field]) => [field, true])) }
  },
})

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

const refusedNames = remembered(() => new Set<string>())
route(
  'refused-name-stays-refused',
  [],
  'a common name that a role once refused stays refused after an update allows it (001 4.2, roles: create or update)',
  'pki.issue',
  (original) => async (call) => {
    const name = `${nameOf(call)}/${textOf(call.body, 'common_name')}`
    if (refusedNames(call.state).has(name)) throw invalid('the name is not allowed by this role')
    try {
      return await original(call)
    } catch (cause) {
      const refused = cause instanceof ApiError && cause.messages.some((message) => /^common name .* is not allowed/.test(message))
      if (refused) refusedNames(call.state).add(name)
      throw cause
    }
  },
)
