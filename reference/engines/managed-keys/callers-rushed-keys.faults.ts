/** Faults of who may ask for a key and its test, and of tests that are not made. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { managedKeysEngine } from './engine.ts'
import { keyOf } from './keys.ts'

const { route } = faultsOf(managedKeysEngine)
const core = faultsOf(coreEngine, 'managed-keys')

core.rule('rushed-below-administrative', ['MANAGED-KEYS-NS-02'], 'managed keys are served in namespaces below the administrative one', {
  servesSystemPath: (original) => (namespace, administrative) =>
    original(namespace, administrative) || (administrative !== '' && namespace.startsWith(administrative)),
})

core.rule('rushed-test-by-policy-of-key', ['CORE-CAP-04'], 'a policy for the path of a key holds for the test of the key too', {
  patternMatches: (original) => (pattern, path) =>
    original(pattern, path) || (path.includes('sys/managed-keys/') && original(pattern, path.replace(/\/test\/sign$/, ''))),
})

/** Tests that were passed, by the key, which keeps its identity over updates. */
const passed = remembered(() => new Map<string, Reply>())

route(
  'rushed-test-remembered',
  ['MANAGED-KEYS-SIGN-25'],
  'the test of a key that has passed once passes also after an update',
  'managedKeys.testSign',
  (original) => async (call) => {
    const { uuid } = keyOf(call)
    const known = passed(call.state).get(uuid)
    if (known !== undefined) return known
    const reply = await original(call)
    passed(call.state).set(uuid, reply)
    return reply
  },
)
