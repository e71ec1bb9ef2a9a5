/** Faults in who asks, and with what token. */
import { coreEngine } from '../../core/core-engine.ts'
import { type Asked, anyoneMay, bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'

const { rule: core } = faultsOf(coreEngine, 'broker')

const at =
  (part: string) =>
  (call: Asked): boolean =>
    call !== undefined && 'vhostsOf' in call.rules && call.path.includes(`/${part}/`)

core('access-creds-anyone', ['CORE-CAP-01'], 'every good token gets credentials of every role (000 7, status 403)', anyoneMay(at('creds')))

core('access-connection-anyone', ['CORE-CAP-04'], 'every good token may write the connection (000 7, status 403)', anyoneMay(at('config')))

core(
  'access-role-write-by-read',
  ['CORE-CAP-04'],
  'whoever may read a role may write it (000 1.6, capabilities)',
  countsAs('read', at('roles')),
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
  'Authorization: Bearer is not looked at on creds (000 2.1, alternative carrier)',
  bearerIgnored(({ path }) => /\/creds\/[^/]+$/.test(path)),
)
