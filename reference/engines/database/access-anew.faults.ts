/** Faults of who may ask: carriers of the token, verbs, capabilities, deny, the end of a token. */
import { coreEngine } from '../../core/core-engine.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { anyoneMay, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isProvisioning, isRead } from '../../mutations/request-kinds.ts'
import { isAt } from './anew-help.ts'
import { nameOf } from './wrappers.ts'

const { rule } = faultsOf(coreEngine, 'database')

const isListing = (request: RequestFacts): boolean => isRead(request) && (request.method === 'LIST' || request.query.get('list') === 'true')

rule(
  'anew-create-overwrites-connection',
  ['CORE-CAP-07'],
  'with create alone an existing connection is changed (001 4.1: "Endpoints marked C/U distinguish create and update capabilities")',
  countsAs('create', (call) => isAt(call, 'POST', 'config/'), 'update'),
)

rule(
  'anew-static-role-sought-among-roles',
  ['CORE-CAP-07'],
  'whether a write of a static role is an update is looked up among dynamic roles (001 4.1: static-roles is "POST (C/U)")',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      if (!isAt(call, 'POST', 'static-roles/')) return original(granted, needed, call)
      return original(granted, call.state.roles.has(nameOf(call)) ? 'update' : 'create', call)
    },
  },
)

rule(
  'anew-denied-caller-rotates',
  ['CORE-CAP-04'],
  'who is denied rotate-role rotates the password nevertheless (000 7: "403 forbidden ... no access")',
  denyOverlooked((call) => isAt(call, 'POST', 'rotate-role/')),
)

rule(
  'anew-ended-token-gets-credentials',
  ['CORE-AUTH-15'],
  'a token that had credentials once gets more after its end (000 5.1: "A client token is required"; 7: "403 wrong credentials")',
  goodForEver(({ path }) => /(^|\/)creds\/[^/]+$/.test(path)),
)

rule(
  'anew-get-listing-needs-read',
  ['CORE-CAP-11'],
  'GET with list=true asks for read where LIST asks for list (000 1.5: "either the verb LIST, or GET with query parameter list=true")',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const isByGet = ['config', 'roles', 'static-roles'].some((below) => isAt(call, 'LIST', below)) && call?.query.get('list') === 'true'
      return original(granted, isByGet && needed === 'list' ? 'read' : needed, call)
    },
  },
)

const latest = remembered(() => ({ method: '' }))

rule(
  'anew-put-is-always-update',
  ['CORE-CAP-19'],
  'a PUT that creates is refused to a caller with create alone, POST is not (000 1.6: "PUT and POST are synonyms")',
  {
    callerRefused: (original) => (given, token, request) => {
      if (token !== undefined) latest(token).method = request.method
      return original(given, token, request)
    },
    capabilityGranted: (original) => (granted, needed, call) => {
      const isPut = isAt(call, 'POST', '') && call.token !== undefined && latest(call.token).method === 'PUT'
      return original(granted, isPut && needed === 'create' ? 'update' : needed, call)
    },
  },
)

rule(
  'anew-reader-rotates-root',
  ['CORE-CAP-04'],
  'who may only read rotates the password of the root user (000 1.6: writes are told apart as create and update)',
  countsAs('read', (call) => isAt(call, 'POST', 'rotate-root/'), 'update'),
)

rule(
  'anew-listing-without-token',
  ['CORE-AUTH-01'],
  'the names of connections and roles are listed for callers without a token (001: "All endpoints require a client token")',
  {
    callerRefused: (original) => (given, token, request) => {
      const isOpen = isListing(request) && /(^|\/)(config|roles|static-roles)\/?$/.test(request.path)
      return given === undefined && isOpen ? undefined : original(given, token, request)
    },
  },
)

rule(
  'anew-policy-of-role-covers-longer-names',
  ['CORE-CAP-01'],
  'a policy for creds/app gives credentials of app-admin, too (000 7: "403 forbidden ... no access")',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (/(^|\/)(static-)?creds\/[^*+]+$/.test(pattern) && path.startsWith(pattern) && !isProvisioning({ path })),
  },
)

rule(
  'anew-reset-for-everyone',
  ['CORE-CAP-04'],
  'a reset asks for a token, not for a capability (000 7: "403 forbidden ... no access")',
  anyoneMay((call) => isAt(call, 'POST', 'reset/')),
)
