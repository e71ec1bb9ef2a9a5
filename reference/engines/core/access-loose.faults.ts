/** Faults of the conventions about who asks: with which token, in which header, by which verb, with which capability. */
import { coreEngine } from '../../core/core-engine.ts'
import type { CoreRules, RequestFacts } from '../../core/rules.ts'
import { anyoneMay, bearerIgnored, countsAs } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning, isWrite } from '../../mutations/request-kinds.ts'
import { noting, verbOf } from './loose-words.ts'

type Asked = Parameters<CoreRules['capabilityGranted']>[2]

const { rule } = faultsOf(coreEngine)

const isEngineCall = (call: Asked): call is NonNullable<Asked> => call !== undefined && !/^(sys|auth)\//.test(call.path)
const calls = (where: (call: NonNullable<Asked>) => boolean) => (call: Asked) => isEngineCall(call) && where(call)
const byQuery = ({ method, query }: RequestFacts): boolean => method === 'GET' && query.get('list') === 'true'

const tokenless = (where: (request: RequestFacts) => boolean, given: 'none' | 'wrong') => ({
  callerRefused:
    (original: CoreRules['callerRefused']): CoreRules['callerRefused'] =>
    (text, token, request) =>
      !isProvisioning(request) && where(request) && token === undefined && (given === 'none') === (text === undefined)
        ? undefined
        : original(text, token, request),
})

rule('no-token-list-query', ['CORE-AUTH-01'], 'GET with list=true needs no token (000 5.1)', tokenless(byQuery, 'none'))

rule(
  'wrong-token-reads-anew',
  ['CORE-AUTH-08'],
  'a read passes with any token text (000 5.1, 7: 403)',
  tokenless((request) => request.method === 'GET' && !byQuery(request), 'wrong'),
)

const refusedWith = (status: number, where: (request: RequestFacts) => boolean) => ({
  callerRefused:
    (original: CoreRules['callerRefused']): CoreRules['callerRefused'] =>
    (text, token, request) => {
      const refused = original(text, token, request)
      return refused !== undefined && text !== undefined && !isProvisioning(request) && where(request) ? status : refused
    },
})

rule('wrong-token-401-anew', ['CORE-AUTH-03'], 'a wrong token is 401 on a write (000 7: 403 wrong credentials)', refusedWith(401, isWrite))

rule('bearer-not-for-list-query', ['CORE-AUTH-07'], 'a bearer does not count for GET with list=true (000 2.1)', bearerIgnored(byQuery))

rule('longer-token-passes', ['CORE-AUTH-03', 'CORE-AUTH-05'], 'a token with something appended is taken for the good one (000 5.1)', {
  tokenOf: (original) => (request, spelling) => {
    const given = original(request, spelling)
    return given === undefined || isProvisioning(request) ? given : (/^\w\.\w{24}/.exec(given)?.[0] ?? given)
  },
})

rule(
  'update-creates',
  ['CORE-CAP-09'],
  'update is enough for creating (000 1.6, 5.4)',
  countsAs(
    'update',
    calls(() => true),
    'create',
  ),
)

rule('update-sudo', ['CORE-CAP-15'], 'update or delete is enough where sudo is needed (000 5.4)', {
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed, call) || (needed === 'sudo' && isEngineCall(call) && (granted.has('update') || granted.has('delete'))),
})

rule(
  'anyone-list-query',
  ['CORE-CAP-17'],
  'GET with list=true needs no capability (000 7: 403, 404)',
  anyoneMay(calls(({ query }) => query.get('list') === 'true')),
)

rule('put-is-update-anew', ['CORE-CAP-19'], 'PUT asks for update even where it creates (000 1.6)', {
  ...noting,
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed === 'create' && isEngineCall(call) && verbOf(call) === 'PUT' ? 'update' : needed, call),
})
