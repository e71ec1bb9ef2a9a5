/** Faults in who may do what with databases: carriers of the token, verbs, capabilities, deny, paths of policies, ended tokens. */
import { coreEngine } from '../../core/core-engine.ts'
import { anyoneMay, bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { goesTo, isAbout } from './loose-words.ts'

const { rule } = faultsOf(coreEngine, 'database')

rule(
  'who-creator-updates-connections',
  ['CORE-CAP-07'],
  'whoever may create a connection may update it (001 4.1, C/U distinguish `create` and `update` capabilities)',
  countsAs('create', (call) => isAbout('config', call), 'update'),
)

rule(
  'who-static-update-needs-create',
  ['CORE-CAP-07', 'CORE-CAP-10'],
  'every write of a static role needs `create` (001 4.1, C/U distinguish the capabilities)',
  {
    isUpdate: (original) => (exists, asked) => asked.id !== 'database.writeStaticRole' && original(exists, asked),
  },
)

rule(
  'who-reader-deletes-static-roles',
  ['CORE-CAP-21'],
  'whoever may read a static role may delete it (000 7, 403 forbidden; readings: missing capability)',
  countsAs('read', (call) => isAbout('static-roles', call), 'delete'),
)

rule(
  'who-root-rotation-for-anyone',
  ['CORE-CAP-04'],
  'rotate-root asks for a token but for no capability (000 5.4, access policies; 7, 403 forbidden)',
  anyoneMay((call) => isAbout('rotate-root', call)),
)

rule(
  'who-deny-leaves-static-creds',
  ['CORE-CAP-01'],
  'a policy that denies a path below static-creds/ does not stop reads there (000 7, 403 forbidden)',
  denyOverlooked((call) => isAbout('static-creds', call)),
)

rule(
  'who-bearer-gets-no-static-creds',
  ['CORE-AUTH-07'],
  'a token that comes as a bearer is not seen by static-creds/ (000 5.1, sent in either header)',
  bearerIgnored((request) => goesTo('static-creds', request)),
)

rule(
  'who-ended-token-gets-creds',
  ['CORE-AUTH-15'],
  'a token that has got credentials goes on getting them after its end (000 7, 403 wrong credentials)',
  goodForEver((request) => goesTo('creds', request)),
)

rule(
  'who-static-creds-without-token',
  ['CORE-AUTH-15', 'CORE-AUTH-01'],
  'static-creds/ answers without any token (001, all endpoints require a client token)',
  {
    needsToken: (original) => (asked) => original(asked) && asked?.id !== 'database.readStaticCreds',
  },
)

rule(
  'who-wrong-token-401',
  ['CORE-AUTH-15'],
  'static roles are answered 401 to a token that does not exist (000 7 and readings: a wrong token, 403)',
  {
    callerRefused: (original) => (given, token, request) => {
      const refused = original(given, token, request)
      return refused !== undefined && given !== undefined && goesTo('static-roles', request) ? 401 : refused
    },
  },
)

rule(
  'who-role-reader-gets-static-creds',
  ['CORE-CAP-01'],
  'a policy on static-roles/<name> holds for static-creds/<name>, too (000 7, 403)',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (path.includes('/static-creds/') && original(pattern, path.replace('/static-creds/', '/static-roles/'))),
  },
)
