/** Faults of the cloud-C engine at the edges: zero, one, the second and third of a list, exactly the maximum, long names, long lists. */
import { durationOf } from '../../core/durations.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcCall } from './provider-calls.ts'

const { rule, route } = faultsOf(cloudcEngine)

rule(
  'first-resource-bound',
  ['CLOUDC-BIND-05'],
  'an account gets roles on the first resource of its bindings only (000 2.5, bindings: a set of entries)',
  {
    boundResources: (original) => (bindings) => Object.fromEntries(Object.entries(original(bindings)).slice(0, 1)),
  },
)

rule(
  'first-role-bound',
  ['CLOUDC-BIND-08'],
  'an account gets the first role of each resource only (000 2.5, bindings: a roles list of role names)',
  {
    boundResources: (original) => (bindings) =>
      Object.fromEntries(Object.entries(original(bindings)).map(([resource, roles]) => [resource, roles.slice(0, 1)])),
  },
)

rule(
  'third-role-unread',
  ['CLOUDC-BIND-08', 'CLOUDC-BIND-09'],
  'from the third role on the roles of a resource are dropped when bindings are read (000 2.5, bindings)',
  {
    bindingsOf: (original) => async (text) =>
      Object.fromEntries(Object.entries(await original(text)).map(([resource, roles]) => [resource, roles.slice(0, 2)])),
  },
)

rule(
  'ttl-at-maximum-refused-anew',
  ['CLOUDC-LEASE-02'],
  'a key with a ttl of exactly max_ttl is refused (000 4.3: max TTL from engine config)',
  {
    leaseTimes: (original) => (body, config, mount) => {
      const asked = durationOf(body.ttl, 'ttl', 0)
      if (config.maxTtl > 0 && asked === config.maxTtl) throw invalid('ttl must be less than max_ttl')
      return original(body, config, mount)
    },
  },
)

rule(
  'ttl-in-whole-minutes',
  ['CLOUDC-LEASE-02'],
  'the ttl of a key is cut to whole minutes, so that 30s is as none (000 4.3, key parameters, ttl)',
  {
    leaseTimes: (original) => (body, config, mount) =>
      original({ ...body, ttl: Math.floor(durationOf(body.ttl, 'ttl', 0) / 60) * 60 }, config, mount),
  },
)

rule(
  'zero-not-written',
  ['CLOUDC-CONF-04', 'CLOUDC-CONF-06'],
  'a ttl or max_ttl of zero does not replace the one before (000 4.3, POST config, ttl, default 0)',
  {
    configOf: (original) => (body, before, credentialsOf) => {
      const kept = Object.entries(body).filter(([field, value]) => !/ttl$/.test(field) || durationOf(value, field, 0) > 0)
      return original(Object.fromEntries(kept), before, credentialsOf)
    },
  },
)

rule(
  'ttl-is-maximum-too',
  ['CLOUDC-LEASE-02'],
  'without max_ttl the ttl of the config is the maximum of keys (000 4.3: else system defaults)',
  {
    leaseTimes: (original) => (body, config, mount) => original(body, { ...config, maxTtl: config.maxTtl || config.ttl }, mount),
  },
)

rule(
  'config-ttl-above-maximum',
  ['CLOUDC-LEASE-05'],
  'a ttl of the config above its max_ttl is not capped for keys that ask for none (000 4.3, max TTL)',
  {
    leaseTimes: (original) => (body, config, mount) =>
      original(body, durationOf(body.ttl, 'ttl', 0) === 0 && config.ttl > config.maxTtl ? { ...config, maxTtl: 0 } : config, mount),
  },
)

rule(
  'first-scope-only',
  ['CLOUDC-TOK-04'],
  'tokens have the first of the roleset’s scopes only (000 4.3: scopes are those of the roleset)',
  {
    tokenScopes: (original) => (roleset) => original(roleset).slice(0, 1),
  },
)

route(
  'list-stops-at-thirty',
  ['CLOUDC-SET-14'],
  'a list shows no more than thirty rolesets (000 1.5; 4.3, LIST rolesets)',
  'cloudc.listRolesets',
  (original) => (call) => {
    const rolesets = new Map([...call.state.rolesets].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, 30))
    return original({ ...call, state: { ...call.state, rolesets } })
  },
)

const shortNames = (call: CloudcCall): CloudcCall => ({
  ...call,
  params: Object.fromEntries(Object.entries(call.params).map(([field, value]) => [field, value.slice(0, 20)])),
})

route(
  'names-cut-at-twenty',
  ['CORE-NAME-01'],
  'names are cut after twenty characters: two long ones are one roleset, listed by the cut name (000 4.3, roleset/:name; LIST rolesets)',
  cloudcEngine.routes.filter(({ path }) => path.includes('/:')).map(({ id }) => id),
  (original) => (call) => original(shortNames(call)),
)

rule(
  'day-shown-as-zero',
  ['CLOUDC-CONF-07'],
  'the config shows durations without their whole days: 24h is read as 0s (000 4.3, GET config)',
  {
    shownConfig: (original) => (config) => original({ ...config, ttl: config.ttl % 86_400, maxTtl: config.maxTtl % 86_400 }),
  },
)
