/** Faults of the cloud-C engine: who asks, and how. */
import { coreEngine } from '../../core/core-engine.ts'
import { bearerIgnored, countsAs, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { remembered } from '../../mutations/remembering.ts'
import { kindOf } from './haze-help.ts'
import type { CloudcState } from './state.ts'

const { rule, change } = faultsOf(coreEngine, 'cloudc')
const { here, locating } = requestsTo('cloudc')

const segmentsIn = (path: string): number => path.split('/').filter((segment) => segment !== '').length

rule(
  'haze-create-may-update',
  'CORE-CAP-07',
  'whoever may create rolesets may update them, too (000, 1: the existence check lets policies distinguish create and update)',
  countsAs('create', (call) => kindOf(call) === 'roleset' && call?.method === 'POST', 'update'),
)

const deleted = remembered(() => new Set<string>())
rule(
  'haze-deleted-counts-as-existing',
  'CORE-CAP-19',
  'creating a roleset again after its deletion needs update (000, 1: create where the object is not there)',
  {
    finish: (original) => (call, route, reply) => {
      if (route.id === 'cloudc.deleteRoleset') deleted(call.state as CloudcState).add(call.params.name ?? '')
      return original(call, route, reply)
    },
    capabilityGranted: (original) => (granted, needed, call) => {
      const again =
        call !== undefined &&
        needed === 'create' &&
        kindOf(call) === 'roleset' &&
        deleted(call.state as CloudcState).has(call.params.name ?? '')
      return original(granted, again ? 'update' : needed, call)
    },
  },
)

rule(
  'haze-bearer-not-for-writes',
  'CORE-AUTH-07',
  'the Authorization header is not looked at in POST and PUT (000, 2.1: alternative token carrier)',
  {
    ...locating,
    ...bearerIgnored(({ method }) => here() && /^(POST|PUT)$/.test(method)),
  },
)

rule(
  'haze-revoked-token-still-reads',
  'CORE-AUTH-15',
  'a token that has read from the engine still reads when it is revoked (000, 1 and 7: 403 for wrong credentials)',
  {
    ...locating,
    ...goodForEver(({ method }) => here() && method === 'GET'),
  },
)

rule(
  'haze-query-listing-without-token',
  'CORE-AUTH-01',
  'GET rolesets?list=true needs no token (000, 1: almost every operation requires a client token)',
  {
    ...locating,
    callerRefused: (original) => (given, token, request) =>
      here() && given === undefined && request.method === 'GET' && request.query.get('list') === 'true'
        ? undefined
        : original(given, token, request),
  },
)

rule(
  'haze-update-may-get-tokens',
  'CORE-CAP-05',
  'whoever may update token/:roleset may GET it, too (000, 7: 403; a GET needs read)',
  countsAs('update', (call) => kindOf(call) === 'token', 'read'),
)

rule(
  'haze-any-grant-may-rotate',
  'CORE-CAP-04',
  'whoever has any capability on a rotate path may rotate, too (000, 1 and 7: a write needs create or update)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed, call) || (granted.size > 0 && !granted.has('deny') && /^rotate/.test(kindOf(call) ?? '')),
  },
)

rule(
  'haze-refused-deletion-takes-effect',
  'CORE-CAP-14',
  'a DELETE that is refused for want of the capability deletes the roleset (000, 7: forbidden)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const may = original(granted, needed, call)
      if (!may && call !== undefined && needed === 'delete' && kindOf(call) === 'roleset')
        (call.state as CloudcState).rolesets.delete(call.params.name ?? '')
      return may
    },
  },
)

let named: string | undefined
change(
  'haze-namespace-in-two-parts',
  'CORE-NS-02',
  'a namespace that stands partly in the header, partly in the path is not served (000, 2.2: equivalent)',
  {
    rules: {
      namespaceOf: (original) => (effective, namespaces, header) => {
        named = header
        return original(effective, namespaces, header)
      },
      mountsSeen: (original) => (all, namespace) => {
        const split = segmentsIn(named ?? '') > 0 && segmentsIn(namespace) > segmentsIn(named ?? '')
        return original(all, namespace).filter(({ engine }) => !(split && engine.type === 'cloudc'))
      },
    },
  },
)
