/** Faults in how long keys live, by the lease times of the request, the engine and the system. */
import { durationOf } from '../../core/durations.ts'
import { faultsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcRules } from './rules.ts'
import type { CloudcState } from './state.ts'
import { KEY_ROUTES, withIssue, withRules } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(cloudcEngine)

rule('ttl-at-max', 'CLOUDC-LEASE-02', 'a ttl of a key that is exactly the maximum counts as none', {
  leaseTimes: (original) => (body, config, mount) => {
    const { maxTtl } = original(body, config, mount)
    return original(durationOf(body.ttl, 'ttl', 0) === maxTtl ? { ...body, ttl: '' } : body, config, mount)
  },
})
const asked = (body: Parameters<CloudcRules['leaseTimes']>[0]): number => durationOf(body.ttl, 'ttl', 0)
rule('request-raised-to-engine-ttl', 'CLOUDC-LEASE-02', 'a ttl below that of the engine is raised to it', {
  leaseTimes: (original) => (body, config, mount) => original(asked(body) < config.ttl ? {} : body, config, mount),
})
rule('request-held-to-engine-ttl', 'CLOUDC-LEASE-02', 'a ttl above that of the engine is cut to it where there is no max_ttl', {
  leaseTimes: (original) => (body, config, mount) =>
    original(body, config.maxTtl === 0 && config.ttl > 0 ? { ...config, maxTtl: config.ttl } : config, mount),
})
rule('maximum-without-ttl-unread', 'CLOUDC-LEASE-05', 'max_ttl counts beside a ttl of the engine only', {
  leaseTimes: (original) => (body, config, mount) => original(body, config.ttl === 0 ? { ...config, maxTtl: 0 } : config, mount),
})
rule('maximum-below-system-default-unread', 'CLOUDC-LEASE-05', 'a max_ttl below the default of the system is raised to it', {
  leaseTimes: (original) => (body, config, mount) =>
    original(body, { ...config, maxTtl: config.maxTtl && Math.max(config.maxTtl, mount.defaultLeaseTtl) }, mount),
})
const longest = remembered(() => ({ ttl: 0 }))
change('lowered-ttl-unread', ['CLOUDC-LEASE-03', 'CLOUDC-LEASE-04'], 'keys by POST go by the longest ttl that the engine ever had', {
  routes: {
    'cloudc.createKey': withRules(({ rules, state }) => ({
      leaseTimes(body, config, mount) {
        const known = longest(state)
        known.ttl = Math.max(known.ttl, config.ttl)
        return rules.leaseTimes(body, { ...config, ttl: known.ttl }, mount)
      },
    })),
  },
})
route(
  'renewed-key-ends-early',
  'CLOUDC-LEASE-07',
  'the key of a renewed lease ends at the provider when the first ttl is over',
  KEY_ROUTES,
  withIssue((call, issue) => (issuing, request) => {
    call.services.clock.after(request.ttl, () => void request.revoke().catch(() => undefined))
    return issue(issuing, request)
  }),
)
const firstConfigs = remembered(() => new Map<string, CloudcState['config']>())
route(
  'first-config',
  'CLOUDC-LEASE-03',
  'leases of keys follow the configuration as it was when the first key was issued',
  ['cloudc.readKey', 'cloudc.createKey'],
  (original) => (call) => {
    const first = firstConfigs(call.state).get('') ?? call.state.config
    firstConfigs(call.state).set('', first)
    return original({ ...call, rules: { ...call.rules, leaseTimes: (body, _config, mount) => call.rules.leaseTimes(body, first, mount) } })
  },
)

export const faults = declared
