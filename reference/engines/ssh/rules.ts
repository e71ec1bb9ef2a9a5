/** Every decision of the SSH engine, small and named, so that a fault or a variant can replace one of them. */
import { caRules } from './ca.rules.ts'
import { credentialRules } from './credentials.rules.ts'
import { roleRules } from './roles.rules.ts'
import { signRules } from './sign.rules.ts'

export const sshRules = { ...roleRules, ...credentialRules, ...caRules, ...signRules }

export type SshRules = typeof sshRules
