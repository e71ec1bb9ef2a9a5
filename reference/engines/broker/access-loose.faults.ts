/** Faults in who may do what with the broker: carriers of the token, capabilities, patterns of policies, tokens that have ended. */
import { coreEngine } from '../../core/core-engine.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { anyoneMay, bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import { isAbout } from './loose-words.ts'

const { rule } = faultsOf(coreEngine, 'broker')

const goesTo = (folder: string, request: RequestFacts): boolean => request.path.includes(`/${folder}/`) && !isProvisioning(request)

rule(
  'who-writer-of-creds-path-reads',
  ['CORE-CAP-05'],
  'whoever may update a path below creds/ gets users there without the capability to read (000 7, 403 forbidden)',
  countsAs('update', (call) => isAbout('creds', call), 'read'),
)

rule(
  'who-reader-deletes-roles',
  ['CORE-CAP-21'],
  'whoever may read a role may delete it (000 7, 403 forbidden)',
  countsAs('read', (call) => isAbout('roles', call), 'delete'),
)

rule(
  'who-lease-config-for-anyone',
  ['CORE-CAP-04'],
  'config/lease asks for a token but for no capability (000 5.4, access policies; 7, 403 forbidden)',
  anyoneMay((call) => isAbout('config/lease', call)),
)

rule(
  'who-deny-leaves-deletion',
  ['CORE-CAP-18'],
  'a policy that denies a role does not stop its deletion (000 7, 403 forbidden)',
  denyOverlooked((call) => isAbout('roles', call) && call?.method === 'DELETE'),
)

rule(
  'who-bearer-gets-no-creds',
  ['CORE-AUTH-07'],
  'a token that comes as a bearer is not seen by creds/ (000 5.1, sent in either header)',
  bearerIgnored((request) => goesTo('creds', request)),
)

rule(
  'who-ended-token-gets-creds',
  ['CORE-AUTH-15'],
  'a token that has got users goes on getting them after its end (000 7, 403 wrong credentials)',
  goodForEver((request) => goesTo('creds', request)),
)

rule(
  'who-role-without-token',
  ['CORE-AUTH-01', 'CORE-AUTH-03'],
  'roles can be read without any token (001, all endpoints require a client token)',
  {
    needsToken: (original) => (route) => original(route) && route?.id !== 'broker.readRole',
  },
)

rule(
  'who-delete-without-token',
  ['CORE-AUTH-01', 'CORE-AUTH-03'],
  'roles can be deleted without any token (001, all endpoints require a client token)',
  {
    needsToken: (original) => (route) => original(route) && route?.id !== 'broker.deleteRole',
  },
)

rule(
  'who-wrong-token-404',
  ['CORE-AUTH-03'],
  'creds are answered 404 to a token that does not exist (000 7 and readings: a wrong token, 403)',
  {
    callerRefused: (original) => (given, token, request) => {
      const refused = original(given, token, request)
      return refused !== undefined && given !== undefined && goesTo('creds', request) ? 404 : refused
    },
  },
)

rule(
  'who-exact-path-as-prefix',
  ['CORE-CAP-01'],
  'a policy on creds/app without any wildcard holds for creds/app2 as well (000 7, 403 forbidden)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (pattern.includes('/creds/') && !/[*+]/.test(pattern) && path.startsWith(pattern)),
  },
)
