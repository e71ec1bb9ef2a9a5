/** Faults of who may ask the database engine for what: tokens, their carriers, verbs, capabilities, policies. */
import { coreEngine } from '../../core/core-engine.ts'
import { bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isAt } from './anew-help.ts'
import { nameOf } from './wrappers.ts'

const { rule } = faultsOf(coreEngine, 'database')

rule(
  'later-role-updated-with-create',
  ['CORE-CAP-07'],
  'whoever may only create dynamic roles overwrites existing ones (001 4.1: "C/U distinguish `create` and `update` capabilities")',
  countsAs('create', (call) => isAt(call, 'POST', 'roles/'), 'update'),
)

rule(
  'later-connection-creation-needs-update',
  ['DATABASE-CAP-01'],
  'creating a connection is refused to a caller with `create` only (001 4.1: POST (C/U) /database/config/:name)',
  { isUpdate: (original) => (exists, route) => route.id === 'database.writeConnection' || original(exists, route) },
)

rule(
  'later-static-existence-asked-of-roles',
  ['CORE-CAP-07'],
  'changing an existing static role takes `create` and not `update` (001 4.1: POST (C/U) /database/static-roles/:name)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      if (!isAt(call, 'POST', 'static-roles/') || (needed !== 'create' && needed !== 'update')) return original(granted, needed, call)
      return original(granted, call.state.roles.has(nameOf(call)) ? 'update' : 'create', call)
    },
  },
)

rule(
  'later-reader-rotates-static-role',
  ['CORE-CAP-04'],
  'a caller who may only read rotates the password of a static role (000 7: "403: no access"; 001 4.1: POST /database/rotate-role/:name)',
  countsAs('read', (call) => isAt(call, 'POST', 'rotate-role/'), 'update'),
)

rule(
  'later-static-creds-policy-as-prefix',
  ['CORE-CAP-01'],
  'a policy for the credentials of one static role covers those whose names begin with its name (000 7: 403, 404 "may not view a path")',
  {
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) || (/\/static-creds\/[^/*+]+$/.test(pattern) && path.startsWith(pattern)),
  },
)

rule(
  'later-bearer-refused-for-actions',
  ['CORE-AUTH-07'],
  'reset and the two rotations take no bearer token (000 2.1: `Authorization` "Alternative token carrier, scheme `Bearer <token>`")',
  bearerIgnored(({ path }) => /\/(rotate-role|rotate-root|reset)\//.test(path)),
)

rule(
  'later-static-creds-after-revocation-of-token',
  ['CORE-AUTH-15'],
  'a token that read static credentials once still reads them after its end (000 5.1: "A client token is required"; 000 7: 403)',
  goodForEver(({ path }) => /\/static-creds\//.test(path)),
)

rule(
  'later-get-listing-needs-read',
  ['CORE-CAP-11'],
  'a caller with `list` only may LIST but not GET with list=true (000 1.5: "either the verb `LIST`, or `GET` with … `list=true`")',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, isAt(call, 'LIST', '') && needed === 'list' && call.query.get('list') === 'true' ? 'read' : needed, call),
  },
)

rule(
  'later-put-unguarded',
  ['CORE-AUTH-01'],
  'PUT on static roles, rotations and reset works without a token (000 1.6: "`PUT` and `POST` are synonyms"; 000 5.1)',
  {
    callerRefused: (original) => (given, token, request) =>
      request.method === 'PUT' && /\/(static-roles|rotate-role|rotate-root|reset)\//.test(request.path)
        ? undefined
        : original(given, token, request),
  },
)

rule(
  'later-sudo-alone-writes-connections',
  ['CORE-CAP-04'],
  'a policy with `sudo` only creates and changes connections (000 5.4: "some endpoints distinguish `create` and `update` capabilities")',
  countsAs('sudo', (call) => isAt(call, 'POST', 'config/')),
)

rule(
  'later-wildcard-before-exact-for-static-roles',
  ['CORE-CAP-01'],
  'what a policy says of one static role is overruled by what it says of all with a wildcard (000 7: "403: no access")',
  {
    patternPriority: (original) => (a, b) =>
      [a, b].every((pattern) => /\/static-roles\//.test(pattern)) ? original(b, a) : original(a, b),
  },
)

rule(
  'later-denied-caller-gets-credentials',
  ['CORE-CAP-01'],
  'a caller whose policy denies the path gets credentials of a dynamic role (000 7: "403: forbidden: … no access")',
  denyOverlooked((call) => isAt(call, 'GET', 'creds/')),
)
