/** Faults of dynamic credentials: times, statements, templates, the users themselves. */
import { coreEngine } from '../../core/core-engine.ts'
import { secret } from '../../core/envelope.ts'
import { type Fault, fault } from '../../core/mutation.ts'
import type { DatabaseRules } from '../../engines/database/rules.ts'
import { maximumCountedAnew } from '../leases.ts'
import { databaseFault, forgiving } from './shared.ts'

const FAR = 31_536_000

/** Fills one template with something else. */
const template = (name: string, value: (values: Record<string, string>, expiresAt: number) => string | undefined) => ({
  rules: {
    templateValues:
      (original: DatabaseRules['templateValues']): DatabaseRules['templateValues'] =>
      (user) => {
        const { [name]: _replaced, ...values } = original(user)
        const other = value(original(user), user.expiresAt)
        return other === undefined ? values : { ...values, [name]: other }
      },
  },
})

export const credentialFaults: Fault[] = [
  databaseFault('ttl-ignored', ['DB-TTL-02'], 'leases last the default of the mount, whatever the role says', {
    rules: { leaseTimes: (original) => (role, mount) => original({ ...role, defaultTtl: 0 }, mount) },
  }),
  databaseFault('ttl-default-max', ['DB-TTL-03'], 'without a default a lease lasts the maximum', {
    rules: { leaseTimes: (original) => (role, mount) => original({ ...role, defaultTtl: role.defaultTtl || mount.maxLeaseTtl }, mount) },
  }),
  databaseFault('max-ttl-ignored', ['DB-TTL-07', 'DB-TTL-09'], 'the maximum of the role is ignored', {
    rules: { leaseTimes: (original) => (role, mount) => original({ ...role, maxTtl: 0 }, mount) },
  }),
  databaseFault('renewals-add-up', ['DB-TTL-09'], 'the maximum of the role is counted anew from each renewal', {
    routes: { 'database.readCreds': maximumCountedAnew },
  }),
  databaseFault('mount-max-ignored', ['DB-TTL-08', 'DB-TTL-12'], 'the maximum of the mount is ignored', {
    routes: { 'database.readCreds': (original) => (call) => original({ ...call, mount: { ...call.mount, maxLeaseTtl: FAR } }) },
  }),
  databaseFault('creation-first-only', ['DB-STMT-01'], 'only the first creation statement is run', {
    rules: { creation: () => (role) => role.creation.slice(0, 1) },
  }),
  databaseFault('creation-optional', ['DB-STMT-02'], 'a role without creation statements gives credentials', {
    rules: { roleComplete: () => () => {}, creation: () => (role) => (role.creation.length > 0 ? role.creation : ['SELECT 1']) },
  }),
  databaseFault('revocation-ignored', ['DB-STMT-06'], 'revocation statements are stored and not run', {
    rules: { revocation: () => (_role, standard) => standard },
  }),
  databaseFault('revocation-nothing', ['DB-STMT-08', 'DB-CREDS-05'], 'without statements a revocation does nothing', {
    rules: { revocation: () => (role) => role.revocation },
  }),
  databaseFault('revocation-forgotten', ['DB-CREDS-07'], 'a revocation forgets the lease and leaves the user', {
    rules: { revocation: () => () => [] },
  }),
  databaseFault('rollback-ignored', ['DB-STMT-10'], 'rollback statements are stored and not run', {
    rules: { rollback: () => (_role, standard) => standard },
  }),
  databaseFault('renewal-ignored', ['DB-STMT-13'], 'renewal statements are stored and not run', {
    rules: { renewal: () => (_role, standard) => standard },
  }),
  databaseFault(
    'template-name',
    ['DB-TEMPLATE-01'],
    'the name in statements is cut',
    template('name', (values) => values.name?.slice(0, -1)),
  ),
  databaseFault(
    'template-username',
    ['DB-TEMPLATE-02'],
    'one of the two spellings of the name is not known',
    template('username', () => undefined),
  ),
  databaseFault(
    'template-password',
    ['DB-TEMPLATE-03'],
    'the password in statements is not the one returned',
    template('password', (values) => `${values.password}x`),
  ),
  databaseFault(
    'template-expiration',
    ['DB-TEMPLATE-04'],
    'the end of the lease in statements is the time of creation',
    template('expiration', (_values, expiresAt) => new Date((expiresAt - 1800) * 1000).toISOString()),
  ),
  databaseFault('creds-other-password', ['DB-CREDS-01'], 'the password returned is not the one in the database', {
    rules: { shownCredential: (original) => (user) => original({ ...user, password: [...user.password].reverse().join('') }) },
  }),
  databaseFault('creds-same-password', ['DB-CREDS-02'], 'every user gets the same password', {
    rules: { password: () => () => 'Correct-Horse-Batt-1' },
  }),
  databaseFault('creds-unleased', ['DB-CREDS-03'], 'credentials come without a lease', { rules: { leased: () => () => false } }),
  databaseFault('creds-unknown-500', ['DB-CREDS-04'], 'an unknown role is an internal error', {
    rules: { unknownRoleStatus: () => () => 500 },
  }),
  databaseFault('creds-end-early', ['DB-CREDS-06'], 'credentials end after a second, whatever their lease says', {
    routes: {
      'database.readCreds': (original) => async (call) => {
        const reply = await original(call)
        const { lease_id: id } = reply.body as { lease_id?: string }
        call.server.clock.after(1, () => void call.server.leases.revoke(id ?? '').catch(() => undefined))
        return reply
      },
    },
  }),
  databaseFault('creds-failure-hidden', ['DB-CREDS-08', 'DB-CREDS-09'], 'credentials are returned although the database refused', {
    routes: {
      'database.readCreds': forgiving(() => secret({ username: 'nobody', password: 'nothing' }, { id: 'none', ttl: 60, renewable: false })),
    },
  }),
  fault(
    coreEngine,
    {
      id: 'database-capabilities-merged',
      engine: 'database',
      title: 'creating counts as updating',
      clauses: ['DB-CAP-01', 'DB-CAP-02', 'DB-CAP-03'],
    },
    { rules: { isUpdate: () => () => true } },
  ),
]
