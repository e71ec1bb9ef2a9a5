/** Decisions about keys and their leases. */
import { durationOf } from '../../core/durations.ts'
import type { Call } from '../../core/engine.ts'
import { invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import type { CloudcState, Roleset } from './state.ts'

const OUR_FILE = 'TYPE_CLOUDC_CREDENTIALS_FILE'
const PROVIDER_FILE = 'TYPE_GOOGLE_CREDENTIALS_FILE'

export const keyRules = {
  mayGiveKey({ secretType }: Roleset): void {
    if (secretType !== 'service_account_key') throw invalid('the roleset is not of type service_account_key')
  },
  algorithmOf: (body: JsonObject): string => textOf(body, 'key_algorithm') || 'KEY_ALG_RSA_2048',
  /** By the provider's own name. */
  keyTypeOf(body: JsonObject): string {
    const type = textOf(body, 'key_type') || OUR_FILE
    return type === OUR_FILE ? PROVIDER_FILE : type
  },
  leaseTimes(body: JsonObject, config: CloudcState['config'], mount: Call<unknown, unknown>['mount']): { ttl: number; maxTtl: number } {
    const maxTtl = Math.min(config.maxTtl || mount.maxLeaseTtl, mount.maxLeaseTtl)
    return { ttl: Math.min(durationOf(body.ttl, 'ttl', 0) || config.ttl || mount.defaultLeaseTtl, maxTtl), maxTtl }
  },
  leased: (): boolean => true,
  deletesKey: (): boolean => true,
  /** Which key the end of a lease deletes. */
  revokedKey: (name: string): string => name,
  shownKey: (data: string, algorithm: string, type: string): JsonObject => ({
    private_key_data: data,
    key_algorithm: algorithm,
    key_type: type === PROVIDER_FILE ? OUR_FILE : type,
  }),
}
