/** Faults in which the test of a key goes by what was before it: earlier tests, older parameters, a deleted key. */
import type { ApiError } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { managedKeysEngine } from './engine.ts'
import type { ManagedKey } from './state.ts'
import { isFailedTest, keyAt, onRefusal, placeOf, withParameters, withRules } from './wrappers.ts'

const { rule, route, declared } = faultsOf(managedKeysEngine)

const TEST = 'managedKeys.testSign'

const tested = remembered(() => new Map<string, ManagedKey>())

route(
  'deleted-key-tests',
  'MANAGED-KEYS-SIGN-07',
  'the test of a deleted key succeeds where it has succeeded before',
  TEST,
  (original) => async (call) => {
    const place = `${placeOf(call)} ${call.params.type}`
    const key = keyAt(call)
    const seen = tested(call.state).get(place)
    if (key === undefined && seen !== undefined) return original(withRules(call, { named: () => seen }))
    const given = await original(call)
    if (key !== undefined) tested(call.state).set(place, key)
    return given
  },
)

const good = remembered(() => new Map<string, ManagedKey>())

route(
  'test-before-update',
  ['MANAGED-KEYS-WRITE-05'],
  'a key that has been tested well is tested with the parameters of then',
  TEST,
  (original) => async (call) => {
    const key = keyAt(call)
    const seen = good(call.state).get(key?.uuid ?? '')
    if (seen !== undefined) return original(withRules(call, { named: () => seen }))
    const given = await original(call)
    if (key !== undefined) good(call.state).set(key.uuid, key)
    return given
  },
)

const bad = remembered(() => new Map<string, ApiError>())

route('failed-for-ever', ['MANAGED-KEYS-SIGN-04'], 'a key whose test has failed fails after it was corrected, too', TEST, (original) => {
  const telling = onRefusal((call, refused) => {
    if (isFailedTest(refused)) bad(call.state).set(keyAt(call)?.uuid ?? '', refused)
  })(original)
  return (call) => {
    const before = bad(call.state).get(keyAt(call)?.uuid ?? '')
    if (before !== undefined) throw before
    return telling(call)
  }
})

const atCreation = new Map<string, Json>()

const asCreated = (key: ManagedKey): ManagedKey =>
  withParameters(key, { allow_generate_key: atCreation.get(key.uuid) ?? key.parameters.allow_generate_key ?? false })

rule(
  'may-be-made-as-created',
  ['MANAGED-KEYS-SIGN-12', 'MANAGED-KEYS-SIGN-14', 'MANAGED-KEYS-SIGN-28'],
  'whether a test makes a key is decided by the flag of its creation',
  {
    updated: (original) => (previous, next) => {
      const kept = original(previous, next)
      if (previous === undefined) atCreation.set(kept.uuid, kept.parameters.allow_generate_key ?? false)
      return kept
    },
    generates: (original) => (key) => original(asCreated(key)),
    generatesAtService: (original) => (key) => original(asCreated(key)),
  },
)

export const faults = declared
