/** Faults of who may ask for a key and its test, and of tests that are not made. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../faults/declare.ts'
import { managedKeysEngine } from './engine.ts'

const { declared } = faultsOf(managedKeysEngine)
const core = faultsOf(coreEngine, 'managed-keys')

core.rule('below-administrative', ['MANAGED-KEYS-NS-02'], 'managed keys are served in namespaces below the administrative one', {
  servesSystemPath: (original) => (namespace, administrative) =>
    original(namespace, administrative) || (administrative !== '' && namespace.startsWith(administrative)),
})

export const faults = [...declared, ...core.declared]
