/** Decisions about policy checks. */
import type { Json, JsonObject } from '../../core/json.ts'
import { type CallerRules, callerRules } from '../../run-management/caller-rules.ts'
import { Refusal, toOne } from '../../run-management/documents.ts'
import { type PagingRules, pagingRules } from '../../run-management/paging.ts'
import type { Caller, PolicyCheck, World } from '../../run-management/world.ts'

const INCLUDABLE = ['run', 'run.workspace']

export interface PolicyCheckRules extends CallerRules, PagingRules {
  mayRead(caller: Caller, check: PolicyCheck | undefined): boolean
  /** Whether the caller may override a check: the value of `permissions.can-override` and what an override asks. */
  mayOverride(caller: Caller, check: PolicyCheck): boolean
  /** Value of `permissions.can-override`. */
  canOverride(permitted: boolean, check: PolicyCheck): boolean
  hiddenStatus(): number
  hiddenDetail(kind: string, id: string, exists: boolean): string
  /** Whether a list request asks for pages. */
  paged(query: URLSearchParams): boolean
  checksOf(world: World, run: string): PolicyCheck[]
  /** Whether the check's state allows an override. */
  overridable(check: PolicyCheck): boolean
  isOverridable(check: PolicyCheck): boolean
  /** Moves a check to `overridden`; false when its state forbids that by now. `overridable` is the rule above. */
  override(check: PolicyCheck, now: number, overridable: PolicyCheckRules['overridable'], world: World): boolean | Promise<boolean>
  forbiddenStatus(): number
  conflictStatus(): number
  overrideStatus(): number
  /** The check as the override answers it. */
  overrideAnswer(resource: JsonObject): JsonObject
  timestamps(check: PolicyCheck): JsonObject
  result(check: PolicyCheck): JsonObject
  scope(check: PolicyCheck): string
  runOf(check: PolicyCheck): string
  outputLink(check: PolicyCheck): string
  /** The include paths of a request. @throws Refusal 400 for one that does not exist. */
  includePaths(text: string | null): string[]
  /** Related resources of checks for the given paths. */
  included(world: World, checks: readonly PolicyCheck[], paths: readonly string[]): JsonObject[]
  /** The primary data of an answer with related resources. */
  primary(data: Json, paths: readonly string[]): Json
}

const timeOf = (seconds: number): string => new Date(Math.floor(seconds) * 1000).toISOString().replace('.000Z', '+00:00')

const runResource = (run: { id: string; workspaceId: string }): JsonObject => ({
  id: run.id,
  type: 'runs',
  attributes: { status: 'policy_checked' },
  relationships: { workspace: toOne('workspaces', run.workspaceId) },
})

const workspaceResource = (workspace: { id: string; name: string }): JsonObject => ({
  id: workspace.id,
  type: 'workspaces',
  attributes: { name: workspace.name },
})

export const policyCheckRules: PolicyCheckRules = {
  ...callerRules,
  ...pagingRules,
  mayRead: (caller) => caller.kind === 'user' && caller.user.rights.readRuns,
  mayOverride: (caller) => caller.kind === 'user' && caller.user.rights.overrideChecks,
  canOverride: (permitted) => permitted,
  hiddenStatus: () => 404,
  hiddenDetail: (kind) => `no such ${kind}, or it is not yours`,
  paged: (query) => query.has('page[number]') || query.has('page[size]'),
  checksOf: (world, run) => [...world.checks.values()].filter(({ runId }) => runId === run),
  overridable: (check) => check.status === 'soft_failed',
  isOverridable: (check) => check.status === 'soft_failed',
  override(check, now, overridable) {
    if (!overridable(check)) return false
    check.status = 'overridden'
    check.timestamps['overridden-at'] = now
    return true
  },
  forbiddenStatus: () => 403,
  conflictStatus: () => 409,
  overrideStatus: () => 200,
  overrideAnswer(resource) {
    const { relationships: _, ...rest } = resource
    return rest
  },
  timestamps: (check) => Object.fromEntries(Object.entries(check.timestamps).map(([key, seconds]) => [key, timeOf(seconds)])),
  result({ status, result }) {
    return {
      result: status === 'passed' || status === 'overridden',
      passed: result.passed,
      'total-failed': result.hardFailed + result.softFailed + result.advisoryFailed,
      'hard-failed': result.hardFailed,
      'soft-failed': result.softFailed,
      'advisory-failed': result.advisoryFailed,
      'duration-ms': result.durationMs,
      'policy-engine': { version: 1, policies: result.passed + result.hardFailed + result.softFailed + result.advisoryFailed },
    }
  },
  scope: (check) => check.scope,
  runOf: (check) => check.runId,
  outputLink: (check) => `/api/v2/policy-checks/${check.id}/output`,
  includePaths(text) {
    const paths = text === null || text === '' ? [] : text.split(',')
    for (const path of paths) if (!INCLUDABLE.includes(path)) throw new Refusal(400, `there is nothing to include as ${path}`)
    return paths
  },
  included(world, checks, paths) {
    if (paths.length === 0) return []
    const runs = [...new Set(checks.map(({ runId }) => runId))].map((id) => world.runs.get(id)!)
    const workspaces = paths.includes('run.workspace') ? [...new Set(runs.map(({ workspaceId }) => workspaceId))] : []
    return [...runs.map(runResource), ...workspaces.map((id) => workspaceResource(world.workspaces.get(id)!))]
  },
  primary: (data) => data,
}

/** A policy check as a JSON:API resource, for one caller. */
export const resourceOf = (rules: PolicyCheckRules, check: PolicyCheck, caller: Caller): JsonObject => ({
  id: check.id,
  type: 'policy-checks',
  attributes: {
    result: rules.result(check),
    scope: rules.scope(check),
    status: check.status,
    'status-timestamps': rules.timestamps(check),
    actions: { 'is-overridable': rules.isOverridable(check) },
    permissions: { 'can-override': rules.canOverride(rules.mayOverride(caller, check), check) },
  },
  relationships: { run: toOne('runs', rules.runOf(check)) },
  links: { output: rules.outputLink(check) },
})
