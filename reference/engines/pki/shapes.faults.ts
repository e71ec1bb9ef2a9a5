import { faultsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'
import type { Handle } from './wrappers.ts'

const { route } = faultsOf(pkiEngine)

route(
  'shape-name-case',
  ['PKI-ROLE-01'],
  'role names that differ by case are one role (001 4.2, roles/:name)',
  ['pki.writeRole', 'pki.readRole', 'pki.deleteRole', 'pki.issue', 'pki.sign'],
  (original: Handle): Handle =>
    (call) =>
      original({ ...call, params: { ...call.params, name: (call.params.name ?? '').toLowerCase() } }),
)
