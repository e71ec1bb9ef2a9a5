/** Faults of who may ask: tokens and their carriers, verbs, capabilities, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import { bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { databaseEngine } from './engine.ts'
import { deciding, here, isDatabase, noticing, toDatabase, verbOf } from './north-help.ts'

const { route } = faultsOf(databaseEngine, 'database')
const { rule } = faultsOf(coreEngine, 'database')

rule(
  'north-reset-without-token',
  'CORE-AUTH-01',
  'a connection is reset without any token (001: all endpoints require a client token; 000 5.1)',
  {
    needsToken: (original) => (asked) => original(asked) && asked?.id !== 'database.resetConnection',
  },
)

rule(
  'north-bearer-ignored-by-credentials',
  'CORE-AUTH-07',
  'creds and static-creds take a token from the own header only (000 5.1: or in header Authorization as Bearer)',
  { ...noticing, ...bearerIgnored((request) => toDatabase(request) && /(^|\/)(static-)?creds\/[^/]+$/.test(request.path)) },
)

rule(
  'north-ended-token-still-reads-passwords',
  'CORE-AUTH-15',
  'a token that read static credentials is good for reading them after its end (000 5.1: a client token is required; 7: 403)',
  {
    ...noticing,
    ...goodForEver((request) => toDatabase(request) && request.method === 'GET' && /(^|\/)static-creds\/[^/]+$/.test(request.path)),
  },
)

rule(
  'north-deny-not-for-root-rotation',
  'CORE-CAP-04',
  'who is denied the rotation of a root password may rotate it (000 7: 403 forbidden, no access)',
  denyOverlooked((call) => isDatabase(call) && call.path.startsWith(`${call.mount.path}rotate-root/`)),
)

rule(
  'north-read-suffices-for-rotation',
  'CORE-CAP-04',
  'who may only read at rotate-role may rotate static roles (000 1.6, 5.4: create and update capabilities; 7: 403)',
  countsAs('read', (call) => isDatabase(call) && call.path.startsWith(`${call.mount.path}rotate-role/`), 'update'),
)

const decided = remembered(() => new Set<string>())
rule(
  'north-decision-kept-for-path',
  'CORE-CAP-21',
  'a token that was let through at a path once may do anything else there (000 7: 403 forbidden, no access; 5.4)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const isGranted = original(granted, needed, call)
      if (!isDatabase(call) || granted.has('deny')) return isGranted
      const key = `${call.token?.accessor} ${call.mount.namespace}${call.path}`
      if (isGranted) decided(call.services).add(key)
      return decided(call.services).has(key)
    },
  },
)

rule(
  'north-help-without-permission',
  'CORE-HELP-05',
  'a caller without any permission on a path gets help there (000 1.7: help if the caller has permission on the path)',
  { ...noticing, helpAllowed: (original) => (granted) => here() || original(granted) },
)

rule(
  'north-wrong-token-lists-nothing',
  'CORE-AUTH-03',
  'a listing with a wrong token is answered 404 (000 7: 403 forbidden, wrong credentials)',
  {
    ...noticing,
    callerRefused: (original) => (given, token, request) => {
      const status = original(given, token, request)
      const isListing = request.method === 'LIST' || request.query.get('list') === 'true'
      return status === 403 && given !== undefined && isListing && toDatabase(request) ? 404 : status
    },
  },
)

const ACTIONS = ['database.resetConnection', 'database.rotateRoot', 'database.rotateRole']
rule(
  'north-put-not-for-actions',
  'CORE-WRITE-01',
  'PUT of reset, rotate-root and rotate-role is answered 405 (000 1.6: PUT and POST are synonyms)',
  {
    ...noticing,
    check: (original) => (call, asked) => {
      original(call, asked)
      if (ACTIONS.includes(asked.id) && verbOf(call) === 'PUT') throw new ApiError(405, 'unsupported operation')
    },
  },
)

rule(
  'north-connections-by-verb-list-only',
  'DATABASE-CONN-05',
  'connections cannot be listed with GET and list=true (000 1.5: the verb LIST, or GET with query parameter list=true)',
  {
    ...noticing,
    check: (original) => (call, asked) => {
      original(call, asked)
      if (asked.id === 'database.listConnections' && verbOf(call) === 'GET') throw new ApiError(405, 'unsupported operation')
    },
  },
)

rule(
  'north-right-for-all-static-credentials',
  'CORE-CAP-01',
  'who may read the credentials of one static role may read those of all (000 7: 403 forbidden, 404 when the caller may not view a path)',
  {
    ...noticing,
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (here() && /(^|\/)static-creds\/[^/*+]+$/.test(pattern) && original(pattern.replace(/[^/]+$/, '+'), path)),
  },
)

route(
  'north-root-token-passes-allowed-roles',
  'DATABASE-ALLOWED-02',
  'the root token gets credentials of roles that the connection does not allow (001 4.1: allowed_roles, default [] (no roles))',
  'database.readCreds',
  (original) => (call) => original(call.token?.policies.includes('root') ? deciding(call, { roleAllowed: () => true }) : call),
)
