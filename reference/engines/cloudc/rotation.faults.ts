/** Faults of rotations. */

import { empty, secret } from '../../core/envelope.ts'
import { faultsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { insteadOfRefusal, replyInsteadOf204 } from '../../faults/wrappers.ts'
import { cloudcEngine } from './engine.ts'
import { nameOf } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(cloudcEngine)

change('rotate-answers', 'CLOUDC-ROT-01', 'a rotation answers 200 with a body', {
  routes: { 'cloudc.rotate': replyInsteadOf204(() => secret({})) },
})
route('rotate-nothing', 'CLOUDC-ROT-02', 'a rotation is acknowledged and does nothing', 'cloudc.rotate', () => () => empty())
rule('rotate-account-left', ['CLOUDC-ROT-03', 'CLOUDC-ROT-07'], 'a rotation leaves the old account', { deletesAccount: () => () => false })
rule('rotate-rights-left', 'CLOUDC-ROT-04', 'a rotation leaves the old account its rights', { takesBack: () => () => false })
route('rotate-scopes-lost', 'CLOUDC-ROT-05', 'a rotation loses the scopes', 'cloudc.rotate', (original) => async (call) => {
  const given = await original(call)
  const name = call.params.name ?? ''
  const after = call.state.rolesets.get(name)
  if (after !== undefined) call.state.rolesets.set(name, { ...after, scopes: [] })
  return given
})
change('rotate-old-key', 'CLOUDC-ROT-06', 'tokens are made with the key of the account before', {
  routes: {
    'cloudc.rotate': (original) => async (call) => {
      const name = call.params.name ?? ''
      const before = call.state.rolesets.get(name)
      const given = await original(call)
      const after = call.state.rolesets.get(name)
      if (before !== undefined && after !== undefined)
        call.state.rolesets.set(name, { ...after, account: { ...after.account, tokenKey: before.account.tokenKey } })
      return given
    },
  },
})
route('rotate-all', 'CLOUDC-ROT-08', 'a rotation rotates every roleset of the mount', 'cloudc.rotate', (original) => async (call) => {
  const given = await original(call)
  for (const name of call.state.rolesets.keys()) if (name !== call.params.name) await original({ ...call, params: { name } })
  return given
})
change('rotate-unknown', 'CLOUDC-ROT-09', 'a rotation of an unknown roleset is acknowledged', {
  routes: { 'cloudc.rotate': insteadOfRefusal(() => empty()) },
})
change('rotate-keys-only', 'CLOUDC-ROT-10', 'rolesets for keys are not rotated', {
  routes: {
    'cloudc.rotate': (original) => (call) =>
      call.state.rolesets.get(call.params.name ?? '')?.secretType === 'service_account_key' ? empty() : original(call),
  },
})
change('rotate-key-answers', 'CLOUDC-ROT-11', 'a rotation of the key answers 200 with a body', {
  routes: { 'cloudc.rotateKey': replyInsteadOf204(() => secret({})) },
})
route('rotate-key-account', 'CLOUDC-ROT-12', 'a rotation of the key replaces the account too', 'cloudc.rotateKey', () => (call) => {
  const rotate = cloudcEngine.routes.find(({ id }) => id === 'cloudc.rotate')!
  return rotate.handle(call)
})
rule('rotate-key-kept', 'CLOUDC-ROT-13', 'a rotation of the key leaves the old one', { deletesTokenKey: () => () => false })
rule('rotate-key-any', 'CLOUDC-ROT-14', 'rolesets for keys get a key of their own', { mayRotateKey: () => () => undefined })
change('rotate-key-unknown', 'CLOUDC-ROT-15', 'a rotation of an unknown key is acknowledged', {
  routes: { 'cloudc.rotateKey': insteadOfRefusal(() => empty()) },
})
change('rotate-key-lost', 'CLOUDC-ROT-16', 'after a rotation the deleted key stays in use', {
  routes: {
    'cloudc.rotateKey': (original) => async (call) => {
      const name = call.params.name ?? ''
      const before = call.state.rolesets.get(name)
      const given = await original(call)
      if (before !== undefined) call.state.rolesets.set(name, before)
      return given
    },
  },
})
const rotated = remembered(() => new Map<string, true>())
change('second-rotation', 'CLOUDC-ROT-02', 'a roleset that was rotated once is not rotated again', {
  routes: {
    'cloudc.rotate': (original) => async (call) => {
      if (rotated(call.state).has(nameOf(call)) && call.state.rolesets.has(nameOf(call))) return { status: 204 }
      const reply = await original(call)
      rotated(call.state).set(nameOf(call), true)
      return reply
    },
  },
})

export const faults = declared
