/** Every decision of the broker engine, small and named, so that a fault or a variant can replace one of them. */
import { connectionRules } from './connection.rules.ts'
import { credentialRules } from './credentials.rules.ts'
import { roleRules } from './roles.rules.ts'

export const brokerRules = { ...connectionRules, ...roleRules, ...credentialRules }

export type BrokerRules = typeof brokerRules
