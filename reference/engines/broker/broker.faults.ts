/** All faults of the broker engine. */

import { empty, secret } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { maximumCountedAnew } from '../../mutations/leases.ts'
import { insteadOfRefusal, requestBody, requestNestedAs } from '../../mutations/wrappers.ts'
import { brokerEngine } from './engine.ts'

const { rule, route } = faultsOf(brokerEngine)

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

/** Stores an incomplete connection as it is. */
const optional = <C extends { body: JsonObject }>(field: string) =>
  requestBody<C>((body) => (body[field] === undefined ? { ...body, [field]: 'none', verify_connection: false } : body))

const EVERYTHING = '.*'

const lastPassword = { value: '' }

rule('connection-dropped', 'BROKER-CONN-01', 'a connection is verified and not kept', {
  replaced: () => (_previous, next) => ({ ...next, uri: 'http://127.0.0.1:9' }),
})
rule('connection-kept', 'BROKER-CONN-02', 'the first connection is never replaced', {
  replaced: () => (previous, next) => previous ?? next,
})
route('uri-optional', 'BROKER-CONN-03', 'a connection needs no URI', 'broker.writeConnection', optional('connection_uri'))
route('username-optional', 'BROKER-CONN-04', 'a connection needs no user name', 'broker.writeConnection', optional('username'))
route('password-optional', 'BROKER-CONN-05', 'a connection needs no password', 'broker.writeConnection', optional('password'))
rule('verify-opt-in', 'BROKER-CONN-06', 'a connection is verified only when asked', {
  verifies: () => (body) => body.verify_connection === true,
})
rule('verify-always', 'BROKER-CONN-07', 'a connection is verified although that was declined', { verifies: () => () => true })
rule('verify-stored', 'BROKER-CONN-08', 'a connection is stored before it is verified', { storesUnverified: () => () => true })
route(
  'connection-object',
  'BROKER-CONN-09',
  'an object is taken for a user name',
  'broker.writeConnection',
  requestBody((body) => (isObject(body.username) ? { ...body, username: '[object Object]', verify_connection: false } : body)),
)
route(
  'verify-object',
  'BROKER-CONN-10',
  'an object is taken for true',
  'broker.writeConnection',
  requestNestedAs('verify_connection', true),
)
rule('password-in-error', 'BROKER-CONN-11', 'a failed verification quotes the credentials', {
  failureText: (original) => (error, connection) => `${original(error, connection)} (${connection.username}:${connection.password})`,
})

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
rule('role-needs-vhosts', 'BROKER-ROLE-01', 'a role needs virtual hosts', {
  roleOf: (original) => (body) => {
    if (body.vhosts === undefined) throw invalid('vhosts is missing')
    return original(body)
  },
})
route(
  'role-update-lost',
  'BROKER-ROLE-02',
  'writing a role again changes nothing',
  'broker.writeRole',
  (original) => (call) => (call.state.roles.has(call.params.name ?? '') ? empty() : original(call)),
)
route('role-unreadable', 'BROKER-ROLE-03', 'roles cannot be read', 'broker.readRole', () => () => {
  throw new ApiError(405, 'unsupported operation')
})
route(
  'role-unknown-empty',
  'BROKER-ROLE-04',
  'an unknown role reads as an empty one',
  'broker.readRole',
  insteadOfRefusal(() => secret({ tags: '', vhosts: '', vhost_topics: '' })),
)
rule('role-kept', 'BROKER-ROLE-05', 'a deleted role stays', { forgetsRole: () => () => false })
rule('tags-first', 'BROKER-TAGS-01', 'only the first tag is given', { tagsOfUser: () => (role) => role.tags.split(',')[0] ?? '' })
rule('tags-default', 'BROKER-TAGS-02', 'users are managers by default', { tagsOfUser: () => (role) => role.tags || 'management' })
rule('tags-hidden', 'BROKER-TAGS-03', 'the read shows no tags', { shownRole: (original) => (role) => ({ ...original(role), tags: '' }) })
route('tags-object', 'BROKER-TAGS-04', 'an object is taken for tags', 'broker.writeRole', requestNestedAs('tags', ''))
rule('vhosts-shown-wrong', 'BROKER-VHOSTS-05', 'the read shows the first virtual host only', {
  shownRole: (original) => (role) => ({
    ...original(role),
    vhosts: JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(role.vhosts || '{}') as JsonObject).slice(0, 1))),
  }),
})
rule('topics-hidden', 'BROKER-TOPICS-04', 'the read shows no topics', {
  shownRole: (original) => (role) => ({ ...original(role), vhost_topics: '' }),
})

/** Reads broken JSON as nothing. */
const lenient =
  <T>(original: (text: string) => Map<string, T>) =>
  (text: string): Map<string, T> => {
    try {
      return original(text)
    } catch {
      return new Map()
    }
  }

rule('configure-all', 'BROKER-VHOSTS-01', 'users may configure everything', {
  rightsOfUser: () => (rights) => new Map([...rights].map(([vhost, right]) => [vhost, { ...right, configure: EVERYTHING }])),
})
rule('write-read-swapped', ['BROKER-VHOSTS-02', 'BROKER-VHOSTS-03'], 'the patterns for writing and reading are swapped', {
  rightsOfUser: () => (rights) =>
    new Map([...rights].map(([vhost, { configure, write, read }]) => [vhost, { configure, write: read, read: write }])),
})
rule('default-vhost', ['BROKER-VHOSTS-04', 'BROKER-VHOSTS-07'], 'users have rights in the default virtual host too', {
  rightsOfUser: () => (rights) => new Map([...rights, ['/', { configure: '', write: '', read: EVERYTHING }]]),
})
rule('vhosts-not-json', 'BROKER-VHOSTS-06', 'broken JSON stands for no virtual host', { vhostsOf: lenient })
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
rule('topics-not-json', 'BROKER-TOPICS-05', 'broken JSON stands for no topics', { topicsOf: lenient })
rule('creds-other-password', 'BROKER-CREDS-01', 'the password returned is not the one of the user', {
  shownCredential: (original) => (username, password) => original(username, `${password}x`),
})
rule('creds-same-password', 'BROKER-CREDS-02', 'every user gets the same password', { password: () => () => 'Correct-Horse-Batt-1' })
rule('creds-unleased', 'BROKER-CREDS-03', 'credentials come without a lease', { leased: () => () => false })
rule('creds-unknown-500', 'BROKER-CREDS-04', 'an unknown role is an internal error', { unknownRoleStatus: () => () => 500 })
rule('creds-kept', ['BROKER-CREDS-05', 'BROKER-CREDS-06'], 'the end of a lease leaves the user', { deletesUser: () => () => false })
rule('creds-half-made', 'BROKER-CREDS-07', 'a user that could not get its rights stays', { removesAfterFailure: () => () => false })
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
