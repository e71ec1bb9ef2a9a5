/** Faults of managed keys as haste makes them. */
import { faultsOf } from '../../mutations/declare.ts'
import { managedKeysEngine } from './engine.ts'

const { rule } = faultsOf(managedKeysEngine)

rule(
  'guess-first-letter-case',
  ['MANAGED-KEYS-NAME-02', 'MANAGED-KEYS-NAME-03'],
  'only the first letter of a name has to be in lower case',
  {
    nameAllowed: (original) => (name) => original(name.slice(0, 1)),
  },
)
rule('guess-pin-of-digits-shown', ['MANAGED-KEYS-SECRET-01'], 'a pin of digits only is shown', {
  shownField: (original) => (key, field) => {
    const value = key.parameters[field]
    return field === 'pin' && typeof value === 'string' && /^\d+$/.test(value) ? value : original(key, field)
  },
})
