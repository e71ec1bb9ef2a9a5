/** All variants of the reference server. */
import type { Variant } from '../core/mutation.ts'
import { agentTokenVariants } from './agent-tokens.ts'
import { brokerVariants } from './broker.ts'
import { coreAnswerVariants } from './core-answers.ts'
import { coreRequestVariants } from './core-requests.ts'
import { databaseVariants } from './database.ts'
import { kvVariants } from './kv.ts'
import { pkiVariants } from './pki.ts'
import { policyCheckVariants } from './policy-checks.ts'
import { sshVariants } from './ssh.ts'

export const allVariants: Variant[] = [
  ...coreAnswerVariants,
  ...coreRequestVariants,
  ...kvVariants,
  ...pkiVariants,
  ...policyCheckVariants,
  ...agentTokenVariants,
  ...databaseVariants,
  ...brokerVariants,
  ...sshVariants,
]
