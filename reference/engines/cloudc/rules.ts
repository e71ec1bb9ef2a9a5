/** Every decision of the cloud-C engine, small and named, so that a fault or a variant can replace one of them. */

import { tokenRules } from './access-tokens.rules.ts'
import { bindingRules } from './bindings.rules.ts'
import { configRules } from './config.rules.ts'
import { keyRules } from './keys.rules.ts'
import { providerCallRules } from './provider-calls.rules.ts'
import { rolesetRules } from './rolesets.rules.ts'
import { rotationRules } from './rotation.rules.ts'

export const cloudcRules = {
  ...configRules,
  ...bindingRules,
  ...rolesetRules,
  ...rotationRules,
  ...tokenRules,
  ...keyRules,
  ...providerCallRules,
}

export type CloudcRules = typeof cloudcRules
