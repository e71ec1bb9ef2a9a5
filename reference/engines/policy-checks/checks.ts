/** Policy checks: list, show, override, and the output that each links to. */
import type { Json, JsonObject } from '../../core/json.ts'
import { document, Refusal } from '../../run-management/documents.ts'
import { pageLinks, pageMeta, pagesFor } from '../../run-management/paging.ts'
import type { PartCall, PartRoute } from '../../run-management/part.ts'
import type { PolicyCheck } from '../../run-management/world.ts'
import { type PolicyCheckRules, resourceOf } from './checks.rules.ts'

type Call = PartCall<PolicyCheckRules>

const hidden = ({ rules }: Call, kind: string, id: string, exists: boolean): Refusal =>
  new Refusal(exists ? rules.hiddenStatus() : 404, rules.hiddenDetail(kind, id, exists))

const checkOf = (call: Call): PolicyCheck => {
  const id = call.params.id!
  const check = call.world.checks.get(id)
  if (!check) throw hidden(call, 'policy check', id, false)
  if (!call.rules.mayRead(call.caller, check)) throw hidden(call, 'policy check', id, true)
  return check
}

const withRelated = (call: Call, checks: readonly PolicyCheck[], data: Json): JsonObject => {
  const paths = call.rules.includePaths(call.query.get('include'))
  if (paths.length === 0) return { data }
  return { data: call.rules.primary(data, paths), included: call.rules.included(call.world, checks, paths) }
}

const list: PartRoute<PolicyCheckRules>['handle'] = (call) => {
  const { rules, world, caller } = call
  const run = call.params.run_id!
  if (!world.runs.has(run)) throw hidden(call, 'run', run, false)
  if (!rules.mayRead(caller, undefined)) throw hidden(call, 'run', run, true)
  const all = rules.checksOf(world, run)
  const resources = (checks: readonly PolicyCheck[]) => checks.map((check) => resourceOf(rules, check, caller))
  if (!rules.paged(call.query)) return document(200, withRelated(call, all, resources(all)))
  const page = rules.page(call.query, rules.defaultPageSize())
  const checks = rules.slice(all, page)
  const pages = pagesFor(all.length, page.size)
  return document(200, {
    ...withRelated(call, checks, resources(checks)),
    links: pageLinks(call.path, page, pages),
    meta: { pagination: pageMeta(page, pages, all.length) },
  })
}

const show: PartRoute<PolicyCheckRules>['handle'] = (call) => {
  const check = checkOf(call)
  return document(200, withRelated(call, [check], resourceOf(call.rules, check, call.caller)))
}

const override: PartRoute<PolicyCheckRules>['handle'] = async (call) => {
  const { rules, caller } = call
  const check = checkOf(call)
  if (!rules.mayOverride(caller, check)) throw new Refusal(rules.forbiddenStatus(), 'you may not override this policy check')
  if (!(await rules.override(check, call.now(), rules.overridable, call.world))) {
    throw new Refusal(rules.conflictStatus(), `a policy check that is ${check.status} cannot be overridden`)
  }
  return document(rules.overrideStatus(), { data: rules.overrideAnswer(resourceOf(rules, check, caller)) })
}

const output: PartRoute<PolicyCheckRules>['handle'] = (call) => {
  const check = checkOf(call)
  const text = `policy check ${check.id}: ${check.status}\n`
  return { status: 200, raw: { contentType: 'text/plain; charset=utf-8', bytes: new TextEncoder().encode(text) } }
}

export const policyCheckRoutes: PartRoute<PolicyCheckRules>[] = [
  { id: 'policyChecks.list', method: 'GET', path: 'runs/:run_id/policy-checks', handle: list },
  { id: 'policyChecks.show', method: 'GET', path: 'policy-checks/:id', handle: show },
  { id: 'policyChecks.override', method: 'POST', path: 'policy-checks/:id/actions/override', handle: override },
  { id: 'policyChecks.showOutput', method: 'GET', path: 'policy-checks/:id/output', handle: output },
]
