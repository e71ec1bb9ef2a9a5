/** The backends there are. */
import { clouds } from './cloud-backend.ts'
import { mariadb } from './mariadb.ts'
import { postgres } from './postgres.ts'
import type { BackendKind, ServiceKind } from './provider.ts'
import { rabbitmq } from './rabbitmq.ts'
import { softhsm } from './softhsm.ts'
import { sshd } from './sshd.ts'

export const kinds: readonly BackendKind[] = [postgres, mariadb, rabbitmq, sshd, softhsm, clouds]

/**
 * All that is known of one kind of network service.
 *
 * @throws Error for a name that no backend has, and for a backend without address.
 */
export const serviceKindOf = (name: string): ServiceKind => {
  const kind = kindOf(name)
  if ('attach' in kind) throw new Error(`${name} is a module: it has no address and no image`)
  return kind
}

/**
 * All that is known of one kind of backend.
 *
 * @throws Error for a name that no backend has.
 */
export const kindOf = (name: string): BackendKind => {
  const kind = kinds.find((candidate) => candidate.name === name)
  if (kind === undefined) throw new Error(`no backend is called ${name}; there are ${kinds.map((one) => one.name).join(', ')}`)
  return kind
}
