/** Faults in what comes first and what comes later: second calls, rotation, re-creation, expiry, refusals. */
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcCall } from './provider-calls.ts'
import type { Bindings, CloudcState } from './state.ts'

const { route, change } = faultsOf(cloudcEngine)

/** One memory for each mount. */
const memory = <V>(): ((call: CloudcCall) => Map<string, V>) => {
  const all = new WeakMap<CloudcState, Map<string, V>>()
  return ({ state }) => {
    const known = all.get(state) ?? new Map<string, V>()
    all.set(state, known)
    return known
  }
}

const nameIn = (call: CloudcCall): string => call.params.name ?? call.params.roleset ?? ''

const oldScopes = memory<string[]>()

change(
  'time-recreated-with-old-scopes',
  'CLOUDC-SET-11',
  'a roleset that is made again without scopes gets those from before its deletion',
  {
    routes: {
      'cloudc.deleteRoleset': (original) => (call) => {
        const roleset = call.state.rolesets.get(nameIn(call))
        if (roleset !== undefined) oldScopes(call).set(nameIn(call), roleset.scopes)
        return original(call)
      },
      'cloudc.writeRoleset': (original) => async (call) => {
        const isNew = !call.state.rolesets.has(nameIn(call))
        const reply = await original(call)
        const roleset = call.state.rolesets.get(nameIn(call))
        const scopes = oldScopes(call).get(nameIn(call))
        if (isNew && roleset?.secretType === 'access_token' && scopes !== undefined && call.body.token_scopes === undefined)
          call.state.rolesets.set(nameIn(call), { ...roleset, scopes })
        return reply
      },
    },
  },
)

const rotated = memory<true>()

route(
  'time-second-rotation',
  'CLOUDC-ROT-02',
  'a roleset that was rotated once is not rotated again',
  'cloudc.rotate',
  (original) => async (call) => {
    if (rotated(call).has(nameIn(call)) && call.state.rolesets.has(nameIn(call))) return { status: 204 }
    const reply = await original(call)
    rotated(call).set(nameIn(call), true)
    return reply
  },
)

const tokens = memory<{ at: number; given: Reply }>()

route(
  'time-token-kept',
  'CLOUDC-SET-20',
  'an access token is given again for five minutes, whatever happened to the roleset',
  ['cloudc.readToken', 'cloudc.createToken'],
  (original) => async (call) => {
    const before = tokens(call).get(nameIn(call))
    if (before !== undefined && call.now() - before.at < 300 && call.state.rolesets.has(nameIn(call))) return before.given
    const given = await original(call)
    tokens(call).set(nameIn(call), { at: call.now(), given })
    return given
  },
)

const firstConfigs = memory<CloudcState['config']>()

route(
  'time-first-config',
  'CLOUDC-LEASE-03',
  'leases of keys follow the configuration as it was when the first key was issued',
  ['cloudc.readKey', 'cloudc.createKey'],
  (original) => (call) => {
    const first = firstConfigs(call).get('') ?? call.state.config
    firstConfigs(call).set('', first)
    return original({ ...call, rules: { ...call.rules, leaseTimes: (body, _config, mount) => call.rules.leaseTimes(body, first, mount) } })
  },
)

const isWider = (before: Bindings, after: Bindings): boolean =>
  Object.entries(before).every(([resource, roles]) => roles.every((role) => after[resource]?.includes(role)))

route(
  'time-keys-outlive-wider-bindings',
  'CLOUDC-BIND-19',
  'bindings that only grow end no key that was issued before',
  'cloudc.writeRoleset',
  (original) => (call) => {
    let wider = false
    const { rules } = call
    const changesBindings = (before: Bindings, after: Bindings): boolean => {
      wider = isWider(before, after)
      return rules.changesBindings(before, after)
    }
    const kept = {
      endsKeys: () => !wider && rules.endsKeys(),
      deletesAccount: () => !wider && rules.deletesAccount(),
      takesBack: () => !wider && rules.takesBack(),
    }
    return original({ ...call, rules: { ...rules, ...kept, changesBindings } })
  },
)

route(
  'time-refused-roleset-stays',
  ['CLOUDC-SET-27', 'CLOUDC-FAIL-01'],
  'a new roleset whose account the provider refuses is there all the same',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    let bindings: Bindings | undefined
    const bindingsOf = async (text: string): Promise<Bindings> => {
      bindings = await call.rules.bindingsOf(text)
      return bindings
    }
    try {
      return await original({ ...call, rules: { ...call.rules, bindingsOf } })
    } catch (cause) {
      if (bindings !== undefined && !call.state.rolesets.has(nameIn(call))) {
        const secretType = call.rules.secretTypeOf(call.body, undefined)
        const project = call.rules.projectOf(call.body, undefined)
        const account = { email: '', tokenKey: undefined }
        call.state.rolesets.set(nameIn(call), { secretType, project, bindings, scopes: [], account })
      }
      throw cause
    }
  },
)

route(
  'time-expired-key-left',
  'CLOUDC-LEASE-10',
  'the key of a lease that expires stays at the provider; only a revocation deletes it',
  ['cloudc.readKey', 'cloudc.createKey'],
  (original) => async (call) => {
    const reply = await original(call)
    const lease = call.services.leases.find(String((reply.body as { lease_id?: string }).lease_id))
    if (lease !== undefined) {
      const { request } = lease
      const revoke = request.revoke.bind(request)
      request.revoke = () => (call.now() >= lease.expiresAt ? Promise.resolve() : revoke())
    }
    return reply
  },
)
