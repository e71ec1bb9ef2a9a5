/** Faults that show where the provider fails, or where requests meet. */

import { secret } from '../../core/envelope.ts'
import { faultsOf } from '../../faults/declare.ts'
import { insteadOfRefusal, type Wrap } from '../../faults/wrappers.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcCall } from './provider-calls.ts'
import type { Bindings, Roleset } from './state.ts'
import { nameOf, rolesetOf, withRules } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(cloudcEngine)

rule('fail-orphan', 'CLOUDC-FAIL-06', 'an account that could not get its rights stays', { undoes: () => () => false })
route(
  'fail-token',
  'CLOUDC-FAIL-02',
  'a token is given although the provider gave none',
  ['cloudc.readToken', 'cloudc.createToken'],
  insteadOfRefusal(
    (call) => secret({ token: 'none', expires_at_seconds: Math.floor(call.now()) + 3600, token_ttl: 3600 }),
    (call) => call.state.rolesets.get(call.params.roleset ?? '')?.secretType === 'access_token',
  ),
)
const KEYS = ['cloudc.readKey', 'cloudc.createKey']
route(
  'fail-key',
  'CLOUDC-FAIL-03',
  'a key is given although the provider gave none',
  KEYS,
  insteadOfRefusal(
    () =>
      secret(
        { private_key_data: 'e30=', key_algorithm: 'KEY_ALG_RSA_2048', key_type: 'TYPE_CLOUDC_CREDENTIALS_FILE' },
        { id: 'none', ttl: 60, renewable: true },
      ),
    (call) => call.state.rolesets.get(call.params.roleset ?? '')?.secretType === 'service_account_key' && call.body.key_type === undefined,
  ),
)
/** A rotation that fails leaves the roleset changed. */
const changedByFailure =
  (changed: (before: Roleset) => Roleset): Wrap<CloudcCall> =>
  (original) =>
  async (call) => {
    const name = call.params.name ?? ''
    try {
      return await original(call)
    } catch (error) {
      const before = call.state.rolesets.get(name)
      if (before !== undefined) call.state.rolesets.set(name, changed(before))
      throw error
    }
  }
change('fail-rotation', 'CLOUDC-FAIL-07', 'a rotation that fails has thrown the old key away', {
  routes: { 'cloudc.rotate': changedByFailure((before) => ({ ...before, account: { ...before.account, tokenKey: undefined } })) },
})
change('fail-rotation-reads-changed', 'CLOUDC-FAIL-04', 'a rotation that fails leaves the roleset without bindings', {
  routes: { 'cloudc.rotate': changedByFailure((before) => ({ ...before, bindings: {} })) },
})
change('fail-for-ever', 'CLOUDC-FAIL-05', 'after a failure of the provider its credentials are forgotten', {
  routes: {
    'cloudc.writeRoleset': (original) => async (call) => {
      try {
        return await original(call)
      } catch (error) {
        if ((error as { status?: number }).status === 502) call.state.config = { ...call.state.config, credentials: '' }
        throw error
      }
    },
  },
})
const keyRotated = new Set<string>()
route(
  'rotate-after-key',
  'CLOUDC-MODEL-01',
  'a rotation after one of the key leaves the account',
  ['cloudc.rotate', 'cloudc.rotateKey'],
  (original) => (call) => {
    const name = `${call.mount.path}${call.params.name}`
    if (call.path.endsWith('rotate-key')) {
      keyRotated.add(name)
      return original(call)
    }
    return original(keyRotated.has(name) ? { ...call, rules: { ...call.rules, deletesAccount: () => false } } : call)
  },
)
rule('no-turns', 'CLOUDC-RACE-01', 'changes of one roleset run into one another', { oneAtATime: () => () => false })
const underway = new Map<string, number>()
route(
  'delete-while-issuing',
  'CLOUDC-RACE-02',
  'a deletion leaves the account while a key is being made',
  [...KEYS, 'cloudc.deleteRoleset'],
  (original) => async (call) => {
    const name = `${call.mount.path}${call.params.name ?? call.params.roleset}`
    if (call.method === 'DELETE')
      return original((underway.get(name) ?? 0) > 0 ? { ...call, rules: { ...call.rules, deletesAccount: () => false } } : call)
    underway.set(name, (underway.get(name) ?? 0) + 1)
    try {
      return await original(call)
    } finally {
      underway.set(name, (underway.get(name) ?? 1) - 1)
    }
  },
)
change('refused-roleset-stays', ['CLOUDC-SET-27', 'CLOUDC-FAIL-01'], 'a new roleset is kept although the provider refuses its account', {
  routes: {
    'cloudc.writeRoleset': (original) => async (call) => {
      let bindings: Bindings | undefined
      const bindingsOf = async (text: string): Promise<Bindings> => {
        bindings = await call.rules.bindingsOf(text)
        return bindings
      }
      try {
        return await original({ ...call, rules: { ...call.rules, bindingsOf } })
      } catch (cause) {
        if (bindings !== undefined && !call.state.rolesets.has(nameOf(call))) {
          const secretType = call.rules.secretTypeOf(call.body, undefined)
          const project = call.rules.projectOf(call.body, undefined)
          const account = { email: '', tokenKey: undefined }
          call.state.rolesets.set(nameOf(call), { secretType, project, bindings, scopes: [], account })
        }
        throw cause
      }
    },
  },
})
change(
  'failed-update-leaves-account',
  'CLOUDC-BIND-22',
  'an update or a rotation that fails half-way leaves the new account at the provider',
  {
    routes: Object.fromEntries(
      ['cloudc.writeRoleset', 'cloudc.rotate'].map((id) => [
        id,
        withRules((call) => (rolesetOf(call) === undefined ? {} : { undoes: () => false })),
      ]),
    ),
  },
)

export const faults = declared
