/** What the run-management API knows: users and their rights, pools, runs, policy checks, agent tokens. All in memory. */
import { createHash } from 'node:crypto'

export interface User {
  id: string
  name: string
  rights: { readRuns: boolean; overrideChecks: boolean; managePools: boolean }
}

interface Run {
  id: string
  workspaceId: string
}

export interface PolicyCheck {
  id: string
  runId: string
  scope: string
  status: string
  /** Seconds since the epoch by timestamp key, e.g. `queued-at`. */
  timestamps: Record<string, number>
  result: { passed: number; hardFailed: number; softFailed: number; advisoryFailed: number; durationMs: number }
}

export interface AgentToken {
  id: string
  poolId: string
  createdBy: string
  /** Seconds since the epoch, with milliseconds. */
  createdAt: number
  lastUsedAt: number | null
  description: string
  /** What is kept of the secret: enough to recognise it, not to show it. */
  kept: string
}

/** Who sent a request: a user, or an agent that identifies itself by a token of its pool. */
export type Caller = { kind: 'user'; user: User } | { kind: 'agent'; token: AgentToken }

export interface World {
  users: Map<string, User>
  /** User ids by digest of the bearer. */
  bearers: Map<string, string>
  pools: Set<string>
  workspaces: Map<string, { id: string; name: string }>
  runs: Map<string, Run>
  checks: Map<string, PolicyCheck>
  tokens: Map<string, AgentToken>
}

export const newWorld = (): World => ({
  users: new Map(),
  bearers: new Map(),
  pools: new Set(),
  workspaces: new Map(),
  runs: new Map(),
  checks: new Map(),
  tokens: new Map(),
})

/** SHA-256 of a secret in hexadecimal. */
export const digest = (secret: string): string => createHash('sha256').update(secret).digest('hex')
