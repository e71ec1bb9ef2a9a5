/** Faults of who may ask: tokens and their carriers, capabilities, verbs. */
import { coreEngine } from '../../core/core-engine.ts'
import { anyoneMay, countsAs, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { atConnection, atLease, atRole } from './afresh-help.ts'
import { below } from './anew-help.ts'

const { rule } = faultsOf(coreEngine, 'broker')

rule('afresh-role-read-without-token', ['CORE-AUTH-01'], 'a role is read without a token (000 5.1: a client token is required)', {
  needsToken: (original) => (route) => route?.id !== 'broker.readRole' && original(route),
})

rule(
  'afresh-unknown-token-sets-lease',
  ['CORE-AUTH-03'],
  'config/lease is written with any text for a token (000 7: 403 wrong credentials)',
  {
    callerRefused: (original) => (given, token, request) =>
      given !== undefined && atLease(request) ? undefined : original(given, token, request),
  },
)

rule(
  'afresh-ended-token-good-for-roles',
  ['CORE-AUTH-15'],
  'a token that was used for a role stays good for roles after its end (000 5.1: a client token is required)',
  goodForEver(atRole),
)

rule(
  'afresh-reader-writes-roles',
  ['CORE-CAP-04'],
  'who may only read a role may write it (000 7: 403 forbidden; 000 1.6: capability update)',
  countsAs('read', (call) => call?.method === 'POST' && below(call).startsWith('roles/')),
)

rule(
  'afresh-writer-gets-creds',
  ['CORE-CAP-05'],
  'who has update but not read on creds gets credentials (000 7: 403 forbidden)',
  countsAs('update', (call) => below(call).startsWith('creds/'), 'read'),
)

rule(
  'afresh-anyone-connects',
  ['CORE-CAP-04'],
  'every token may write config/connection (000 7: 403 forbidden, no access)',
  anyoneMay((call) => below(call) === 'config/connection'),
)

rule(
  'afresh-put-without-token',
  ['CORE-AUTH-01'],
  'PUT writes a role without a token (000 1.6: PUT and POST are synonyms; 5.1: a token is required)',
  {
    callerRefused: (original) => (given, token, request) =>
      given === undefined && request.method === 'PUT' && atRole(request) ? undefined : original(given, token, request),
  },
)

rule('afresh-wrong-token-401', ['CORE-AUTH-03'], 'a wrong token is answered 401 at config/connection (000 7: 403 wrong credentials)', {
  callerRefused: (original) => (given, token, request) => {
    const refused = original(given, token, request)
    return refused === 403 && given !== undefined && atConnection(request) ? 401 : refused
  },
})

rule(
  'afresh-lease-needs-sudo',
  ['CORE-CAP-06'],
  'config/lease is refused to who has update but not sudo (001 4.3: the row names no sudo)',
  {
    needsSudo: (original) => (route) => route.id === 'broker.writeLease' || original(route),
  },
)

rule('afresh-delete-creds-404', ['CORE-STATUS-08'], 'DELETE of creds is answered 404 (000 7: 405 unsupported method for the path)', {
  wrongMethodStatus: (original) => (method, routes) =>
    method === 'DELETE' && routes.some(({ id }) => id === 'broker.readCreds') ? 404 : original(method, routes),
})
