/** Faults of credentials: users, their rights and their leases. */
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { maximumCountedAnew } from '../../mutations/renewals.ts'
import { insteadOfRefusal, requestNestedAs } from '../../mutations/wrappers.ts'
import { brokerEngine } from './engine.ts'

const { rule, route } = faultsOf(brokerEngine)

const EVERYTHING = '.*'

const lastPassword = { value: '' }

rule('lease-ignored', 'BROKER-LEASE-01', 'leases last the default of the mount', {
  leaseTimes: (original) => (lease, mount) => original({ ...lease, ttl: 0 }, mount),
})
rule('lease-max-ignored', ['BROKER-LEASE-03', 'BROKER-LEASE-04'], 'the maximum of leases is ignored', {
  leaseTimes: (original) => (lease, mount) => original({ ...lease, maxTtl: 0 }, mount),
})
route(
  'renewals-add-up',
  'BROKER-LEASE-04',
  'the maximum of leases is counted anew from each renewal',
  'broker.readCreds',
  maximumCountedAnew,
)
route('lease-object', 'BROKER-LEASE-05', 'an object is taken for a number', 'broker.writeLease', requestNestedAs('max_ttl', 0))
rule('tags-first', 'BROKER-TAGS-01', 'only the first tag is given', { tagsOfUser: () => (role) => role.tags.split(',')[0] ?? '' })
rule('tags-default', 'BROKER-TAGS-02', 'users are managers by default', { tagsOfUser: () => (role) => role.tags || 'management' })
rule('configure-all', 'BROKER-VHOSTS-01', 'users may configure everything', {
  rightsOfUser: () => (rights) => new Map([...rights].map(([vhost, right]) => [vhost, { ...right, configure: EVERYTHING }])),
})
rule('write-read-swapped', ['BROKER-VHOSTS-02', 'BROKER-VHOSTS-03'], 'the patterns for writing and reading are swapped', {
  rightsOfUser: () => (rights) =>
    new Map([...rights].map(([vhost, { configure, write, read }]) => [vhost, { configure, write: read, read: write }])),
})
rule('default-vhost-left-out', 'BROKER-VHOSTS-01', 'users have no rights in the default virtual host', {
  rightsOfUser: () => (rights) => new Map([...rights].filter(([vhost]) => vhost !== '/')),
})
rule('default-vhost', ['BROKER-VHOSTS-04', 'BROKER-VHOSTS-07'], 'users have rights in the default virtual host too', {
  rightsOfUser: () => (rights) => new Map([...rights, ['/', { configure: '', write: '', read: EVERYTHING }]]),
})
rule('topics-swapped', ['BROKER-TOPICS-01', 'BROKER-TOPICS-02', 'BROKER-TOPICS-03'], 'the topic patterns are swapped', {
  topicsOfUser: () => (topics) =>
    new Map(
      [...topics].map(([vhost, exchanges]) => [
        vhost,
        new Map([...exchanges].map(([exchange, { write, read }]) => [exchange, { write: read, read: write }])),
      ]),
    ),
})
rule('topics-default', 'BROKER-TOPICS-06', 'users without topics may read every topic', {
  topicsOfUser: () => (topics) => (topics.size > 0 ? topics : new Map([['/', new Map([['amq.topic', { write: '', read: EVERYTHING }]])]])),
})
rule('creds-other-password', 'BROKER-CREDS-01', 'the password returned is not the one of the user', {
  shownCredential: (original) => (username, password) => original(username, `${password}x`),
})
rule('creds-same-password', 'BROKER-CREDS-02', 'every user gets the same password', { password: () => () => 'Correct-Horse-Batt-1' })
rule('creds-unleased', 'BROKER-CREDS-03', 'credentials come without a lease', { leased: () => () => false })
rule('creds-unknown-500', 'BROKER-CREDS-04', 'an unknown role is an internal error', { unknownRoleStatus: () => () => 500 })
rule('creds-kept', ['BROKER-CREDS-05', 'BROKER-CREDS-06'], 'the end of a lease leaves the user', { deletesUser: () => () => false })
rule('creds-half-made', 'BROKER-CREDS-13', 'a user that could not get its rights stays', { removesAfterFailure: () => () => false })
route(
  'creds-failure-hidden',
  'BROKER-CREDS-08',
  'credentials are returned although the broker is away',
  'broker.readCreds',
  insteadOfRefusal(() => secret({ username: 'nobody', password: 'nothing' }, { id: 'none', ttl: 60, renewable: false })),
)
rule('creds-in-role', 'BROKER-CREDS-09', 'the read of a role shows the last password', {
  shownCredential: (original) => (username, password) => {
    lastPassword.value = password
    return original(username, password)
  },
  shownRole: (original) => (role) => ({ ...original(role), last_password: lastPassword.value }),
})
route('lease-not-served', 'BROKER-LEASE-01', 'settings of leases cannot be written', 'broker.writeLease', () => () => {
  throw new ApiError(405)
})
