/** Faults of the zero-address list. */

import { empty } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../faults/declare.ts'
import { insteadOfHandling, isNested, replyStatus } from '../../faults/wrappers.ts'
import { sshEngine } from './engine.ts'
import { nameOf } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(sshEngine)

change('zero-address-otp-alone', ['SSH-ZERO-03', 'SSH-ZERO-04'], 'the zero-address list frees otp roles and no dynamic ones', {
  routes: {
    'ssh.createCredential': (original) => (call) =>
      original(
        call.state.roles.get(nameOf(call))?.key_type === 'dynamic'
          ? { ...call, rules: { ...call.rules, isZeroAddress: () => false } }
          : call,
      ),
  },
})
route('zero-201', 'SSH-ZERO-01', 'setting the list answers 201', 'ssh.writeZeroAddress', replyStatus(201))
rule('zero-twice', 'SSH-ZERO-02', 'the names are shown twice', {
  nextZeroAddress: () => (_existing, names) => [...names, ...names],
})
rule('zero-ignored', 'SSH-ZERO-03', 'the list changes nothing', { isZeroAddress: () => () => false })
rule('zero-excludes', 'SSH-ZERO-04', 'exclusions hold for roles on the list', {
  addressAllowed: () => (isZeroAddress, isIncluded, isExcluded) => (isZeroAddress || isIncluded) && !isExcluded,
})
route('zero-needs-blocks', 'SSH-ZERO-05', 'a role on the list needs blocks', 'ssh.createCredential', (original) => (call) => {
  if (call.state.roles.get(nameOf(call))?.cidr_list === '') throw invalid('the role has no blocks')
  return original(call)
})
route('zero-optional', 'SSH-ZERO-06', 'a request without names leaves no roles', 'ssh.writeZeroAddress', (original) => (call) => {
  if (call.body.roles !== undefined) return original(call)
  call.state.zeroAddress = []
  return empty()
})
change('zero-object', 'SSH-ZERO-07', 'an object of names is ignored', {
  routes: { 'ssh.writeZeroAddress': insteadOfHandling(empty, ({ body }) => isNested(body.roles)) },
})
rule('zero-first', 'SSH-ZERO-08', 'the first name only is kept', {
  zeroAddressNames: (original) => (text) => original(text).slice(0, 1),
})
rule('zero-for-all', 'SSH-ZERO-09', 'a list frees every role', { isZeroAddress: () => (names) => names !== undefined })
rule('zero-adds-up', 'SSH-ZERO-11', 'lists add up', { nextZeroAddress: () => (existing, names) => [...(existing ?? []), ...names] })
const onceListed = new Set<string>()
rule('zero-role-stays', 'SSH-ZERO-10', 'a role that got a credential by the zero-address list gets more after the list is deleted', {
  isZeroAddress: (original) => (names, role) => {
    const isListed = original(names, role)
    if (isListed) onceListed.add(role)
    return isListed || (names === undefined && onceListed.has(role))
  },
})
change('zero-list-with-role', 'SSH-ROLE-08', 'the deletion of one zero-address role ends the whole list', {
  routes: {
    'ssh.deleteRole': (original) => (call) => {
      if (call.state.zeroAddress?.includes(nameOf(call))) call.state.zeroAddress = undefined
      return original(call)
    },
  },
})
rule('zero-address-by-substring', 'SSH-ZERO-09', 'a role counts as a zero-address role when its name is part of a listed name', {
  isZeroAddress: () => (names, role) => names?.join(',').includes(role) ?? false,
})

export const faults = declared
