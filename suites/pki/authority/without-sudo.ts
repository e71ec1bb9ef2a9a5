/** Callers who may do everything with an operation but what needs sudo. */
import type { Bench, Identity } from '../../../harness/checks/index.ts'

const PLAIN = ['create', 'read', 'update', 'delete', 'list'] as const

/** Such callers, each with what it is as a message says it: one may have sudo on other paths of the mount. */
export const withoutSudo = async (bench: Bench, operation: string): Promise<[what: string, caller: Identity][]> => {
  const here = { operation, capabilities: [...PLAIN] }
  const elsewhere = [
    'pki.issue',
    'pki.writeCa',
    'pki.generateRoot',
    operation === 'pki.deleteRoot' ? 'pki.signSelfIssued' : 'pki.deleteRoot',
  ]
  return [
    ['without sudo', await bench.identity([here])],
    [
      'with sudo elsewhere',
      await bench.identity([here, ...elsewhere.map((other) => ({ operation: other, capabilities: [...PLAIN, 'sudo' as const] }))]),
    ],
  ]
}
