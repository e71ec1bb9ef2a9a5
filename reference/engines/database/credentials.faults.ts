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

database.rule('ttl-ignored', 'DATABASE-TTL-02', 'leases last the default of the mount, whatever the role says', {
  leaseTimes: (original) => (role, mount) => original({ ...role, defaultTtl: 0 }, mount),
})
database.rule('ttl-default-max', 'DATABASE-TTL-03', 'without a default a lease lasts the maximum', {
  leaseTimes: (original) => (role, mount) => original({ ...role, defaultTtl: role.defaultTtl || mount.maxLeaseTtl }, mount),
})
database.rule('max-ttl-ignored', ['DATABASE-TTL-07', 'DATABASE-TTL-09'], 'the maximum of the role is ignored', {
  leaseTimes: (original) => (role, mount) => original({ ...role, maxTtl: 0 }, mount),
})
database.route(
  'renewals-add-up',
  'DATABASE-TTL-09',
  'the maximum of the role is counted anew from each renewal',
  'database.readCreds',
  maximumCountedAnew,
)
database.route(
  'mount-max-ignored',
  ['DATABASE-TTL-08', 'DATABASE-TTL-12'],
  'the maximum of the mount is ignored',
  'database.readCreds',
  (original) => (call) => original({ ...call, mount: { ...call.mount, maxLeaseTtl: FAR } }),
)
database.rule('creation-first-only', 'DATABASE-STMT-01', 'only the first creation statement is run', {
  creation: () => (role) => role.creation.slice(0, 1),
})
database.rule('creation-optional', 'DATABASE-STMT-02', 'a role without creation statements gives credentials', {
  roleComplete: () => () => {},
  creation: () => (role) => (role.creation.length > 0 ? role.creation : ['SELECT 1']),
})
database.rule('revocation-ignored', 'DATABASE-STMT-06', 'revocation statements are stored and not run', {
  revocation: () => (_role, standard) => standard,
})
database.rule('revocation-nothing', ['DATABASE-STMT-08', 'DATABASE-CREDS-05'], 'without statements a revocation does nothing', {
  revocation: () => (role) => role.revocation,
})
database.rule('revocation-forgotten', 'DATABASE-CREDS-07', 'a revocation forgets the lease and leaves the user', {
  revocation: () => () => [],
})
database.rule('rollback-ignored', 'DATABASE-STMT-10', 'rollback statements are stored and not run', {
  rollback: () => (_role, standard) => standard,
})
database.rule('renewal-ignored', 'DATABASE-STMT-13', 'renewal statements are stored and not run', {
  renewal: () => (_role, standard) => standard,
})
database.rule(
  'template-name',
  'DATABASE-TEMPLATE-01',
  'the name in statements is cut',
  template('name', (values) => values.name?.slice(0, -1)),
)
database.rule(
  'template-username',
  'DATABASE-TEMPLATE-02',
  'one of the two spellings of the name is not known',
  template('username', () => undefined),
)
database.rule(
  'template-password',
  'DATABASE-TEMPLATE-03',
  'the password in statements is not the one returned',
  template('password', (values) => `${values.password}x`),
)
database.rule(
  'template-expiration',
  'DATABASE-TEMPLATE-04',
  'the end of the lease in statements is the time of creation',
  template('expiration', (_values, expiresAt) => new Date((expiresAt - 1800) * 1000).toISOString()),
)
database.rule('creds-other-password', 'DATABASE-CREDS-01', 'the password returned is not the one in the database', {
  shownCredential: (original) => (user) => original({ ...user, password: [...user.password].reverse().join('') }),
})
database.rule('creds-same-password', 'DATABASE-CREDS-02', 'every user gets the same password', {
  password: () => () => 'Correct-Horse-Batt-1',
})
database.rule('creds-unleased', 'DATABASE-CREDS-03', 'credentials come without a lease', { leased: () => () => false })
database.rule('creds-unknown-500', 'DATABASE-CREDS-04', 'an unknown role is an internal error', { unknownRoleStatus: () => () => 500 })
database.route(
  'creds-end-early',
  'DATABASE-CREDS-06',
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
  ['DATABASE-CREDS-08', 'DATABASE-CREDS-09'],
  'credentials are returned although the database refused',
  'database.readCreds',
  insteadOfRefusal(() => secret({ username: 'nobody', password: 'nothing' }, { id: 'none', ttl: 60, renewable: false })),
)
core.rule('capabilities-merged', ['DATABASE-CAP-01', 'DATABASE-CAP-02', 'DATABASE-CAP-03'], 'creating counts as updating', {
  isUpdate: () => () => true,
})

database.rule(
  'long-names-whole',
  'DATABASE-CREDS-01',
  'user names hold the whole name of the role, however many characters the database takes',
  {
    username: () => (role, random) => `s-${role.replaceAll(/[^A-Za-z0-9]/g, '')}-${random.word(20)}`,
  },
)
