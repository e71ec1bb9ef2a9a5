/** Faults in who asks, with what token, and which role is let near a connection. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'

const { rule: core } = faultsOf(coreEngine, 'database')

type Asked = { rules: object; path: string; method: string } | undefined
const at = (call: Asked, part: string): boolean =>
  call !== undefined && 'roleAllowed' in call.rules && `${call.path}/`.includes(`/${part}/`)

core('access-config-create-updates', ['DB-CAP-01'], 'create is enough to update a connection (001 4.1, C/U)', {
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed, call) || (at(call, 'config') && needed === 'update' && original(granted, 'create', call)),
})

core('access-role-update-creates', ['DB-CAP-02'], 'update is enough to create a role (001 4.1, C/U)', {
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed, call) || (at(call, 'roles') && needed === 'create' && original(granted, 'update', call)),
})

core('access-static-role-never-exists', ['DB-CAP-03'], 'every write of a static role counts as a creation (001 4.1, C/U)', {
  isUpdate: (original) => (exists, route) => route.id !== 'database.writeStaticRole' && original(exists, route),
})

core('access-config-always-exists', ['DB-CAP-01'], 'every write of a connection counts as an update (001 4.1, C/U)', {
  isUpdate: (original) => (exists, route) => route.id === 'database.writeConnection' || original(exists, route),
})
