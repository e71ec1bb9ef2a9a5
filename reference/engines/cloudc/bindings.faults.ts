/** Faults of bindings: how they are read, and what is made of them at the provider. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { decodedText, readBindings } from './bindings.ts'
import { cloudcEngine } from './engine.ts'
import type { Bindings } from './state.ts'

const { rule, route } = faultsOf(cloudcEngine)

const isJson = (text: string): boolean => text.trimStart().startsWith('{')
const first = (bindings: Bindings): Bindings => Object.fromEntries(Object.entries(bindings).slice(0, 1))
const firstRoles = (bindings: Bindings): Bindings =>
  Object.fromEntries(Object.entries(bindings).map(([resource, roles]) => [resource, roles.slice(0, 1)]))

rule('bind-no-blocks', 'CLOUDC-BIND-01', 'block syntax is not known', {
  bindingsOf: (original) => (text) => {
    if (text.startsWith('resource')) throw invalid('bindings are no JSON')
    return original(text)
  },
})
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
rule('bind-first-resource', 'CLOUDC-BIND-05', 'the first resource is bound only', { boundResources: () => first })
rule('bind-first-role', 'CLOUDC-BIND-06', 'the first role is given only', { boundResources: () => firstRoles })
rule('bind-no-links', 'CLOUDC-BIND-07', 'self-links are not known', {
  policyUrls: (original) => (resource) => {
    if (resource.startsWith('https:')) throw invalid(`${resource} is no resource`)
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
rule('bind-removes-others', 'CLOUDC-BIND-11', 'whoever gives a right back takes those of others along', { membersWithout: () => () => [] })
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
rule('bind-no-list', 'CLOUDC-BIND-15', 'roles that are no list count as none', {
  bindingsOf: (original) => async (text) => {
    try {
      return await original(text)
    } catch (error) {
      if (String(error).includes('must be a list')) return {}
      throw error
    }
  },
})
route(
  'bind-early-store',
  'CLOUDC-BIND-16',
  'a change that is refused is shown all the same',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const before = call.state.rolesets.get(call.params.name ?? '')
    try {
      return await original(call)
    } catch (error) {
      if (before !== undefined) call.state.rolesets.set(call.params.name ?? '', { ...before, bindings: {} })
      throw error
    }
  },
)
rule('bind-base64-nothing', 'CLOUDC-BIND-17', 'base64 of what are no bindings stands for none', {
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
route(
  'bind-ends-others',
  'CLOUDC-BIND-20',
  'a change ends the keys of every roleset',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const given = await original(call)
    await call.services.leases.revokePrefix(`${call.mount.namespace}${call.mount.path}key/`)
    return given
  },
)
rule('bind-account-left', 'CLOUDC-BIND-21', 'the account before a change stays', { deletesAccount: () => () => false })
