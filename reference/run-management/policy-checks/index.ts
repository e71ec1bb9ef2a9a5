/** The policy-check part of the run-management API. */
import type { Part } from '../part.ts'
import { policyCheckRoutes } from './routes.ts'
import { type PolicyCheckRules, policyCheckRules } from './rules.ts'

export const policyChecks: Part<PolicyCheckRules> = { type: 'policy-checks', rules: policyCheckRules, routes: policyCheckRoutes }
