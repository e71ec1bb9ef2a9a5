/** Faults at limits: empty, one, many, zero, equal, long. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { patternsBy } from './afresh-help.ts'
import { ROLE_OPERATIONS, renamed } from './anew-help.ts'
import { brokerEngine } from './engine.ts'

const { rule, route } = faultsOf(brokerEngine, 'broker')

rule(
  'afresh-only-outer-vhosts',
  ['BROKER-VHOSTS-01'],
  'of three virtual hosts the one in the middle gets no rights (001 4.3: vhosts, a map)',
  {
    rightsOfUser: (original) => (rights) => {
      const all = original(rights)
      return new Map([...all].filter((_, index) => index === 0 || index === all.size - 1))
    },
  },
)

rule(
  'afresh-last-exchange-only',
  ['BROKER-TOPICS-01'],
  'of several exchanges of a virtual host only the last gets rights (001 4.3: vhost_topics)',
  {
    topicsOfUser: (original) => (topics) =>
      new Map([...original(topics)].map(([vhost, rights]) => [vhost, new Map([...rights].slice(-1))])),
  },
)

rule('afresh-two-tags-at-most', ['BROKER-TAGS-01'], 'a user gets the first two tags of its role only (001 4.3: tags, comma-separated)', {
  tagsOfUser: (original) => (role) => original(role).split(',', 2).join(','),
})

rule(
  'afresh-ttl-equal-to-max-refused',
  ['BROKER-LEASE-01'],
  'a ttl that equals max_ttl is refused (001 4.3: config/lease, ttl and max_ttl)',
  {
    leaseOf: (original) => (body) => {
      const lease = original(body)
      if (lease.maxTtl > 0 && lease.ttl === lease.maxTtl) throw invalid('ttl must be less than max_ttl')
      return lease
    },
  },
)

rule('afresh-ttl-in-whole-minutes', ['BROKER-LEASE-01'], 'a ttl above a minute is cut to whole minutes (001 4.3: ttl, int seconds)', {
  leaseOf: (original) => (body) => {
    const { ttl, maxTtl } = original(body)
    return { ttl: ttl > 60 ? Math.floor(ttl / 60) * 60 : ttl, maxTtl }
  },
})

rule('afresh-ttl-without-max-unused', ['BROKER-LEASE-01'], 'a ttl without max_ttl is not used (001 4.3: max_ttl, default 0)', {
  leaseTimes: (original) => (lease, mount) => original(lease.maxTtl === 0 ? { ttl: 0, maxTtl: 0 } : lease, mount),
})

route(
  'afresh-names-of-32-characters',
  ['BROKER-ROLE-03'],
  'roles whose names agree in the first 32 characters are one role (001 4.3: roles/:name)',
  ROLE_OPERATIONS,
  renamed((name) => name.slice(0, 32)),
)

rule('afresh-empty-map-refused', ['BROKER-VHOSTS-07'], 'vhosts of "{}" are refused (001 4.3: vhosts, a JSON-encoded map)', {
  vhostsOf: (original) => (text) => {
    const rights = original(text)
    if (text !== '' && rights.size === 0) throw invalid('vhosts holds no virtual host')
    return rights
  },
})

rule(
  'afresh-empty-pattern-allows-all',
  ['BROKER-VHOSTS-04'],
  'an empty pattern of vhosts becomes .* for the user (001 4.3: regex strings)',
  {
    rightsOfUser: patternsBy((pattern) => pattern || '.*'),
  },
)

rule(
  'afresh-empty-topic-read-as-write',
  ['BROKER-TOPICS-02'],
  'an exchange whose read is empty gets the pattern of write for it (001 4.3: write, read)',
  {
    topicsOfUser: (original) => (topics) =>
      new Map(
        [...original(topics)].map(([vhost, exchanges]) => [
          vhost,
          new Map([...exchanges].map(([exchange, { write, read }]) => [exchange, { write, read: read || write }])),
        ]),
      ),
  },
)

rule(
  'afresh-management-without-tags',
  ['BROKER-TAGS-02'],
  'the user of a role without tags is tagged management (001 4.3: tags, default "")',
  {
    tagsOfUser: (original) => (role) => original(role) || 'management',
  },
)
