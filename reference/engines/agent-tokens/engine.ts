/** The agent-token part of the run-management API. */
import type { Part } from '../../run-management/part.ts'
import { type AgentTokenRules, agentTokenRules } from './agent-tokens.rules.ts'
import { agentTokenRoutes } from './agent-tokens.ts'

export const agentTokens: Part<AgentTokenRules> = { type: 'agent-tokens', rules: agentTokenRules, routes: agentTokenRoutes }

export const parts = [agentTokens]
