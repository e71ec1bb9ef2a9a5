/** The control endpoint: makes what the API cannot create, in the words of the command provisioner's protocol. */

import type { Api } from '../core/api.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { Random } from '../core/random.ts'
import type { Reply } from '../core/reply.ts'
import { digest, type PolicyCheck, type User, type World } from './world.ts'

const RIGHTS: Record<string, User['rights']> = {
  root: { readRuns: true, overrideChecks: true, managePools: true },
  owner: { readRuns: true, overrideChecks: true, managePools: true },
  colleague: { readRuns: true, overrideChecks: true, managePools: true },
  reader: { readRuns: true, overrideChecks: false, managePools: false },
  stranger: { readRuns: false, overrideChecks: false, managePools: false },
}

const none = { passed: 0, hardFailed: 0, softFailed: 0, advisoryFailed: 0, durationMs: 0 }

type Shape = Pick<PolicyCheck, 'status' | 'result'> & { reached: string[] }

const SOFT_FAILED: Shape = {
  status: 'soft_failed',
  result: { ...none, passed: 2, softFailed: 1, durationMs: 14 },
  reached: ['queued-at', 'soft-failed-at'],
}

const SHAPES: Record<string, Shape> = {
  'readable-check': SOFT_FAILED,
  'soft-failed-check': SOFT_FAILED,
  'soft-failed-warning-check': {
    status: 'soft_failed',
    result: { ...none, passed: 2, advisoryFailed: 1, durationMs: 11 },
    reached: ['queued-at', 'soft-failed-at'],
  },
  'passed-check': { status: 'passed', result: { ...none, passed: 3, durationMs: 9 }, reached: ['queued-at', 'passed-at'] },
  'queued-check': { status: 'queued', result: none, reached: ['queued-at'] },
  'hard-failed-check': {
    status: 'hard_failed',
    result: { ...none, passed: 1, hardFailed: 2, durationMs: 21 },
    reached: ['queued-at', 'hard-failed-at'],
  },
}

const POOLS = ['agent-pool', 'other-agent-pool']

const RUN_SIZES: Record<string, number> = { run: 3, 'run-to-override': 3, 'large-run': 105, 'empty-run': 0 }

export interface ControlOptions {
  world: World
  now(): number
  random: Random
}

/** Makes users, pools, runs and checks; each answer carries what undoes it. */
const maker = ({ world, now, random }: ControlOptions) => {
  const addRun = (): string => {
    const workspaceId = `ws-${random.word(16)}`
    const id = `run-${random.word(16)}`
    world.workspaces.set(workspaceId, { id: workspaceId, name: `workspace-${random.word(6)}` })
    world.runs.set(id, { id, workspaceId })
    return id
  }
  const addCheck = (runId: string, { status, result, reached }: Shape): string => {
    const id = `polchk-${random.word(16)}`
    const started = now() - 60
    const timestamps = Object.fromEntries(reached.map((key, index) => [key, started + index]))
    world.checks.set(id, { id, runId, scope: 'organization', status, timestamps, result: { ...result } })
    return id
  }
  return {
    fixture(purpose: string, parameters: JsonObject): JsonObject | undefined {
      if (POOLS.includes(purpose)) {
        const id = `apool-${random.word(16)}`
        world.pools.add(id)
        return { id }
      }
      const shape = SHAPES[purpose]
      if (shape) {
        const run = addRun()
        return { id: addCheck(run, shape), run, workspace: world.runs.get(run)!.workspaceId }
      }
      const size = typeof parameters.checks === 'number' ? parameters.checks : RUN_SIZES[purpose]
      if (!(purpose in RUN_SIZES) || size === undefined) return undefined
      const run = addRun()
      const checks = Array.from({ length: size }, () => addCheck(run, SOFT_FAILED))
      return { id: run, workspace: world.runs.get(run)!.workspaceId, checks }
    },
    identity(purpose: string): JsonObject | undefined {
      const rights = RIGHTS[purpose]
      if (!rights) return undefined
      const user: User = { id: `user-${random.word(16)}`, name: purpose, rights }
      const token = random.word(40)
      world.users.set(user.id, user)
      world.bearers.set(digest(token), user.id)
      return { token, displayName: purpose, undo: user.id }
    },
    undo(id: string): void {
      for (const [checkId, check] of world.checks) if (check.runId === id) world.checks.delete(checkId)
      for (const [tokenId, token] of world.tokens) if (token.poolId === id) world.tokens.delete(tokenId)
      for (const [bearer, userId] of world.bearers) if (userId === id) world.bearers.delete(bearer)
      world.workspaces.delete(world.runs.get(id)?.workspaceId ?? '')
      for (const kept of [world.users, world.pools, world.runs]) kept.delete(id)
    },
  }
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

/**
 * Answers needs under `/control`: `provide` with kind `fixture` or `identity`, and `undo`. Not part of the contract. Every
 * caller may make users, so a server that strangers can reach must not serve it.
 */
export const controlApi = (options: ControlOptions): Api => {
  const make = maker(options)
  const answer = (need: JsonObject): JsonObject => {
    if (need.action === 'undo') {
      make.undo(text(need.undo))
      return {}
    }
    const purpose = text(need.purpose)
    if (need.kind === 'identity') return make.identity(purpose) ?? { unavailable: `no identity is known as ${purpose}` }
    if (need.kind !== 'fixture') return { unavailable: `${text(need.kind)} is nothing that this API has` }
    const parameters = typeof need.parameters === 'object' && need.parameters !== null ? (need.parameters as JsonObject) : {}
    const fixture = make.fixture(purpose, parameters)
    if (!fixture) return { unavailable: `no fixture is known as ${purpose}` }
    return { fixture, undo: fixture.run ?? fixture.id ?? '' }
  }
  return {
    basePath: '/control',
    async handle(request): Promise<Reply> {
      if (request.method !== 'POST') return { status: 405, body: { unavailable: 'needs are posted' } }
      try {
        return { status: 200, body: answer(JSON.parse(new TextDecoder().decode(request.body)) as JsonObject) }
      } catch {
        return { status: 400, body: { unavailable: 'the need is not JSON' } }
      }
    },
  }
}
