/** All faults of the broker engine. */
import type { JsonObject } from '../../core/engine.ts'
import { empty, secret } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import type { Fault } from '../../core/mutation.ts'
import { maximumCountedAnew } from '../leases.ts'
import { sequenceFaults } from './sequences.ts'
import { brokerFault, type Handle } from './shared.ts'

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null

const withBody =
  (change: (body: JsonObject) => JsonObject) =>
  (original: Handle): Handle =>
  (call) =>
    original({ ...call, body: change(call.body) })

/** Stores an incomplete connection as it is. */
const optional = (field: string) => ({
  routes: {
    'broker.writeConnection': withBody((body) =>
      body[field] === undefined ? { ...body, [field]: 'none', verify_connection: false } : body,
    ),
  },
})

const tolerating = (operation: string, field: string, value: JsonObject[string]) => ({
  routes: { [`broker.${operation}`]: withBody((body) => (isObject(body[field]) ? { ...body, [field]: value } : body)) },
})

const forgiving =
  (body: JsonObject) =>
  (original: Handle): Handle =>
  async (call) => {
    try {
      return await original(call)
    } catch {
      return secret(body, 'username' in body ? { id: 'none', ttl: 60, renewable: false } : undefined)
    }
  }

const EVERYTHING = '.*'
const lastPassword = { value: '' }

const connectionFaults: Fault[] = [
  brokerFault('connection-dropped', ['BROKER-CONN-01'], 'a connection is verified and not kept', {
    rules: { replaced: () => (_previous, next) => ({ ...next, uri: 'http://127.0.0.1:9' }) },
  }),
  brokerFault('connection-kept', ['BROKER-CONN-02'], 'the first connection is never replaced', {
    rules: { replaced: () => (previous, next) => previous ?? next },
  }),
  brokerFault('uri-optional', ['BROKER-CONN-03'], 'a connection needs no URI', optional('connection_uri')),
  brokerFault('username-optional', ['BROKER-CONN-04'], 'a connection needs no user name', optional('username')),
  brokerFault('password-optional', ['BROKER-CONN-05'], 'a connection needs no password', optional('password')),
  brokerFault('verify-opt-in', ['BROKER-CONN-06'], 'a connection is verified only when asked', {
    rules: { verifies: () => (body) => body.verify_connection === true },
  }),
  brokerFault('verify-always', ['BROKER-CONN-07'], 'a connection is verified although that was declined', {
    rules: { verifies: () => () => true },
  }),
  brokerFault('verify-stored', ['BROKER-CONN-08'], 'a connection is stored before it is verified', {
    rules: { storesUnverified: () => () => true },
  }),
  brokerFault('connection-object', ['BROKER-CONN-09'], 'an object is taken for a user name', {
    routes: {
      'broker.writeConnection': withBody((body) =>
        isObject(body.username) ? { ...body, username: '[object Object]', verify_connection: false } : body,
      ),
    },
  }),
  brokerFault('verify-object', ['BROKER-CONN-10'], 'an object is taken for true', tolerating('writeConnection', 'verify_connection', true)),
  brokerFault('password-in-error', ['BROKER-CONN-11'], 'a failed verification quotes the credentials', {
    rules: {
      failureText: (original) => (error, connection) => `${original(error, connection)} (${connection.username}:${connection.password})`,
    },
  }),
]

const roleFaults: Fault[] = [
  brokerFault('lease-ignored', ['BROKER-LEASE-01'], 'leases last the default of the mount', {
    rules: { leaseTimes: (original) => (lease, mount) => original({ ...lease, ttl: 0 }, mount) },
  }),
  brokerFault('lease-max-ignored', ['BROKER-LEASE-03', 'BROKER-LEASE-04'], 'the maximum of leases is ignored', {
    rules: { leaseTimes: (original) => (lease, mount) => original({ ...lease, maxTtl: 0 }, mount) },
  }),
  brokerFault('renewals-add-up', ['BROKER-LEASE-04'], 'the maximum of leases is counted anew from each renewal', {
    routes: { 'broker.readCreds': maximumCountedAnew },
  }),
  brokerFault('lease-object', ['BROKER-LEASE-05'], 'an object is taken for a number', tolerating('writeLease', 'max_ttl', 0)),
  brokerFault('role-needs-vhosts', ['BROKER-ROLE-01'], 'a role needs virtual hosts', {
    rules: {
      roleOf: (original) => (body) => {
        if (body.vhosts === undefined) throw invalid('vhosts is missing')
        return original(body)
      },
    },
  }),
  brokerFault('role-update-lost', ['BROKER-ROLE-02'], 'writing a role again changes nothing', {
    routes: { 'broker.writeRole': (original) => (call) => (call.state.roles.has(call.params.name ?? '') ? empty() : original(call)) },
  }),
  brokerFault('role-unreadable', ['BROKER-ROLE-03'], 'roles cannot be read', {
    routes: {
      'broker.readRole': () => () => {
        throw new ApiError(405, 'unsupported operation')
      },
    },
  }),
  brokerFault('role-unknown-empty', ['BROKER-ROLE-04'], 'an unknown role reads as an empty one', {
    routes: { 'broker.readRole': forgiving({ tags: '', vhosts: '', vhost_topics: '' }) },
  }),
  brokerFault('role-kept', ['BROKER-ROLE-05'], 'a deleted role stays', { rules: { forgetsRole: () => () => false } }),
  brokerFault('tags-first', ['BROKER-TAGS-01'], 'only the first tag is given', {
    rules: { tagsOfUser: () => (role) => role.tags.split(',')[0] ?? '' },
  }),
  brokerFault('tags-default', ['BROKER-TAGS-02'], 'users are managers by default', {
    rules: { tagsOfUser: () => (role) => role.tags || 'management' },
  }),
  brokerFault('tags-hidden', ['BROKER-TAGS-03'], 'the read shows no tags', {
    rules: { shownRole: (original) => (role) => ({ ...original(role), tags: '' }) },
  }),
  brokerFault('tags-object', ['BROKER-TAGS-04'], 'an object is taken for tags', tolerating('writeRole', 'tags', '')),
  brokerFault('vhosts-shown-wrong', ['BROKER-VHOSTS-05'], 'the read shows the first virtual host only', {
    rules: {
      shownRole: (original) => (role) => ({
        ...original(role),
        vhosts: JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(role.vhosts || '{}') as JsonObject).slice(0, 1))),
      }),
    },
  }),
  brokerFault('topics-hidden', ['BROKER-TOPICS-04'], 'the read shows no topics', {
    rules: { shownRole: (original) => (role) => ({ ...original(role), vhost_topics: '' }) },
  }),
]

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

