/** All variants of the reference server. */
import type { Variant } from '../core/mutation.ts'
import { agentTokenVariants } from './agent-tokens.ts'
import { brokerVariants } from './broker.ts'
import { coreVariants } from './core.ts'
import { databaseVariants } from './database.ts'
import { kvVariants } from './kv.ts'
import { pkiVariants } from './pki.ts'
import { policyCheckVariants } from './policy-checks.ts'
import { sshVariants } from './ssh.ts'

export const allVariants: Variant[] = [
  ...coreVariants,
  ...kvVariants,
  ...pkiVariants,
  ...policyCheckVariants,
  ...agentTokenVariants,
  ...databaseVariants,
  ...brokerVariants,
  ...sshVariants,
]
