/** Faults in how long keys live where the lease times of the request, the engine and the system stand against one another. */
import { durationOf } from '../../core/durations.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { cloudcEngine } from './engine.ts'
import { withRules } from './loose-words.ts'
import type { CloudcRules } from './rules.ts'

const { rule, route } = faultsOf(cloudcEngine)

const asked = (body: Parameters<CloudcRules['leaseTimes']>[0]): number => durationOf(body.ttl, 'ttl', 0)

rule(
  'engine-ttl-lifts-maximum',
  ['CLOUDC-LEASE-05'],
  'a ttl of the engine above its max_ttl is the maximum of all keys (000 4.3: TTL and max TTL)',
  {
    leaseTimes: (original) => (body, config, mount) =>
      original(body, { ...config, maxTtl: config.maxTtl && Math.max(config.maxTtl, config.ttl) }, mount),
  },
)

rule('request-raised-to-engine-ttl', ['CLOUDC-LEASE-02'], 'a ttl below that of the engine is raised to it (000 4.3, key parameters, ttl)', {
  leaseTimes: (original) => (body, config, mount) => original(asked(body) < config.ttl ? {} : body, config, mount),
})

rule(
  'request-held-to-engine-ttl',
  ['CLOUDC-LEASE-02'],
  'a ttl above that of the engine is cut to it where there is no max_ttl (000 4.3: ttl of the request, up to the maximum)',
  {
    leaseTimes: (original) => (body, config, mount) =>
      original(body, config.maxTtl === 0 && config.ttl > 0 ? { ...config, maxTtl: config.ttl } : config, mount),
  },
)

rule(
  'contradiction-means-system',
  ['CLOUDC-LEASE-05'],
  'where ttl is above max_ttl keys go by the times of the system (000 4.3: TTL and max TTL from engine config)',
  {
    leaseTimes: (original) => (body, config, mount) =>
      original(body, config.maxTtl > 0 && config.ttl > config.maxTtl ? { ...config, ttl: 0, maxTtl: 0 } : config, mount),
  },
)

rule(
  'maximum-without-ttl-unread',
  ['CLOUDC-LEASE-05'],
  'max_ttl counts beside a ttl of the engine only (000 4.3: max TTL from engine config)',
  {
    leaseTimes: (original) => (body, config, mount) => original(body, config.ttl === 0 ? { ...config, maxTtl: 0 } : config, mount),
  },
)

rule(
  'maximum-below-system-default-unread',
  ['CLOUDC-LEASE-05'],
  'a max_ttl below the default of the system is raised to it (000 4.3: max TTL from engine config)',
  {
    leaseTimes: (original) => (body, config, mount) =>
      original(body, { ...config, maxTtl: config.maxTtl && Math.max(config.maxTtl, mount.defaultLeaseTtl) }, mount),
  },
)

route(
  'get-knows-no-maximum',
  ['CLOUDC-LEASE-05'],
  'a key by GET lives the ttl of the engine whatever max_ttl says (000 4.3, GET uses defaults; max TTL from engine config)',
  'cloudc.readKey',
  withRules(({ rules }) => ({ leaseTimes: (body, config, mount) => rules.leaseTimes(body, { ...config, maxTtl: 0 }, mount) })),
)

route(
  'empty-ttl-is-longest',
  ['CLOUDC-LEASE-03', 'CLOUDC-LEASE-04'],
  'a ttl that is there and empty is the longest one (000 4.3, ttl: "" means the default)',
  'cloudc.createKey',
  withRules(({ rules }) => ({
    leaseTimes(body, config, mount) {
      const times = rules.leaseTimes(body, config, mount)
      return body.ttl === '' ? { ...times, ttl: times.maxTtl } : times
    },
  })),
)

const longest = remembered(() => ({ ttl: 0 }))

route(
  'lowered-ttl-unread',
  ['CLOUDC-LEASE-03', 'CLOUDC-LEASE-04'],
  'keys by POST go by the longest ttl that the engine ever had (000 4.3: TTL from engine config)',
  'cloudc.createKey',
  withRules(({ rules, state }) => ({
    leaseTimes(body, config, mount) {
      const known = longest(state)
      known.ttl = Math.max(known.ttl, config.ttl)
      return rules.leaseTimes(body, { ...config, ttl: known.ttl }, mount)
    },
  })),
)
