/** Faults of policy checks that show on a second override, in long lists or to a caller who may only read. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { reply } from '../../mutations/wrappers.ts'
import { policyChecks } from './engine.ts'
import { type Call, part, resources, withAttributes } from './wrappers.ts'

const { rule, route } = faultsOf(policyChecks)

rule('one-override-per-run', 'POLICY-CHECKS-OVERRIDE-22', 'the override of a second check of a run takes back that of the first', {
  override: (original) => async (check, now, overridable, world) => {
    const done = await original(check, now, overridable, world)
    const others = [...world.checks.values()].filter(
      (other) => other !== check && other.runId === check.runId && other.status === 'overridden',
    )
    for (const other of done ? others : []) {
      other.status = 'soft_failed'
      delete other.timestamps['overridden-at']
    }
    return done
  },
})

route(
  'unpaged-list-of-hundred',
  'POLICY-CHECKS-PAGE-01',
  'a list without paging parameters ends after a hundred checks',
  'policyChecks.list',
  reply((given, call: Call) => {
    const body = given.body as JsonObject & { data: JsonObject[] }
    return call.rules.paged(call.query) ? given : { ...given, body: { ...body, data: body.data.slice(0, 100) } }
  }),
)

rule('refused-override-sets-time', 'POLICY-CHECKS-OVERRIDE-16', 'a second override is refused and sets overridden-at anew all the same', {
  override: (original) => (check, now, overridable, world) => {
    if (check.status === 'overridden') check.timestamps['overridden-at'] = now
    return original(check, now, overridable, world)
  },
})

route(
  'warning-overridden-by-reader',
  'POLICY-CHECKS-OVERRIDE-17',
  'a check that has only warnings is overridden for whoever may read it',
  'policyChecks.override',
  (original) => (call) => {
    const result = call.world.checks.get(call.params.id ?? '')?.result
    const onlyWarnings = result !== undefined && result.softFailed === 0 && result.advisoryFailed > 0
    if (!onlyWarnings || call.caller.kind !== 'user') return original(call)
    const { user } = call.caller
    return original({ ...call, caller: { kind: 'user', user: { ...user, rights: { ...user.rights, overrideChecks: true } } } })
  },
)

route(
  'list-without-earlier-time',
  'POLICY-CHECKS-OVERRIDE-11',
  'the list shows an overridden check without the time at which it had soft-failed',
  'policyChecks.list',
  resources((resource) => {
    const { 'soft-failed-at': earlier, ...rest } = part(part(resource, 'attributes'), 'status-timestamps')
    return earlier !== undefined && 'overridden-at' in rest ? withAttributes(resource, { 'status-timestamps': rest }) : resource
  }),
)
