/** Faults of the conventions: who asks, and how. */
import { coreEngine } from '../../core/core-engine.ts'
import { countsAs } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestBody } from '../../mutations/wrappers.ts'

const { rule, route } = faultsOf(coreEngine, 'core')

rule(
  'onyx-sudo-alone-writes',
  'CORE-CAP-04',
  'a token that has `sudo` alone on a path may write there without `create` and `update` (000, 1.6: policies distinguish `create` and `update`; 5.4: sudo is another capability, which some operations require)',
  countsAs('sudo', (call) => call?.method === 'POST'),
)

route(
  'onyx-last-of-several-policies-lost',
  'CORE-CAP-03',
  'of several policies of a token the last one named grants nothing (000, 1.6: access policies grant capabilities; 7: 403 is for no access)',
  'token.create',
  requestBody((body) => {
    const { policies } = body
    if (!Array.isArray(policies) || policies.filter((name) => name !== 'default').length < 2) return body
    const last = policies.findLastIndex((name) => name !== 'default')
    return { ...body, policies: policies.filter((_name, index) => index !== last) }
  }),
)
