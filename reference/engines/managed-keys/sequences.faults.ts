/** Faults in what comes first and what comes later: second calls, deletions, re-creation, refused updates. */
import { faultsOf } from '../../faults/declare.ts'
import { managedKeysEngine } from './engine.ts'
import type { KeyCall } from './keys.ts'
import type { ManagedKey, ManagedKeysState } from './state.ts'

const { route, change, declared } = faultsOf(managedKeysEngine)

const WRITES = ['managedKeys.writePkcs11', 'managedKeys.writeCloudakms', 'managedKeys.writeCloudbkeyvault', 'managedKeys.writeCloudckms']

type Handler = (typeof managedKeysEngine.routes)[number]['handle']
const each = (names: string[], wrap: (original: Handler) => Handler): Record<string, (original: Handler) => Handler> =>
  Object.fromEntries(names.map((name) => [name, wrap]))

/** One memory for each server. */
const memory = <V>(): ((call: KeyCall) => Map<string, V>) => {
  const all = new WeakMap<ManagedKeysState, Map<string, V>>()
  return ({ state }) => {
    const known = all.get(state) ?? new Map<string, V>()
    all.set(state, known)
    return known
  }
}

const nameIn = (call: KeyCall): string => `${call.mount.namespace}:${call.params.name}`
const keyIn = (call: KeyCall): ManagedKey | undefined => call.state.namespaces.get(call.mount.namespace)?.get(call.params.name ?? '')

const gone = memory<ManagedKey>()

change(
  'recreated-with-old-parameters',
  'MANAGED-KEYS-DELETE-03',
  'a cloud key that is made again after its deletion starts from its old parameters',
  {
    routes: {
      'managedKeys.delete': (original) => (call) => {
        const key = keyIn(call)
        if (key !== undefined) gone(call).set(nameIn(call), key)
        return original(call)
      },
      ...each(WRITES.slice(1), (original) => (call) => {
        const old = gone(call).get(nameIn(call))
        return original({ ...call, rules: { ...call.rules, baseOf: (previous) => call.rules.baseOf(previous ?? old) } })
      }),
    },
  },
)

const madeLabels = memory<true>()

route(
  'second-test-makes-another',
  'MANAGED-KEYS-SIGN-13',
  'the second test of a key that may be generated generates another one',
  'managedKeys.testSign',
  (original) => (call) => {
    const request: KeyCall['rules']['request'] = (asked) => {
      const again = madeLabels(call).has(asked.keyLabel)
      if (asked.generate) madeLabels(call).set(asked.keyLabel, true)
      return { ...call.rules.request(asked), anew: asked.generate && again }
    }
    return original({ ...call, rules: { ...call.rules, request } })
  },
)

route(
  'test-takes-leave',
  'MANAGED-KEYS-SIGN-50',
  'after the first test of a key it may not be generated any more',
  'managedKeys.testSign',
  (original) => async (call) => {
    const key = keyIn(call)
    const given = await original(call)
    if (key !== undefined) key.parameters.allow_generate_key = false
    return given
  },
)

export const faults = declared
