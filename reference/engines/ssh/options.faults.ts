/** Faults of critical options and extensions. */

import { faultsOf } from '../../faults/declare.ts'
import { sshEngine } from './engine.ts'
import { entriesOf } from './networks.ts'
import { type Handle, nameOf } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(sshEngine)

const sharedExtensions: Record<string, string> = {}
change('default-extensions', 'SSH-DEFEXT-04', 'default extensions of one role are added to those of all roles made later without any', {
  rules: { defaults: (original) => () => ({ ...original(), default_extensions: { ...sharedExtensions } }) },
  routes: {
    'ssh.writeRole': (original: Handle) => async (call) => {
      const given = await original(call)
      Object.assign(sharedExtensions, call.state.roles.get(nameOf(call))?.default_extensions)
      return given
    },
  },
})
rule('critical-none', 'SSH-CRITOPT-01', 'an empty list forbids every critical option', {
  forbiddenCriticalOptions: (original) => (role, requested) =>
    role.allowed_critical_options === '' ? Object.keys(requested) : original(role, requested),
})
rule('critical-listed', 'SSH-CRITOPT-02', 'listed critical options are refused too', {
  forbiddenCriticalOptions: (original) => (role, requested) =>
    role.allowed_critical_options === '' ? original(role, requested) : Object.keys(requested),
})
rule('critical-one', 'SSH-CRITOPT-03', 'one permitted critical option opens the way to others', {
  forbiddenCriticalOptions: (original) => (role, requested) => {
    const forbidden = original(role, requested)
    return forbidden.length < Object.keys(requested).length ? [] : forbidden
  },
})
type Texts = Record<string, string>
const plain = (values: Texts): Texts => Object.fromEntries(Object.keys(values).map((name) => [name, '']))
rule('critical-values', 'SSH-SIGN-27', 'critical options lose their values', {
  criticalOptions: (original) => (role, requested) => original(role, plain(requested)),
})
rule('critical-defaults-unused', 'SSH-DEFCRIT-01', 'default critical options are not used', {
  criticalOptions: () => (_role, requested) => requested,
})
rule('critical-defaults-added', 'SSH-DEFCRIT-02', 'default critical options are added to requested ones', {
  criticalOptions: () => (role, requested) => ({ ...role.default_critical_options, ...requested }),
})
const only = (values: Texts, allowed: string): Texts =>
  Object.fromEntries(Object.entries(values).filter(([name]) => allowed === '' || allowed === '*' || entriesOf(allowed).includes(name)))
rule('critical-defaults-bound', 'SSH-DEFCRIT-03', 'default critical options must be on the list', {
  criticalOptions: (original) => (role, requested) => only(original(role, requested), role.allowed_critical_options),
})
const isEmpty = (values: Texts): boolean => Object.keys(values).length === 0
rule('critical-something', 'SSH-DEFCRIT-04', 'certificates always have a critical option', {
  criticalOptions: (original) => (role, requested) => {
    const options = original(role, requested)
    return isEmpty(options) ? { 'source-address': '0.0.0.0/0' } : options
  },
})
rule('extensions-listed', 'SSH-EXT-01', 'the first listed extension only is permitted', {
  forbiddenExtensions: (original) => (role, requested) =>
    original({ ...role, allowed_extensions: role.allowed_extensions.split(',')[0] ?? '' }, requested),
})
rule('extensions-any', 'SSH-EXT-02', 'a list permits every extension', {
  forbiddenExtensions: (original) => (role, requested) => (role.allowed_extensions === '' ? original(role, requested) : []),
})
rule('extensions-star', 'SSH-EXT-03', 'an asterisk permits the usual extensions only', {
  forbiddenExtensions: (original) => (role, requested) =>
    original(role, requested).concat(Object.keys(requested).filter((name) => !name.startsWith('permit-'))),
})
rule('extensions-unset', 'SSH-EXT-04', 'an unset list permits every extension', {
  forbiddenExtensions: (original) => (role, requested) => (role.allowed_extensions === '' ? [] : original(role, requested)),
})
rule('extension-values', 'SSH-SIGN-29', 'extensions lose their values', {
  extensions: (original) => (role, requested) => original(role, plain(requested)),
})
rule('extension-defaults-unused', 'SSH-DEFEXT-01', 'default extensions are not used', {
  extensions: () => (_role, requested) => requested,
})
rule('extension-defaults-added', 'SSH-DEFEXT-02', 'default extensions are added to requested ones', {
  extensions: () => (role, requested) => ({ ...role.default_extensions, ...requested }),
})
rule('extension-defaults-bound', 'SSH-DEFEXT-03', 'default extensions must be on the list', {
  extensions: (original) => (role, requested) => only(original(role, requested), role.allowed_extensions),
})
const lowered = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]))
rule('extension-case', 'SSH-EXT-03', 'names of extensions are written in lower case into the certificate', {
  extensions: (original) => (role, requested) => lowered(original(role, requested)),
})
rule('option-value-trimmed', 'SSH-CRITOPT-01', 'values of critical options lose all after a comma', {
  criticalOptions: (original) => (role, requested) =>
    Object.fromEntries(Object.entries(original(role, requested)).map(([name, value]) => [name, value.split(',')[0] ?? ''])),
})

route(
  'host-options-unjudged',
  ['SSH-EXT-02', 'SSH-CRITOPT-03'],
  'options of host certificates are not judged',
  'ssh.signKey',
  (original) => (call) => {
    const rules = { ...call.rules, forbiddenExtensions: () => [], forbiddenCriticalOptions: () => [] }
    return original(call.body.cert_type === 'host' ? { ...call, rules } : call)
  },
)

export const faults = declared
