/** Faults in where managed keys are administered. */
import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'

const { rule: core } = faultsOf(coreEngine, 'managed-keys')

let namespaceHeader: string | undefined

core(
  'access-namespace-in-path',
  ['MANAGED-KEYS-NS-02'],
  'a namespace that is part of the path is not kept from managed keys, only one in the header is',
  {
    namespaceOf: (original) => (path, namespaces, header) => {
      namespaceHeader = header
      return original(path, namespaces, header)
    },
    servesSystemPath: (original) => (namespace, administrative) => !namespaceHeader || original(namespace, administrative),
  },
)
