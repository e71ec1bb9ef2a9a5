/** Faults in who asks, with what token, and which role is let near a connection. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Token } from '../../core/tokens.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { databaseEngine } from './engine.ts'

const { rule } = faultsOf(databaseEngine)

const { rule: core } = faultsOf(coreEngine, 'database')

type Asked = { rules: object; path: string; method: string } | undefined

const at = (call: Asked, part: string): boolean =>
  call !== undefined && 'roleAllowed' in call.rules && `${call.path}/`.includes(`/${part}/`)

core('access-config-create-updates', ['DB-CAP-01'], 'create is enough to update a connection (001 4.1, C/U)', {
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed, call) || (at(call, 'config') && needed === 'update' && original(granted, 'create', call)),
})

core('access-role-update-creates', ['DB-CAP-02'], 'update is enough to create a role (001 4.1, C/U)', {
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed, call) || (at(call, 'roles') && needed === 'create' && original(granted, 'update', call)),
})

core('access-static-role-never-exists', ['DB-CAP-03'], 'every write of a static role counts as a creation (001 4.1, C/U)', {
  isUpdate: (original) => (exists, route) => route.id !== 'database.writeStaticRole' && original(exists, route),
})

core('access-config-always-exists', ['DB-CAP-01'], 'every write of a connection counts as an update (001 4.1, C/U)', {
  isUpdate: (original) => (exists, route) => route.id === 'database.writeConnection' || original(exists, route),
})

core('access-creds-anyone', ['CORE-CAP-01'], 'every good token gets credentials of every role (000 7, status 403)', {
  capabilityGranted: (original) => (granted, needed, call) =>
    (at(call, 'creds') && !granted.has('deny')) || original(granted, needed, call),
})

core('access-static-creds-anyone', ['CORE-CAP-01'], 'every good token reads static credentials (000 7, status 403)', {
  capabilityGranted: (original) => (granted, needed, call) =>
    (at(call, 'static-creds') && !granted.has('deny')) || original(granted, needed, call),
})

core('access-rotate-by-read', ['CORE-CAP-04'], 'whoever may read at rotate-role may rotate (000 1.6, capabilities)', {
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed, call) || (at(call, 'rotate-role') && original(granted, 'read', call)),
})

core('access-rotate-root-anyone', ['CORE-CAP-04'], 'every good token rotates the root password (000 7, status 403)', {
  capabilityGranted: (original) => (granted, needed, call) =>
    (at(call, 'rotate-root') && !granted.has('deny')) || original(granted, needed, call),
})

core('access-deny-overlooked', ['CORE-CAP-01'], 'a policy that denies is overlooked at creds/ (000 7, status 403)', {
  capabilityGranted: (original) => (granted, needed, call) => (at(call, 'creds') && granted.has('deny')) || original(granted, needed, call),
})

core('access-delete-by-create', ['CORE-CAP-13'], 'whoever may create a role may delete it (000 1.6, capabilities)', {
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed, call) || (at(call, 'roles') && needed === 'delete' && original(granted, 'create', call)),
})

const seen = new Map<string, Token>()

core(
  'access-ended-token-gets-creds',
  ['CORE-AUTH-15'],
  'a token that got credentials while it was good gets more after it was revoked (000 5.1, token required)',
  {
    callerRefused: (original) => (given, token, request) => {
      if (!request.path.includes('/creds/')) return original(given, token, request)
      if (given !== undefined && token) seen.set(given, token)
      return given !== undefined && seen.has(given) ? undefined : original(given, token, request)
    },
  },
)

core(
  'access-bearer-not-for-creds',
  ['CORE-AUTH-07'],
  'Authorization: Bearer is not looked at on creds and static-creds (000 2.1, alternative carrier)',
  {
    tokenOf: (original) => (request, spelling) =>
      /\/(static-)?creds\/[^/]+$/.test(request.path) && !request.headers[spelling.headers.token] ? undefined : original(request, spelling),
  },
)

rule('access-allowed-prefix', ['DB-ALLOWED-04'], 'a role is allowed when its name begins with an allowed one (001 4.1, allowed_roles)', {
  roleAllowed: (original) => (allowed, role) => original(allowed, role) || allowed.some((name) => role.startsWith(name)),
})

rule('access-allowed-case', ['DB-ALLOWED-04'], 'allowed roles are compared without case (001 4.1, allowed_roles)', {
  roleAllowed: (original) => (allowed, role) =>
    original(
      allowed.map((name) => name.toLowerCase()),
      role.toLowerCase(),
    ),
})

rule('access-static-none', ['DB-ALLOWED-08'], 'an empty list of allowed roles keeps no static role out (001 4.1, default [] no roles)', {
  staticRoleAllowed: (original) => (allowed, role) => allowed.length === 0 || original(allowed, role),
})
