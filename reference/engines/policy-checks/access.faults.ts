/** Faults in who may read and override. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { anybody, anyCasePasses, longerBearersPass } from '../../run-management/answer-changes.ts'
import { policyChecks } from './engine.ts'
import { overrideQuietly, part, resources, withAttributes } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(policyChecks)

const SHOW = 'policyChecks.show'
const LIST = 'policyChecks.list'
const OVERRIDE = 'policyChecks.override'
route(
  'override-by-anybody',
  ['POLICY-CHECKS-OVERRIDE-18', 'POLICY-CHECKS-OVERRIDE-17'],
  'everybody with a token may override',
  OVERRIDE,
  (original) => (call) => original({ ...call, rules: { ...call.rules, mayRead: () => true, mayOverride: () => true } }),
)

const anonymous = anybody({ readRuns: true, overrideChecks: true, managePools: false })

rule('anonymous', ['POLICY-CHECKS-AUTH-01', 'POLICY-CHECKS-AUTH-05'], 'a request without a bearer is let in', {
  bearer: (original) => (header) => original(header) ?? 'anonymous',
  caller: (original) => (world, bearer, recognises) => (bearer === 'anonymous' ? anonymous : original(world, bearer, recognises)),
})
rule('any-bearer', ['POLICY-CHECKS-AUTH-03', 'POLICY-CHECKS-AUTH-05'], 'any bearer is let in', {
  caller: (original) => (world, bearer, recognises) => original(world, bearer, recognises) ?? anonymous,
})
rule('longer-bearer', 'POLICY-CHECKS-AUTH-03', 'a bearer that only begins with a good one is taken for it', { caller: longerBearersPass })
rule('bearer-of-any-case', 'POLICY-CHECKS-AUTH-03', 'the letter case of a bearer does not count', { caller: anyCasePasses })
rule('bare-token', 'POLICY-CHECKS-AUTH-07', 'a token is taken without the word Bearer, and after any other scheme', {
  bearer: () => (header) => /(\S+)$/.exec(header ?? '')?.[1],
})
rule('no-bearer-400', 'POLICY-CHECKS-AUTH-02', 'a missing bearer is answered with 400', { unauthenticatedStatus: () => () => 400 })
rule('stranger-reads', ['POLICY-CHECKS-HIDE-01', 'POLICY-CHECKS-HIDE-02'], 'every user may read every run', { mayRead: () => () => true })
rule('hidden-told', 'POLICY-CHECKS-HIDE-03', 'the 404 of a hidden check has a text of its own', {
  hiddenDetail: (original) => (kind, id, exists) => (exists ? 'you lack permission' : original(kind, id, exists)),
})
route(
  'stranger-override-done',
  'POLICY-CHECKS-OVERRIDE-18',
  'an override of a stranger is refused and done',
  OVERRIDE,
  (original) => async (call) => {
    const check = call.world.checks.get(call.params.id!)
    if (check && !call.rules.mayRead(call.caller, check)) overrideQuietly(check, call.now())
    return original(call)
  },
)
route(
  'first-reader-decides',
  ['POLICY-CHECKS-FIELD-24', 'POLICY-CHECKS-FIELD-25'],
  'can-override is that of the first reader',
  SHOW,
  (original) => {
    const first = new Map<string, JsonObject>()
    return resources((resource) => {
      const id = resource.id as string
      const permissions = first.get(id) ?? part(part(resource, 'attributes'), 'permissions')
      first.set(id, permissions)
      return withAttributes(resource, { permissions })
    })(original)
  },
)
route(
  'list-can-override',
  'POLICY-CHECKS-FIELD-25',
  'a list says can-override for every reader',
  LIST,
  resources((resource) => withAttributes(resource, { permissions: { 'can-override': true } })),
)

const overriddenRuns = remembered(() => new Set<string>())

change('override-locks-siblings', 'POLICY-CHECKS-OVERRIDE-17', 'an override locks the other checks of its run', {
  routes: {
    'policyChecks.override': (original) => async (call) => {
      const given = await original(call)
      overriddenRuns(call.world).add(call.world.checks.get(call.params.id!)?.runId ?? '')
      return given
    },
    'policyChecks.show': resources((resource, call) => {
      const check = call.world.checks.get(resource.id as string)!
      const locked = check.status === 'soft_failed' && overriddenRuns(call.world).has(check.runId)
      return locked ? withAttributes(resource, { permissions: { 'can-override': false } }) : resource
    }),
  },
})

export const faults = declared
