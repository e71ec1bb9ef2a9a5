/** Faults in resources that are named by a self-link, and in forms of bindings that an update is given in. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { cloudcEngine } from './engine.ts'
import { nameOf, rolesetOf, withRules } from './loose-words.ts'
import type { CloudcCall } from './provider-calls.ts'
import type { Bindings } from './state.ts'

const { route } = faultsOf(cloudcEngine)

const CHANGES = ['cloudc.writeRoleset', 'cloudc.rotate', 'cloudc.deleteRoleset']

const isLink = (resource: string): boolean => resource.startsWith('https:')

const onlyNames = (bindings: Bindings): Bindings => Object.fromEntries(Object.entries(bindings).filter(([resource]) => !isLink(resource)))

/** Handles a change as if its roleset had been bound otherwise. */
const asIfBound = (call: CloudcCall, bindingsOf: (bindings: Bindings) => Bindings): void => {
  const roleset = rolesetOf(call)
  if (roleset) call.state.rolesets.set(nameOf(call), { ...roleset, bindings: bindingsOf(roleset.bindings) })
}

route(
  'links-not-taken-back',
  ['CLOUDC-BIND-07'],
  'rights on what was named by a self-link stay with the account that is replaced or removed (000 2.5: a resource name or a self-link URL)',
  ['cloudc.writeRoleset', 'cloudc.deleteRoleset'],
  (original) => (call) => {
    asIfBound(call, onlyNames)
    return original(call)
  },
)

route(
  'rotation-binds-names',
  ['CLOUDC-BIND-07', 'CLOUDC-BIND-09'],
  'a rotated account has no rights on what was named by a self-link (000 2.5: a resource name or a self-link URL)',
  'cloudc.rotate',
  withRules(() => ({ boundResources: onlyNames })),
)

route(
  'one-way-to-name',
  ['CLOUDC-BIND-07'],
  'where one resource is named by its name those named by a self-link are left out (000 2.5: a set of entries, each naming a resource)',
  CHANGES,
  withRules(() => ({
    boundResources: (bindings) => (Object.keys(bindings).some((resource) => !isLink(resource)) ? onlyNames(bindings) : bindings),
  })),
)

route(
  'updates-take-raw-text',
  ['CLOUDC-BIND-03', 'CLOUDC-BIND-04'],
  'an update takes bindings as they are only, not in base64 (000 2.5: raw or base64-encoded)',
  'cloudc.writeRoleset',
  withRules((call) => ({
    bindingsOf(text) {
      if (rolesetOf(call) && /^[A-Za-z0-9+/]+=*$/.test(text)) throw invalid('bindings are neither JSON nor in block syntax')
      return call.rules.bindingsOf(text)
    },
  })),
)
