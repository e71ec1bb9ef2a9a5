/** Faults at limits: empty and zero, one and many, first and last, short and long. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { brokerEngine } from './engine.ts'
import { calledAs, isAt, nameIn } from './plain-help.ts'

const { rule, route } = faultsOf(brokerEngine, 'broker')
const core = faultsOf(coreEngine, 'broker')

rule(
  'plain-max-ttl-below-ttl-ignored',
  'BROKER-LEASE-03',
  'a max_ttl that is less than ttl does not limit the lease (001 4.3: config/lease, max_ttl)',
  {
    leaseTimes: (original) => (lease, mount) => original(lease.ttl > lease.maxTtl ? { ...lease, maxTtl: 0 } : lease, mount),
  },
)

rule('plain-ttl-one-hour-at-most', 'BROKER-LEASE-01', 'a ttl above one hour is cut to one hour (001 4.3: config/lease, ttl int seconds)', {
  leaseTimes: (original) => (lease, mount) => original({ ...lease, ttl: Math.min(lease.ttl, 3600) }, mount),
})

rule(
  'plain-ttl-one-minute-at-least',
  'BROKER-CREDS-05',
  'a ttl below one minute is raised to one minute (001 4.3: config/lease, ttl int seconds)',
  {
    leaseTimes: (original) => (lease, mount) => {
      const longer = (seconds: number): number => (seconds > 0 ? Math.max(seconds, 60) : seconds)
      return original({ ttl: longer(lease.ttl), maxTtl: longer(lease.maxTtl) }, mount)
    },
  },
)

rule('plain-no-tags-is-management', 'BROKER-TAGS-02', 'a user of a role without tags is tagged management (001 4.3: tags, default "")', {
  tagsOfUser: (original) => (role) => original(role) || 'management',
})

rule('plain-empty-map-refused', 'BROKER-VHOSTS-07', 'vhosts that are an empty map are refused (001 4.3: vhosts, JSON-encoded map)', {
  vhostsOf: (original) => (text) => {
    const vhosts = original(text)
    if (text !== '' && vhosts.size === 0) throw invalid('vhosts must name a virtual host')
    return vhosts
  },
})

rule(
  'plain-last-vhost-left-out',
  'BROKER-CREDS-07',
  'of several virtual hosts the last one is left out (001 4.3: vhosts, map of virtual host to rights)',
  {
    rightsOfUser: (original) => (rights) => new Map([...original(rights)].slice(0, Math.max(1, rights.size - 1))),
  },
)

rule(
  'plain-first-exchange-only',
  'BROKER-TOPICS-01',
  'of several exchanges of a virtual host only the first gets its topic rights (001 4.3: vhost_topics, virtual host to exchange to rights)',
  {
    topicsOfUser: (original) => (topics) =>
      new Map([...original(topics)].map(([vhost, exchanges]) => [vhost, new Map([...exchanges].slice(0, 1))])),
  },
)

rule(
  'plain-long-vhosts-refused',
  'BROKER-ROLE-01',
  'vhosts of more than 255 characters are refused (001 4.3: vhosts, string; 000 8: 32 MB)',
  {
    roleOf: (original) => (body) => {
      const role = original(body)
      if (role.vhosts.length > 255) throw invalid('vhosts must not be longer than 255 characters')
      return role
    },
  },
)

route(
  'plain-long-names-cut',
  'BROKER-ROLE-03',
  'role names are cut after 32 characters, so that long names that begin alike mean one role (001 4.3: roles/:name)',
  ['broker.writeRole', 'broker.readRole', 'broker.deleteRole', 'broker.readCreds'],
  (original) => (call) => original(calledAs(call, nameIn(call).slice(0, 32))),
)

rule(
  'plain-unverified-connection-incomplete',
  'BROKER-CONN-03',
  'with verify_connection false the required fields are not asked for (001 4.3: connection_uri, username, password required)',
  {
    connectionComplete: (original) => (body) => {
      if (body.verify_connection !== false) original(body)
    },
  },
)

core.rule('plain-body-of-16-mb', 'CORE-LIMIT-01', 'a body of more than 16 MB is refused (000 8: maximum request size 32 MB)', {
  parseBody: (original) => (bytes, request) => {
    const isOurs = ['config/connection', 'config/lease', 'roles'].some((section) => isAt(section)(request))
    if (isOurs && bytes.length > 16 * 1024 * 1024) throw new ApiError(413, 'request body too large')
    return original(bytes, request)
  },
})

rule(
  'plain-ttl-at-max-refused',
  'BROKER-LEASE-01',
  'a ttl that is exactly max_ttl is refused (001 4.3: config/lease, ttl and max_ttl int seconds)',
  {
    leaseOf: (original) => (body) => {
      const lease = original(body)
      if (lease.maxTtl > 0 && lease.ttl === lease.maxTtl) throw invalid('max_ttl must be greater than ttl')
      return lease
    },
  },
)
