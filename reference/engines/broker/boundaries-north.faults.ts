/** Faults at boundaries: none, one, many, last, empty, zero, long. */
import { faultsOf } from '../../mutations/declare.ts'
import { brokerEngine } from './engine.ts'
import { deciding, nameOf, roleIn } from './north-help.ts'

const { rule, route } = faultsOf(brokerEngine, 'broker')

rule(
  'north-no-tags-means-management',
  'BROKER-TAGS-02',
  'a user of a role without tags gets the tag management (001 4.3: tags, default "")',
  {
    tagsOfUser: (original) => (role) => original(role) || 'management',
  },
)

rule(
  'north-last-of-several-vhosts-lost',
  'BROKER-CREDS-07',
  'the last of several virtual hosts is not permitted (001 4.3: vhosts, map of virtual host)',
  {
    rightsOfUser: (original) => (rights) => {
      const all = [...original(rights)]
      return new Map(all.slice(0, Math.max(1, all.length - 1)))
    },
  },
)

rule(
  'north-empty-configure-is-everything',
  'BROKER-ROLE-02',
  'an empty configure pattern is given as .* (001 4.3: vhosts, object with configure, write, read regex strings)',
  {
    rightsOfUser: (original) => (rights) =>
      new Map([...original(rights)].map(([vhost, right]) => [vhost, { ...right, configure: right.configure || '.*' }])),
  },
)

rule(
  'north-vhost-of-empty-patterns-skipped',
  'BROKER-VHOSTS-04',
  'a virtual host with three empty patterns is not permitted at all (001 4.3: vhosts, map of virtual host to object)',
  {
    rightsOfUser: (original) => (rights) =>
      new Map([...original(rights)].filter(([, { configure, write, read }]) => [configure, write, read].some((text) => text !== ''))),
  },
)

rule('north-ttl-beyond-maximum', 'BROKER-LEASE-03', 'a ttl above max_ttl is not held to it (001 4.3: config/lease, ttl and max_ttl)', {
  leaseTimes: (original) => (lease, mount) => {
    const times = original(lease, mount)
    if (lease.ttl <= times.maxTtl) return times
    const ttl = Math.min(lease.ttl, mount.maxLeaseTtl)
    return { ttl, maxTtl: ttl }
  },
})

const LONGEST_USERNAME = 32
rule(
  'north-long-role-name-leaves-no-chance',
  'BROKER-CREDS-02',
  'a long role name takes up the whole user name, so that the next user is the same one (001 1: dynamic broker credentials; 4.3: creds)',
  {
    username: () => (role, random) => `s-${role.replaceAll(/[^A-Za-z0-9]/g, '')}-${random.word(20)}`.slice(0, LONGEST_USERNAME),
  },
)

const COLUMN_WIDTH = 255
route(
  'north-long-topics-cut',
  'BROKER-VHOSTS-04',
  'a text of topic rights is cut after 255 characters (001 4.3: vhost_topics, string; GET roles/:name, data.vhost_topics)',
  'broker.writeRole',
  (original) => async (call) => {
    const given = await original(call)
    const role = roleIn(call)
    if (role !== undefined) call.state.roles.set(nameOf(call), { ...role, vhostTopics: role.vhostTopics.slice(0, COLUMN_WIDTH) })
    return given
  },
)

rule(
  'north-last-exchange-only',
  'BROKER-TOPICS-01',
  'of several exchanges in a virtual host the last one gets its rights (001 4.3: vhost_topics, virtual host to exchange to object)',
  {
    topicsOfUser: (original) => (topics) =>
      new Map([...original(topics)].map(([vhost, exchanges]) => [vhost, new Map([...exchanges].slice(-1))])),
  },
)

rule(
  'north-false-verify-is-default',
  'BROKER-CONN-10',
  'verify_connection false counts as not given, so that it is verified (001 4.3: verify_connection, bool, default true)',
  { verifies: () => () => true },
)

route(
  'north-tags-cannot-be-emptied',
  'BROKER-CREDS-10',
  'writing a role with empty tags keeps the tags before (001 4.3: roles/:name, tags, string)',
  'broker.writeRole',
  (original) => (call) => original(call.body.tags === '' ? { ...call, body: { ...call.body, tags: roleIn(call)?.tags ?? '' } } : call),
)

route(
  'north-last-role-stays',
  'BROKER-ROLE-05',
  'the last role of a mount is not deleted (001 4.3: DELETE roles/:name, delete role)',
  'broker.deleteRole',
  (original) => (call) => original(call.state.roles.size === 1 ? deciding(call, { forgetsRole: () => false }) : call),
)

route(
  'north-zero-keeps-former-maximum',
  'BROKER-CREDS-10',
  'a max_ttl of 0 leaves the one before in force, which cuts a longer ttl (001 4.3: config/lease, ttl; max_ttl default 0)',
  'broker.writeLease',
  (original) => async (call) => {
    const { maxTtl } = call.state.lease
    const given = await original(call)
    if (call.state.lease.maxTtl === 0) call.state.lease = { ...call.state.lease, maxTtl }
    return given
  },
)
