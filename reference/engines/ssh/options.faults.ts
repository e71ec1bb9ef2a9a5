/** Faults of critical options and extensions. */

import { faultsOf } from '../../mutations/declare.ts'
import { sshEngine } from './engine.ts'
import { entriesOf } from './networks.ts'

const { rule } = faultsOf(sshEngine)

type Texts = Record<string, string>

const only = (values: Texts, allowed: string): Texts =>
  Object.fromEntries(Object.entries(values).filter(([name]) => allowed === '' || allowed === '*' || entriesOf(allowed).includes(name)))

const plain = (values: Texts): Texts => Object.fromEntries(Object.keys(values).map((name) => [name, '']))

const isEmpty = (values: Texts): boolean => Object.keys(values).length === 0

rule('critical-none', 'SSH-CRITOPT-01', 'an empty list forbids every critical option', {
  forbiddenCriticalOptions: (original) => (role, requested) =>
    role.allowed_critical_options === '' ? Object.keys(requested) : original(role, requested),
})
rule('critical-listed', 'SSH-CRITOPT-02', 'listed critical options are refused too', {
  forbiddenCriticalOptions: (original) => (role, requested) =>
    role.allowed_critical_options === '' ? original(role, requested) : Object.keys(requested),
})
rule('critical-any', 'SSH-CRITOPT-03', 'critical options are not checked', { forbiddenCriticalOptions: () => () => [] })
rule('critical-one', 'SSH-CRITOPT-03', 'one permitted critical option opens the way to others', {
  forbiddenCriticalOptions: (original) => (role, requested) => {
    const forbidden = original(role, requested)
    return forbidden.length < Object.keys(requested).length ? [] : forbidden
  },
})
rule('critical-values', 'SSH-SIGN-27', 'critical options lose their values', {
  criticalOptions: (original) => (role, requested) => original(role, plain(requested)),
})
rule('critical-defaults-unused', 'SSH-DEFCRIT-01', 'default critical options are not used', {
  criticalOptions: () => (_role, requested) => requested,
})
rule('critical-defaults-added', 'SSH-DEFCRIT-02', 'default critical options are added to requested ones', {
  criticalOptions: () => (role, requested) => ({ ...role.default_critical_options, ...requested }),
})
rule('critical-defaults-bound', 'SSH-DEFCRIT-03', 'default critical options must be on the list', {
  criticalOptions: (original) => (role, requested) => only(original(role, requested), role.allowed_critical_options),
})
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
rule('extension-something', 'SSH-DEFEXT-04', 'certificates always permit a terminal', {
  extensions: (original) => (role, requested) => {
    const extensions = original(role, requested)
    return isEmpty(extensions) ? { 'permit-pty': '' } : extensions
  },
})
