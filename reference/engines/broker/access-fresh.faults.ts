/** Faults of who may ask: carriers of tokens, capabilities, namespaces, the end of a token. */
import { coreEngine } from '../../core/core-engine.ts'
import { empty } from '../../core/envelope.ts'
import { bearerIgnored, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isProvisioning, isWrite } from '../../mutations/request-kinds.ts'
import { brokerEngine } from './engine.ts'
import type { BrokerState } from './state.ts'

const { change } = faultsOf(brokerEngine, 'broker')
const core = faultsOf(coreEngine, 'broker')

const isRole = (path = ''): boolean => /(^|\/)roles\/[^/]+$/.test(path)

core.rule(
  'fresh-bearer-not-for-deletion',
  ['CORE-AUTH-07'],
  'the deletion of a role is refused where the token comes as a bearer (000 5.1: X-Service-Token or Authorization)',
  bearerIgnored((request) => request.method === 'DELETE' && !isProvisioning(request) && isRole(request.path)),
)

core.rule(
  'fresh-deny-not-for-lease',
  ['CORE-CAP-04'],
  'a policy that denies config/lease does not keep its callers from writing it (000 7: 403 without access)',
  denyOverlooked((call) => /\/config\/lease$/.test(call?.path ?? '')),
)

core.rule(
  'fresh-creds-policy-as-prefix',
  ['CORE-CAP-01'],
  'a policy for the credentials of one role holds for all whose names begin alike (000 7: 403)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (/(^|\/)creds\/[^/*+]+$/.test(pattern) && path.startsWith(pattern)),
  },
)

core.rule(
  'fresh-namespace-split-lost',
  ['CORE-NS-02'],
  'a namespace given half by header and half by path is lost (000 2.2: header `<ns1>/` with path `<ns2>/x` is `<ns1>/<ns2>/` with `x`)',
  {
    namespaceOf: (original) => (effectivePath, namespaces, header) => {
      const prefix = (header ?? '').split('/').filter((segment) => segment !== '')
      const isEngines = /\/(roles|creds|config)\//.test(effectivePath) && !isProvisioning({ path: effectivePath })
      return original(isEngines && prefix.length > 0 ? `${prefix.join('/')}/` : effectivePath, namespaces, header)
    },
  },
)

core.rule(
  'fresh-revoked-token-writes-roles',
  ['CORE-AUTH-15'],
  'a token that wrote a role while it was good may write roles after its end (000 5.1: a client token is required; 7: 403)',
  goodForEver((request) => isWrite(request) && isRole(request.path)),
)

core.rule(
  'fresh-wrong-token-401',
  ['CORE-AUTH-03'],
  'a wrong token is answered with 401 at config/connection (000 7: 403 for wrong credentials)',
  {
    callerRefused: (original) => (given, token, request) => {
      const isWrong = given !== undefined && token === undefined
      return isWrong && /\/config\/connection$/.test(request.path) ? 401 : original(given, token, request)
    },
  },
)

core.rule(
  'fresh-help-for-denied',
  ['CORE-HELP-05'],
  'help is shown to callers whom a policy denies the path (000 1.7: if the caller has permission on the path)',
  {
    helpAllowed: (original) => (granted) => granted.has('deny') || original(granted),
  },
)

const writers = remembered(() => new Map<string, string | undefined>())
change(
  'fresh-delete-by-writer-only',
  ['BROKER-ROLE-05'],
  'the deletion of a role by another token than the one that wrote it is answered with 204 and not done (001 4.3: delete role)',
  {
    routes: {
      'broker.writeRole': (original) => async (call) => {
        const given = await original(call)
        writers(call.state).set(call.params.name ?? '', call.token?.id)
        return given
      },
      'broker.deleteRole': (original) => (call) => {
        const writer = writers(call.state).get(call.params.name ?? '')
        return writer === undefined || writer === call.token?.id ? original(call) : empty()
      },
    },
  },
)

core.rule(
  'fresh-denied-deletion-done',
  ['CORE-CAP-21'],
  'a deletion refused for want of a capability has deleted the role all the same (000 7: 403)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const may = original(granted, needed, call)
      if (!may && needed === 'delete' && call && isRole(call.path) && !isProvisioning(call)) {
        const { roles } = call.state as Partial<BrokerState>
        roles?.delete(call.params.name ?? '')
      }
      return may
    },
  },
)

core.rule('fresh-roles-read-while-sealed', ['CORE-SEAL-01'], 'roles are read while the service is sealed (000 3, 7: 503)', {
  outOfService: (original) => (seal, request) =>
    seal.initialized && request.method === 'GET' && isRole(request.path) && !isProvisioning(request) ? undefined : original(seal, request),
})
