/** The policy-check part of the run-management API. */
import type { Part } from '../../run-management/part.ts'
import { type PolicyCheckRules, policyCheckRules } from './checks.rules.ts'
import { policyCheckRoutes } from './checks.ts'

export const policyChecks: Part<PolicyCheckRules> = { type: 'policy-checks', rules: policyCheckRules, routes: policyCheckRoutes }

export const parts = [policyChecks]
