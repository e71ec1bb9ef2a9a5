/** The agent-token part of the run-management API. */
import type { Part } from '../part.ts'
import { agentTokenRoutes } from './routes.ts'
import { type AgentTokenRules, agentTokenRules } from './rules.ts'

export const agentTokens: Part<AgentTokenRules> = { type: 'agent-tokens', rules: agentTokenRules, routes: agentTokenRoutes }