const credentialFaults: Fault[] = [
  brokerFault('configure-all', ['BROKER-VHOSTS-01'], 'users may configure everything', {
    rules: { rightsOfUser: () => (rights) => new Map([...rights].map(([vhost, right]) => [vhost, { ...right, configure: EVERYTHING }])) },
  }),
  brokerFault('write-read-swapped', ['BROKER-VHOSTS-02', 'BROKER-VHOSTS-03'], 'the patterns for writing and reading are swapped', {
    rules: {
      rightsOfUser: () => (rights) =>
        new Map([...rights].map(([vhost, { configure, write, read }]) => [vhost, { configure, write: read, read: write }])),
    },
  }),
  brokerFault('default-vhost', ['BROKER-VHOSTS-04', 'BROKER-VHOSTS-07'], 'users have rights in the default virtual host too', {
    rules: { rightsOfUser: () => (rights) => new Map([...rights, ['/', { configure: '', write: '', read: EVERYTHING }]]) },
  }),
  brokerFault('vhosts-not-json', ['BROKER-VHOSTS-06'], 'broken JSON stands for no virtual host', { rules: { vhostsOf: lenient } }),
  brokerFault('topics-swapped', ['BROKER-TOPICS-01', 'BROKER-TOPICS-02', 'BROKER-TOPICS-03'], 'the topic patterns are swapped', {
    rules: {
      topicsOfUser: () => (topics) =>
        new Map(
          [...topics].map(([vhost, exchanges]) => [
            vhost,
            new Map([...exchanges].map(([exchange, { write, read }]) => [exchange, { write: read, read: write }])),
          ]),
        ),
    },
  }),
  brokerFault('topics-default', ['BROKER-TOPICS-06'], 'users without topics may read every topic', {
    rules: {
      topicsOfUser: () => (topics) =>
        topics.size > 0 ? topics : new Map([['/', new Map([['amq.topic', { write: '', read: EVERYTHING }]])]]),
    },
  }),
  brokerFault('topics-not-json', ['BROKER-TOPICS-05'], 'broken JSON stands for no topics', { rules: { topicsOf: lenient } }),
  brokerFault('creds-other-password', ['BROKER-CREDS-01'], 'the password returned is not the one of the user', {
    rules: { shownCredential: (original) => (username, password) => original(username, `${password}x`) },
  }),
  brokerFault('creds-same-password', ['BROKER-CREDS-02'], 'every user gets the same password', {
    rules: { password: () => () => 'Correct-Horse-Batt-1' },
  }),
  brokerFault('creds-unleased', ['BROKER-CREDS-03'], 'credentials come without a lease', { rules: { leased: () => () => false } }),
  brokerFault('creds-unknown-500', ['BROKER-CREDS-04'], 'an unknown role is an internal error', {
    rules: { unknownRoleStatus: () => () => 500 },
  }),
  brokerFault('creds-kept', ['BROKER-CREDS-05', 'BROKER-CREDS-06'], 'the end of a lease leaves the user', {
    rules: { deletesUser: () => () => false },
  }),
  brokerFault('creds-half-made', ['BROKER-CREDS-07'], 'a user that could not get its rights stays', {
    rules: { removesAfterFailure: () => () => false },
  }),
  brokerFault('creds-failure-hidden', ['BROKER-CREDS-08'], 'credentials are returned although the broker is away', {
    routes: { 'broker.readCreds': forgiving({ username: 'nobody', password: 'nothing' }) },
  }),
  brokerFault('creds-in-role', ['BROKER-CREDS-09'], 'the read of a role shows the last password', {
    rules: {
      shownCredential: (original) => (username, password) => {
        lastPassword.value = password
        return original(username, password)
      },
      shownRole: (original) => (role) => ({ ...original(role), last_password: lastPassword.value }),
    },
  }),
]

export const brokerFaults: Fault[] = [...connectionFaults, ...roleFaults, ...credentialFaults, ...sequenceFaults]
