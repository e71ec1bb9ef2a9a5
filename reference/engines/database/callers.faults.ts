/** Faults in who asks, with what token, and which role is let near a connection. */
import { coreEngine } from '../../core/core-engine.ts'
import { type Asked, anyoneMay, bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { databaseEngine } from './engine.ts'

const { rule } = faultsOf(databaseEngine)

const { rule: core } = faultsOf(coreEngine, 'database')

const at =
  (part: string) =>
  (call: Asked): boolean =>
    call !== undefined && 'roleAllowed' in call.rules && `${call.path}/`.includes(`/${part}/`)

core(
  'access-config-create-updates',
  ['DATABASE-CAP-01'],
  'create is enough to update a connection (001 4.1, C/U)',
  countsAs('create', at('config'), 'update'),
)

core(
  'access-role-update-creates',
  ['DATABASE-CAP-02'],
  'update is enough to create a role (001 4.1, C/U)',
  countsAs('update', at('roles'), 'create'),
)

core('access-static-role-never-exists', ['DATABASE-CAP-03'], 'every write of a static role counts as a creation (001 4.1, C/U)', {
  isUpdate: (original) => (exists, route) => route.id !== 'database.writeStaticRole' && original(exists, route),
})

core('access-config-always-exists', ['DATABASE-CAP-01'], 'every write of a connection counts as an update (001 4.1, C/U)', {
  isUpdate: (original) => (exists, route) => route.id === 'database.writeConnection' || original(exists, route),
})

core('access-creds-anyone', ['CORE-CAP-01'], 'every good token gets credentials of every role (000 7, status 403)', anyoneMay(at('creds')))

core(
  'access-static-creds-anyone',
  ['CORE-CAP-01'],
  'every good token reads static credentials (000 7, status 403)',
  anyoneMay(at('static-creds')),
)

core(
  'access-rotate-by-read',
  ['CORE-CAP-04'],
  'whoever may read at rotate-role may rotate (000 1.6, capabilities)',
  countsAs('read', at('rotate-role')),
)

core(
  'access-rotate-root-anyone',
  ['CORE-CAP-04'],
  'every good token rotates the root password (000 7, status 403)',
  anyoneMay(at('rotate-root')),
)

core(
  'access-deny-overlooked',
  ['CORE-CAP-01'],
  'a policy that denies is overlooked at creds/ (000 7, status 403)',
  denyOverlooked(at('creds')),
)

core(
  'access-delete-by-create',
  ['CORE-CAP-13'],
  'whoever may create a role may delete it (000 1.6, capabilities)',
  countsAs('create', at('roles'), 'delete'),
)

core(
  'access-ended-token-gets-creds',
  ['CORE-AUTH-15'],
  'a token that got credentials while it was good gets more after it was revoked (000 5.1, token required)',
  goodForEver(({ path }) => path.includes('/creds/')),
)

core(
  'access-bearer-not-for-creds',
  ['CORE-AUTH-07'],
  'Authorization: Bearer is not looked at on creds and static-creds (000 2.1, alternative carrier)',
  bearerIgnored(({ path }) => /\/(static-)?creds\/[^/]+$/.test(path)),
)

rule(
  'access-allowed-prefix',
  ['DATABASE-ALLOWED-04'],
  'a role is allowed when its name begins with an allowed one (001 4.1, allowed_roles)',
  {
    roleAllowed: (original) => (allowed, role) => original(allowed, role) || allowed.some((name) => role.startsWith(name)),
  },
)

rule('access-allowed-case', ['DATABASE-ALLOWED-04'], 'allowed roles are compared without case (001 4.1, allowed_roles)', {
  roleAllowed: (original) => (allowed, role) =>
    original(
      allowed.map((name) => name.toLowerCase()),
      role.toLowerCase(),
    ),
})

rule(
  'access-static-none',
  ['DATABASE-ALLOWED-08'],
  'an empty list of allowed roles keeps no static role out (001 4.1, default [] no roles)',
  {
    staticRoleAllowed: (original) => (allowed, role) => allowed.length === 0 || original(allowed, role),
  },
)
