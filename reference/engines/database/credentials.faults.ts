/** Faults of dynamic credentials: times, statements, templates, the users themselves. */
import { coreEngine } from '../../core/core-engine.ts'
import { secret } from '../../core/envelope.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { maximumCountedAnew } from '../../mutations/renewals.ts'
import { insteadOfRefusal } from '../../mutations/wrappers.ts'
import { databaseEngine } from './engine.ts'
import type { DatabaseRules } from './rules.ts'

const database = faultsOf(databaseEngine)
const core = faultsOf(coreEngine, 'database')

const FAR = 31_536_000

/** Fills one template with something else. */
const template = (name: string, value: (values: Record<string, string>, expiresAt: number) => string | undefined) => ({
  templateValues:
    (original: DatabaseRules['templateValues']): DatabaseRules['templateValues'] =>
    (user) => {
      const { [name]: _replaced, ...values } = original(user)
      const other = value(original(user), user.expiresAt)
      return other === undefined ? values : { ...values, [name]: other }
    },
})

database.rule('ttl-ignored', 'DB-TTL-02', 'leases last the default of the mount, whatever the role says', {
  leaseTimes: (original) => (role, mount) => original({ ...role, defaultTtl: 0 }, mount),
})
database.rule('ttl-default-max', 'DB-TTL-03', 'without a default a lease lasts the maximum', {
  leaseTimes: (original) => (role, mount) => original({ ...role, defaultTtl: role.defaultTtl || mount.maxLeaseTtl }, mount),
})
database.rule('max-ttl-ignored', ['DB-TTL-07', 'DB-TTL-09'], 'the maximum of the role is ignored', {
  leaseTimes: (original) => (role, mount) => original({ ...role, maxTtl: 0 }, mount),
})
database.route(
  'renewals-add-up',
  'DB-TTL-09',
  'the maximum of the role is counted anew from each renewal',
  'database.readCreds',
  maximumCountedAnew,
)
database.route(
  'mount-max-ignored',
  ['DB-TTL-08', 'DB-TTL-12'],
  'the maximum of the mount is ignored',
  'database.readCreds',
  (original) => (call) => original({ ...call, mount: { ...call.mount, maxLeaseTtl: FAR } }),
)
database.rule('creation-first-only', 'DB-STMT-01', 'only the first creation statement is run', {
  creation: () => (role) => role.creation.slice(0, 1),
})
database.rule('creation-optional', 'DB-STMT-02', 'a role without creation statements gives credentials', {
  roleComplete: () => () => {},
  creation: () => (role) => (role.creation.length > 0 ? role.creation : ['SELECT 1']),
})
database.rule('revocation-ignored', 'DB-STMT-06', 'revocation statements are stored and not run', {
  revocation: () => (_role, standard) => standard,
})
database.rule('revocation-nothing', ['DB-STMT-08', 'DB-CREDS-05'], 'without statements a revocation does nothing', {
  revocation: () => (role) => role.revocation,
})
database.rule('revocation-forgotten', 'DB-CREDS-07', 'a revocation forgets the lease and leaves the user', { revocation: () => () => [] })
database.rule('rollback-ignored', 'DB-STMT-10', 'rollback statements are stored and not run', {
  rollback: () => (_role, standard) => standard,
})
database.rule('renewal-ignored', 'DB-STMT-13', 'renewal statements are stored and not run', {
  renewal: () => (_role, standard) => standard,
})
database.rule(
  'template-name',
  'DB-TEMPLATE-01',
  'the name in statements is cut',
  template('name', (values) => values.name?.slice(0, -1)),
)
database.rule(
  'template-username',
  'DB-TEMPLATE-02',
  'one of the two spellings of the name is not known',
  template('username', () => undefined),
)
database.rule(
  'template-password',
  'DB-TEMPLATE-03',
  'the password in statements is not the one returned',
  template('password', (values) => `${values.password}x`),
)
database.rule(
  'template-expiration',
  'DB-TEMPLATE-04',
  'the end of the lease in statements is the time of creation',
  template('expiration', (_values, expiresAt) => new Date((expiresAt - 1800) * 1000).toISOString()),
)
database.rule('creds-other-password', 'DB-CREDS-01', 'the password returned is not the one in the database', {
  shownCredential: (original) => (user) => original({ ...user, password: [...user.password].reverse().join('') }),
})
database.rule('creds-same-password', 'DB-CREDS-02', 'every user gets the same password', { password: () => () => 'Correct-Horse-Batt-1' })
database.rule('creds-unleased', 'DB-CREDS-03', 'credentials come without a lease', { leased: () => () => false })
database.rule('creds-unknown-500', 'DB-CREDS-04', 'an unknown role is an internal error', { unknownRoleStatus: () => () => 500 })
database.route(
  'creds-end-early',
  'DB-CREDS-06',
  'credentials end after a second, whatever their lease says',
  'database.readCreds',
  (original) => async (call) => {
    const reply = await original(call)
    const { lease_id: id } = reply.body as { lease_id?: string }
    call.services.clock.after(1, () => void call.services.leases.revoke(id ?? '').catch(() => undefined))
    return reply
  },
)
database.route(
  'creds-failure-hidden',
  ['DB-CREDS-08', 'DB-CREDS-09'],
  'credentials are returned although the database refused',
  'database.readCreds',
  insteadOfRefusal(() => secret({ username: 'nobody', password: 'nothing' }, { id: 'none', ttl: 60, renewable: false })),
)
core.rule('capabilities-merged', ['DB-CAP-01', 'DB-CAP-02', 'DB-CAP-03'], 'creating counts as updating', { isUpdate: () => () => true })
