/** Faults at the limits: none, one, several, the last, the default, zero, exactly the maximum. */
import { durationOf } from '../../core/durations.ts'
import { notFound } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { cloudcEngine } from './engine.ts'

const { rule, route } = faultsOf(cloudcEngine, 'cloudc')

rule(
  'iris-last-resource-not-granted',
  'CLOUDC-BIND-05',
  'of several resources the last is not bound (2.5: bindings are a set of entries)',
  {
    boundResources: (original) => (bindings) => {
      const entries = Object.entries(original(bindings))
      return Object.fromEntries(entries.slice(0, Math.max(1, entries.length - 1)))
    },
  },
)

rule(
  'iris-maximum-without-ttl',
  'CLOUDC-LEASE-05',
  'max_ttl does not count as long as no ttl is set or asked (4.3: keys have max TTL from engine config)',
  {
    leaseTimes: (original) => (body, config, mount) => {
      const isSet = config.ttl > 0 || durationOf(body.ttl, 'ttl', 0) > 0
      return original(body, isSet ? config : { ...config, maxTtl: 0 }, mount)
    },
  },
)

rule(
  'iris-asked-ttl-beyond-maximum',
  'CLOUDC-LEASE-05',
  'a ttl that is asked for goes beyond max_ttl of the config (4.3: keys have max TTL from engine config)',
  {
    leaseTimes: (original) => (body, config, mount) =>
      original(body, durationOf(body.ttl, 'ttl', 0) > config.maxTtl ? { ...config, maxTtl: 0 } : config, mount),
  },
)

route(
  'iris-list-of-one-empty',
  'CORE-LIST-01',
  'a list of a single roleset is refused as an empty one (7: 404 for empty LIST results only)',
  'cloudc.listRolesets',
  (original) => (call) => {
    if (call.state.rolesets.size <= 1) throw notFound()
    return original(call)
  },
)

rule(
  'iris-algorithm-default-of-post',
  'CLOUDC-KEY-05',
  'a POST that leaves only key_algorithm out gets 1024 bits (4.3: default KEY_ALG_RSA_2048)',
  {
    algorithmOf: (original) => (body) =>
      Object.keys(body).length > 0 && body.key_algorithm === undefined ? 'KEY_ALG_RSA_1024' : original(body),
  },
)

rule(
  'iris-empty-ttl-of-system',
  'CLOUDC-LEASE-03',
  'an empty ttl of a key skips the ttl of the config (4.3: default "", keys have TTL from engine config)',
  {
    leaseTimes: (original) => (body, config, mount) => original(body, body.ttl === '' ? { ...config, ttl: 0 } : config, mount),
  },
)

rule(
  'iris-role-once',
  'CLOUDC-BIND-09',
  'a role that two resources name is kept at the first only (2.5: each resource has its list of role names)',
  {
    bindingsOf: (original) => async (text) => {
      const seen = new Set<string>()
      const isNew = (role: string): boolean => !seen.has(role) && seen.add(role).has(role)
      return Object.fromEntries(Object.entries(await original(text)).map(([resource, roles]) => [resource, roles.filter(isNew)]))
    },
  },
)
