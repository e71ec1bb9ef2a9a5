/** Faults at the edges: last and second elements, exactly at a limit, without one, other spellings. */
import { durationOf } from '../../core/durations.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { cloudcEngine } from './engine.ts'

const { rule } = faultsOf(cloudcEngine)

rule('boundary-last-role', 'CLOUDC-BIND-06', 'of several roles on a resource the last is not bound', {
  boundResources: (original) => (bindings) =>
    Object.fromEntries(
      Object.entries(original(bindings)).map(([resource, roles]) => [resource, roles.length > 1 ? roles.slice(0, -1) : roles]),
    ),
})

rule('boundary-ttl-at-max', 'CLOUDC-LEASE-02', 'a ttl of a key that is exactly the maximum counts as none', {
  leaseTimes: (original) => (body, config, mount) => {
    const { maxTtl } = original(body, config, mount)
    return original(durationOf(body.ttl, 'ttl', 0) === maxTtl ? { ...body, ttl: '' } : body, config, mount)
  },
})

rule('boundary-no-maximum', 'CLOUDC-LEASE-02', 'without a max_ttl in the configuration its ttl is the maximum', {
  leaseTimes: (original) => (body, config, mount) => original(body, { ...config, maxTtl: config.maxTtl || config.ttl }, mount),
})
