/** Decisions about the rotation of keys. */
import { invalid } from '../../core/errors.ts'
import type { Roleset } from './state.ts'

export const rotationRules = {
  mayRotateKey({ secretType }: Roleset): void {
    if (secretType !== 'access_token') throw invalid('only rolesets of type access_token have a key of their own')
  },
  /** Whether the key before the new one is deleted at the provider. */
  deletesTokenKey: (): boolean => true,
}
