/** Faults of bindings: how they are read, and what is made of them at the provider. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../faults/declare.ts'
import { decodedText, readBindings } from './bindings.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcCall } from './provider-calls.ts'
import type { Bindings } from './state.ts'
import { nameOf, rolesetOf, withRules } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(cloudcEngine)

rule('bind-no-blocks', 'CLOUDC-BIND-01', 'block syntax is not known', {
  bindingsOf: (original) => (text) => {
    if (text.startsWith('resource')) throw invalid('bindings are not JSON')
    return original(text)
  },
})
const isJson = (text: string): boolean => text.trimStart().startsWith('{')
rule('bind-no-json', 'CLOUDC-BIND-02', 'JSON is taken for block syntax', {
  bindingsOf: (original) => (text) => {
    if (isJson(text)) throw invalid('bindings are not in block syntax')
    return original(text)
  },
})
rule('bind-base64-raw', ['CLOUDC-BIND-03', 'CLOUDC-BIND-04'], 'base64 is not decoded', { bindingsOf: () => readBindings })
rule('bind-base64-json', 'CLOUDC-BIND-04', 'base64 of JSON is taken for block syntax', {
  bindingsOf: (original) => (text) => {
    if (!isJson(text) && isJson(decodedText(text))) throw invalid('bindings are not in block syntax')
    return original(text)
  },
})
const first = (bindings: Bindings): Bindings => Object.fromEntries(Object.entries(bindings).slice(0, 1))
rule('bind-first-resource', 'CLOUDC-BIND-05', 'the first resource is bound only', { boundResources: () => first })
const firstRoles = (bindings: Bindings): Bindings =>
  Object.fromEntries(Object.entries(bindings).map(([resource, roles]) => [resource, roles.slice(0, 1)]))
rule('bind-first-role', 'CLOUDC-BIND-06', 'the first role is given only', { boundResources: () => firstRoles })
rule('bind-no-links', 'CLOUDC-BIND-07', 'self-links are not known', {
  policyUrls: (original) => (resource) => {
    if (resource.startsWith('https:')) throw invalid(`${resource} is not a resource`)
    return original(resource)
  },
})
rule('bind-too-much', 'CLOUDC-BIND-08', 'every account may look at the first resource as well', {
  boundResources: () => (bindings) =>
    Object.fromEntries(
      Object.entries(bindings).map(([resource, roles], index) => [resource, index === 0 ? [...roles, 'roles/editor'] : roles]),
    ),
})
rule('bind-shown-sorted', 'CLOUDC-BIND-09', 'the first role of a resource is shown only', { shownBindings: () => firstRoles })
rule('bind-merged', 'CLOUDC-BIND-10', 'a change adds to what was bound before', { changesBindings: () => () => false })
rule('bind-removes-others', 'CLOUDC-BIND-11', 'giving a right back takes the rights of others too', { membersWithout: () => () => [] })
rule('bind-unknown-role', 'CLOUDC-BIND-12', 'roles that the provider does not know are left out', {
  boundResources: () => (bindings) =>
    Object.fromEntries(
      Object.entries(bindings).map(([resource, roles]) => [resource, roles.filter((role) => !/nobody|nothing/.test(role))]),
    ),
})
rule('bind-unknown-resource', 'CLOUDC-BIND-13', 'resources that the provider does not know are left out', {
  boundResources: () => (bindings) => Object.fromEntries(Object.entries(bindings).filter(([resource]) => !resource.endsWith('-unknown'))),
})
rule('bind-broken', 'CLOUDC-BIND-14', 'broken text stands for no bindings', {
  bindingsOf: (original) => async (text) => {
    try {
      return await original(text)
    } catch {
      return {}
    }
  },
})
rule('bind-no-list', 'CLOUDC-BIND-15', 'roles other than a list count as none', {
  bindingsOf: (original) => async (text) => {
    try {
      return await original(text)
    } catch (error) {
      if (String(error).includes('must be a list')) return {}
      throw error
    }
  },
})
change('bind-early-store', 'CLOUDC-BIND-16', 'a change that is refused is still shown', {
  routes: {
    'cloudc.writeRoleset': (original) => async (call) => {
      const before = call.state.rolesets.get(call.params.name ?? '')
      try {
        return await original(call)
      } catch (error) {
        if (before !== undefined) call.state.rolesets.set(call.params.name ?? '', { ...before, bindings: {} })
        throw error
      }
    },
  },
})
rule('bind-base64-nothing', 'CLOUDC-BIND-17', 'base64 of a text without bindings stands for none', {
  bindingsOf: (original) => async (text) => {
    try {
      return await original(text)
    } catch (error) {
      if (decodedText(text) !== text) return {}
      throw error
    }
  },
})
rule('bind-keys-live', 'CLOUDC-BIND-19', 'accounts outlive a change, with all their keys', {
  deletesAccount: () => () => false,
  endsKeys: () => () => false,
})
change('bind-ends-others', 'CLOUDC-BIND-20', 'a change ends the keys of every roleset', {
  routes: {
    'cloudc.writeRoleset': (original) => async (call) => {
      const given = await original(call)
      await call.services.leases.revokePrefix(`${call.mount.namespace}${call.mount.path}key/`)
      return given
    },
  },
})
rule('bind-account-left', 'CLOUDC-BIND-21', 'the account before a change stays', { deletesAccount: () => () => false })
rule('last-role', 'CLOUDC-BIND-06', 'of several roles on a resource the last is not bound', {
  boundResources: (original) => (bindings) =>
    Object.fromEntries(
      Object.entries(original(bindings)).map(([resource, roles]) => [resource, roles.length > 1 ? roles.slice(0, -1) : roles]),
    ),
})
/** Handles a change as if its roleset had been bound otherwise. */
const asIfBound = (call: CloudcCall, bindingsOf: (bindings: Bindings) => Bindings): void => {
  const roleset = rolesetOf(call)
  if (roleset) call.state.rolesets.set(nameOf(call), { ...roleset, bindings: bindingsOf(roleset.bindings) })
}
const isLink = (resource: string): boolean => resource.startsWith('https:')
const onlyNames = (bindings: Bindings): Bindings => Object.fromEntries(Object.entries(bindings).filter(([resource]) => !isLink(resource)))
route(
  'links-not-taken-back',
  'CLOUDC-BIND-07',
  'rights on what was named by a self-link stay with the account that is replaced or removed',
  ['cloudc.writeRoleset', 'cloudc.deleteRoleset'],
  (original) => (call) => {
    asIfBound(call, onlyNames)
    return original(call)
  },
)
change('rotation-binds-names', ['CLOUDC-BIND-07', 'CLOUDC-BIND-09'], 'a rotated account has no rights on what was named by a self-link', {
  routes: { 'cloudc.rotate': withRules(() => ({ boundResources: onlyNames })) },
})
change('updates-take-raw-text', ['CLOUDC-BIND-03', 'CLOUDC-BIND-04'], 'an update takes bindings as they are only, not in base64', {
  routes: {
    'cloudc.writeRoleset': withRules((call) => ({
      bindingsOf(text) {
        if (rolesetOf(call) && /^[A-Za-z0-9+/]+=*$/.test(text)) throw invalid('bindings are neither JSON nor in block syntax')
        return call.rules.bindingsOf(text)
      },
    })),
  },
})
rule(
  'first-roles-compared',
  ['CLOUDC-BIND-10', 'CLOUDC-BIND-19'],
  'an update that changes the roles of any resource but the first is taken for no change',
  {
    changesBindings: () => (before, after) => {
      const [first = ''] = Object.keys(before)
      const compared = (bindings: Bindings) => JSON.stringify([Object.keys(bindings), bindings[first]])
      return compared(before) !== compared(after)
    },
  },
)
rule('json-by-first-character', 'CLOUDC-BIND-02', 'bindings in JSON that begin with a blank or a line break are refused', {
  bindingsOf: (original) => async (text) => {
    if (/^\s+\{/.test(text)) throw invalid('bindings are neither JSON nor in block syntax')
    return original(text)
  },
})
rule('one-role-as-text', 'CLOUDC-BIND-09', 'a single role on a resource is shown as a text instead of a list', {
  shownBindings: (original) => (bindings) =>
    Object.fromEntries(
      Object.entries(original(bindings)).map(([resource, roles]) => [resource, roles.length === 1 ? roles[0] : roles]),
    ) as Bindings,
})

export const faults = declared
