/** Every decision of the PKI engine, small and named, so that a fault or a variant can replace one of them. */
import { authorityRules } from './authority.rules.ts'
import { issueRules } from './issue.rules.ts'
import { policyRules } from './names.rules.ts'
import { revocationRules } from './revocation.rules.ts'
import { roleRules } from './roles.rules.ts'

export const pkiRules = { ...policyRules, ...roleRules, ...issueRules, ...authorityRules, ...revocationRules }

export type PkiRules = typeof pkiRules
