/** Seal: whether the service is initialised and unsealed. One key share opens it. */

import { invalid } from './errors.ts'
import type { JsonObject } from './json.ts'
import type { Random } from './random.ts'

export class Seal {
  initialized: boolean
  sealed: boolean
  key: string

  constructor(random: Random, initialized: boolean) {
    this.initialized = initialized
    this.sealed = !initialized
    this.key = Buffer.from(random.bytes(32)).toString('hex')
  }

  /** Throws 400 for a wrong key. */
  unseal(key: string): void {
    const isBase64 = key === Buffer.from(this.key, 'hex').toString('base64')
    if (key !== this.key && !isBase64) throw invalid('invalid key')
    this.sealed = false
  }

  status(): JsonObject {
    const cluster: JsonObject = this.sealed ? {} : { cluster_name: 'reference', cluster_id: '00000000-0000-0000-0000-000000000000' }
    return {
      type: 'shamir',
      initialized: this.initialized,
      sealed: this.sealed,
      t: 1,
      n: 1,
      progress: 0,
      nonce: '',
      version: '0.1.0',
      ...cluster,
    }
  }
}
