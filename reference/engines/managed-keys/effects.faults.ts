/** Faults of which a read shows nothing: what a parameter does at the service or module when a key is tested. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { managedKeysEngine } from './engine.ts'

const { rule, declared } = faultsOf(managedKeysEngine)

const textIn = (values: JsonObject, field: string): string => String(values[field] ?? '')

// Types and their parameters

// Where a key is
rule('region-of-the-endpoint', ['MANAGED-KEYS-SIGN-27'], 'without an endpoint the region is the default one', {
  regionOf: (original) => (values) => (textIn(values, 'endpoint') === '' ? 'us-east-1' : original(values)),
})

export const faults = declared
