/** Where the operators apply in the broker engine. */
import { applied, type Places } from '../../faults/apply.ts'
import { brokerEngine } from './engine.ts'
import type { BrokerState } from './state.ts'

const ROLE = ['broker.writeRole']
const CREDS = ['broker.readCreds']
const LEASE = ['broker.writeLease']
const READ = ['broker.readRole']

const EVERYTHING = { configure: '.*', write: '.*', read: '.*' }
const VHOSTS = JSON.stringify({ '/': EVERYTHING })
const TOPICS = JSON.stringify({ '/': { 'amq.topic': EVERYTHING } })

const READS = { 'read-is-enough': 'it needs it' }
const WRITES = { 'update-is-enough': 'it needs it' }

const roles = (state: BrokerState): Map<string, unknown> => state.roles

const places: Places = {
  except: {
    'no check finds it: whether it is promised is not judged yet': `
      role/tags/trimmed role/tags/cut role/tags/escaped role/tags/decoded role/tags/composed role/tags/line-ends role/tags/first-line
      role/tags/plain-ascii role/tags/unquoted role/vhosts/trimmed role/vhosts/cut role/vhosts/escaped role/vhosts/decoded
      role/vhosts/composed role/vhosts/line-ends role/vhosts/first-line role/tags/object-as-before
      connection/verify_connection/object-as-text connection/verify_connection/object-as-before lease/ttl/object-as-text
      lease/max_ttl/object-as-text lease/ttl/zero-left-out lease/max_ttl/zero-left-out role-read/vhost_topics/stale
      write-role/same-length creds/with-prefix creds/all creds/same-length
    `,
  },
  parameters: {
    'role/tags': {
      clauses: ['BROKER-TAGS-01'],
      by: { 'first-kept': 'BROKER-ROLE-02', 'carried-over': 'BROKER-TAGS-02' },
      operations: ROLE,
      member: 'tags',
    },
    'role/vhosts': {
      clauses: ['BROKER-VHOSTS-04'],
      by: { 'first-kept': 'BROKER-ROLE-02', 'carried-over': 'BROKER-VHOSTS-07' },
      operations: ROLE,
      member: 'vhosts',
    },
    'role/vhost_topics': {
      clauses: ['BROKER-TOPICS-01'],
      by: { 'first-kept': 'BROKER-ROLE-02', 'carried-over': 'BROKER-TOPICS-06' },
      operations: ROLE,
      member: 'vhost_topics',
    },
    'lease/ttl': { clauses: ['BROKER-LEASE-01'], not: { 'carried-over': 'what is left out is open' }, operations: LEASE, member: 'ttl' },
    'lease/max_ttl': {
      clauses: ['BROKER-LEASE-03'],
      not: { 'carried-over': 'what is left out is open' },
      operations: LEASE,
      member: 'max_ttl',
    },
  },
  defaults: {
    'role/tags': { clauses: ['BROKER-TAGS-02'], operations: ROLE, member: 'tags', value: 'monitoring' },
    'role/vhosts': { clauses: ['BROKER-VHOSTS-07'], operations: ROLE, member: 'vhosts', value: VHOSTS },
    'role/vhost_topics': { clauses: ['BROKER-TOPICS-06'], operations: ROLE, member: 'vhost_topics', value: TOPICS },
  },
  types: {
    'role/tags': { clauses: ['BROKER-TAGS-04'], operations: ROLE, member: 'tags' },
    'connection/verify_connection': {
      clauses: ['BROKER-CONN-10'],
      operations: ['broker.writeConnection'],
      member: 'verify_connection',
      value: true,
    },
    'lease/ttl': { clauses: ['BROKER-LEASE-05'], operations: LEASE, member: 'ttl', value: 0 },
    'lease/max_ttl': { clauses: ['BROKER-LEASE-05'], operations: LEASE, member: 'max_ttl', value: 0 },
  },
  numbers: {
    'lease/ttl': {
      clauses: ['BROKER-LEASE-01'],
      not: { 'one-more': 'a second is nothing', 'one-less': 'a second is nothing' },
      operations: LEASE,
      member: 'ttl',
    },
    'lease/max_ttl': {
      clauses: ['BROKER-LEASE-03'],
      not: { 'one-more': 'a second is nothing', 'one-less': 'a second is nothing' },
      operations: LEASE,
      member: 'max_ttl',
    },
  },
  texts: {
    'role/tags': { clauses: ['BROKER-TAGS-03'], operations: ROLE, member: 'tags' },
    'role/vhosts': { clauses: ['BROKER-VHOSTS-05'], operations: ROLE, member: 'vhosts' },
  },
  replies: {
    'role-read/tags': { clauses: ['BROKER-TAGS-03'], by: { stale: 'BROKER-ROLE-02' }, operations: READ, member: 'data.tags' },
    'role-read/vhosts': { clauses: ['BROKER-VHOSTS-05'], by: { stale: 'BROKER-ROLE-02' }, operations: READ, member: 'data.vhosts' },
    'role-read/vhost_topics': {
      clauses: ['BROKER-TOPICS-04'],
      by: { stale: 'BROKER-ROLE-02' },
      operations: READ,
      member: 'data.vhost_topics',
    },
    'creds/username': { clauses: ['BROKER-CREDS-01'], by: { stale: 'BROKER-CREDS-02' }, operations: CREDS, member: 'data.username' },
    'creds/password': { clauses: ['BROKER-CREDS-01'], by: { stale: 'BROKER-CREDS-02' }, operations: CREDS, member: 'data.password' },
    'creds/lease_duration': {
      clauses: ['BROKER-LEASE-01'],
      not: { other: 'a second is nothing' },
      operations: CREDS,
      member: 'lease_duration',
    },
  },
  shapes: {
    'creds/lease_id': { clauses: ['BROKER-CREDS-03'], operations: CREDS, member: 'lease_id' },
    'creds/username': { clauses: ['BROKER-CREDS-01'], operations: CREDS, member: 'data.username' },
  },
  memory: {
    role: {
      clauses: ['BROKER-ROLE-02'],
      by: { 'removal-ignored': 'BROKER-ROLE-05', 'read-after-removal': 'BROKER-ROLE-05', 'new-one-lost': 'BROKER-ROLE-01' },
      write: 'broker.writeRole',
      read: 'broker.readRole',
      remove: 'broker.deleteRole',
    },
  },
  names: {
    'role/name': { clauses: ['BROKER-ROLE-03'], operations: [...ROLE, ...READ, ...CREDS, 'broker.deleteRole'] },
    'creds/name': { clauses: ['CORE-NAME-01'], operations: CREDS },
    'delete-role/name': { clauses: ['BROKER-ROLE-05'], operations: ['broker.deleteRole'] },
  },
  neighbours: {
    'delete-role': { clauses: ['BROKER-ROLE-05'], operations: ['broker.deleteRole'], things: roles },
    'write-role': { clauses: ['BROKER-APART-01'], operations: ROLE, things: roles },
    creds: { clauses: ['BROKER-APART-01'], operations: CREDS, things: roles },
  },
  lifetimes: {
    creds: {
      clauses: ['BROKER-CREDS-05'],
      by: { 'maximum-restarts': 'BROKER-LEASE-04', 'left-behind': 'BROKER-CREDS-06' },
      operations: CREDS,
    },
  },
  access: {
    'access/creds': {
      clauses: ['CORE-CAP-01'],
      by: { 'list-is-enough': 'CORE-CAP-20', 'update-is-enough': 'CORE-CAP-05' },
      not: READS,
      operations: CREDS,
    },
    'access/writeRole': { clauses: ['CORE-CAP-04'], not: WRITES, operations: ROLE },
    'access/writeLease': { clauses: ['CORE-CAP-04'], not: WRITES, operations: LEASE },
    'access/writeConnection': { clauses: ['CORE-CAP-04'], not: WRITES, operations: ['broker.writeConnection'] },
    'access/deleteRole': {
      clauses: ['CORE-CAP-18'],
      by: { 'read-is-enough': 'CORE-CAP-21', 'list-is-enough': 'CORE-CAP-21', 'update-is-enough': 'CORE-CAP-13' },
      operations: ['broker.deleteRole'],
    },
  },
}

export const faults = applied(brokerEngine, places)
