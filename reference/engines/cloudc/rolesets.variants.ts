/** Legal alternatives of the configuration and of rolesets. */
import { invalid, notFound } from '../../core/errors.ts'
import { variantsOf } from '../../faults/declare.ts'
import { replyDataWithout } from '../../faults/wrappers.ts'
import { cloudcEngine } from './engine.ts'

const { rule, route, change, declared } = variantsOf(cloudcEngine)

rule('fixed-ignored', 'immutable fields: refused, or the stored value does not change', 'another project or type is ignored', {
  refusesFixed: () => () => undefined,
  secretTypeOf: (original) => (body, before) => (before === undefined ? original(body, before) : before.secretType),
  projectOf: (original) => (body, before) => (before === undefined ? original(body, before) : before.project),
})
rule('unknown-404', 'unknown role in an action: 400 or 404', 'an unknown roleset is not found in actions too', {
  unknownStatus: () => () => 404,
})
rule(
  'link-read-as-name',
  'each resource string; which of its spellings is not said',
  'a resource that was written as a link is read as its name',
  {
    shownBindings: (original) => (bindings) =>
      Object.fromEntries(
        Object.entries(original(bindings)).map(([resource, roles]) => [resource.replace(/^https:(\/\/[^/]+)\/v1\//, '$1/'), roles]),
      ),
  },
)
rule('entries-without-roles', 'whether an entry without roles is one with an empty list is not said', 'an entry without roles gives none', {
  bindingsOf: (original) => (text) => original(text.replaceAll(/(resource "[^"]*") *\{\s*\}/g, '$1 { roles = [] }')),
})
rule('roles-in-any-order', 'the order of the roles at a resource is not said', 'every other read turns the roles of a resource round', {
  shownBindings: (original) => {
    let reads = 0
    return (bindings) => {
      reads += 1
      const turned = reads % 2 === 0
      return Object.fromEntries(
        Object.entries(original(bindings)).map(([resource, roles]) => [resource, turned ? [...roles].reverse() : roles]),
      )
    }
  },
})
rule('key-scopes-ignored', 'token_scopes only for access_token rolesets', 'scopes of a roleset for keys are ignored', {
  scopesOf: (original) => (body, type) => (type === 'service_account_key' ? [] : original(body, type)),
})
route(
  'scopes-left-out',
  'an empty list may be left out',
  'scopes are read where there are any only',
  'cloudc.readRoleset',
  (original) => (call) =>
    call.state.rolesets.get(call.params.name ?? '')?.scopes.length === 0
      ? replyDataWithout<typeof call>('token_scopes')(original)(call)
      : original(call),
)
route(
  'delete-absent-404',
  'deleting what is absent: 204, 200 or 404',
  'deleting what is absent gives 404',
  'cloudc.deleteRoleset',
  (original) => (call) => {
    if (!call.state.rolesets.has(call.params.name ?? '')) throw notFound('no such roleset')
    return original(call)
  },
)
rule('same-bindings-rotate', 'equal bindings are open', 'every write of bindings gives a new account', {
  changesBindings: () => () => true,
})
rule('credentials-late', 'refused when written or when used first', 'credentials are not looked at before they are used', {
  credentialsOf: (original) => (text) => (text.startsWith('@') ? original(text) : text),
})
rule('config-whole', 'partial updates are open', 'what a write of the configuration leaves out is as it was at first', {
  configOf: (original) => (body, _before, credentialsOf) => original(body, { credentials: '', ttl: 0, maxTtl: 0 }, credentialsOf),
})
rule('lease-refused', 'refused or capped', 'a ttl above the maximum is refused', {
  leaseTimes: (original) => (body, config, mount) => {
    const times = original(body, config, mount)
    const asked = /^(\d+)h$/.exec(String(body.ttl ?? ''))?.[1]
    if (asked !== undefined && Number(asked) * 3600 > times.maxTtl) throw invalid('ttl is above the maximum')
    return times
  },
})
change(
  'deleted-account-stays',
  'cloudc-defaults: that a deletion ends keys and account is advised',
  'a deleted roleset leaves its account, its keys and its rights at the provider',
  {
    touches: 'accounts',
    routes: {
      'cloudc.deleteRoleset': (original) => (call) =>
        original({ ...call, rules: { ...call.rules, deletesAccount: () => false, endsKeys: () => false, takesBack: () => false } }),
    },
  },
)

export const variants = declared
