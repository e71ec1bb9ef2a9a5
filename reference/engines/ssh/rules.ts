/** Every decision of the SSH engine, small and named, so that a fault or a variant can replace one of them. */
import { caRules } from './rules-ca.ts'
import { credentialRules } from './rules-credentials.ts'
import { roleRules } from './rules-roles.ts'
import { signRules } from './rules-sign.ts'

export const sshRules = { ...roleRules, ...credentialRules, ...caRules, ...signRules }

export type SshRules = typeof sshRules
