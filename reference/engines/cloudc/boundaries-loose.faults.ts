/** Faults at the edges of numbers and lists: the second and third of several, nothing, one, exactly at a limit. */
import { durationOf } from '../../core/durations.ts'
import { secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal } from '../../mutations/wrappers.ts'
import { cloudcEngine } from './engine.ts'
import { type Handler, nameOf } from './loose-words.ts'

const { rule, route } = faultsOf(cloudcEngine)

rule(
  'third-resource',
  ['CLOUDC-BIND-05'],
  'only the first two resources of bindings are bound at the provider (000 2.5, "a set of entries")',
  {
    boundResources: (original) => (bindings) => Object.fromEntries(Object.entries(original(bindings)).slice(0, 2)),
  },
)

rule(
  'middle-role',
  ['CLOUDC-BIND-08'],
  'of three roles of a resource or more, only the first and the last are granted (000 2.5, "a roles list of role names")',
  {
    boundResources: (original) => (bindings) =>
      Object.fromEntries(
        Object.entries(original(bindings)).map(([resource, roles]) => [
          resource,
          roles.length > 2 ? [...roles.slice(0, 1), ...roles.slice(-1)] : roles,
        ]),
      ),
  },
)

rule(
  'change-in-second-resource',
  ['CLOUDC-BIND-10', 'CLOUDC-BIND-21'],
  'new bindings count as new only where the first resource changes (000 3, "Updating a roleset\'s bindings")',
  {
    changesBindings: () => (before, after) => JSON.stringify(Object.entries(before)[0]) !== JSON.stringify(Object.entries(after)[0]),
  },
)

rule('third-scope', ['CLOUDC-TOK-04'], 'tokens have no more than the first two scopes (000 4.3, "scopes are those of the roleset")', {
  tokenScopes: (original) => (roleset) => original(roleset).slice(0, 2),
})

rule(
  'scopes-emptied',
  ['CLOUDC-SET-20'],
  'an update to an empty list leaves the scopes as they were (000 4.3, POST roleset: create or update, token_scopes)',
  {
    scopesOf: (original) => (body, type) => {
      const scopes = original(body, type)
      return scopes?.length === 0 ? undefined : scopes
    },
  },
)

route(
  'emptied-listing',
  ['CLOUDC-SET-14'],
  'when the last roleset is deleted, a listing answers 200 with no keys (000 1.5, "An empty listing returns 404")',
  'cloudc.listRolesets',
  (original) => {
    const full = new WeakSet<object>()
    const forgiving = insteadOfRefusal<Parameters<Handler>[0]>(
      () => secret({ keys: [] }),
      (call) => full.has(call.state),
    )(original)
    return (call) => {
      if (call.state.rolesets.size > 0) full.add(call.state)
      return forgiving(call)
    }
  },
)

route(
  'one-letter-name',
  ['CLOUDC-SET-01'],
  'a name of one letter is refused (000 4.3, POST roleset/:name: any path parameter)',
  'cloudc.writeRoleset',
  (original) => (call) => {
    if (nameOf(call).length < 2) throw invalid('the name is too short')
    return original(call)
  },
)

rule('ttl-at-max', ['CLOUDC-LEASE-02'], 'a ttl that is exactly the maximum counts as none (000 4.3, key parameters: ttl)', {
  leaseTimes: (original) => (body, config, mount) => {
    const times = original(body, config, mount)
    if (durationOf(body.ttl, 'ttl', 0) !== times.maxTtl) return times
    return { ...times, ttl: Math.min(config.ttl || mount.defaultLeaseTtl, times.maxTtl) }
  },
})

rule('short-ttl-raised', ['CLOUDC-LEASE-10'], 'a key lives for a minute at least, whatever ttl was asked (000 4.3, key parameters: ttl)', {
  leaseTimes: (original) => (body, config, mount) => {
    const times = original(body, config, mount)
    return { ...times, ttl: Math.min(Math.max(times.ttl, 60), times.maxTtl) }
  },
})

rule(
  'ttl-needs-max',
  ['CLOUDC-LEASE-03'],
  'the configured ttl is not heeded where max_ttl is 0 (000 4.3, "Keys have TTL and max TTL from engine config")',
  {
    leaseTimes: (original) => (body, config, mount) => original(body, config.maxTtl === 0 ? { ...config, ttl: 0 } : config, mount),
  },
)

rule(
  'zero-ttl-ignored',
  ['CLOUDC-CONF-04', 'CLOUDC-CONF-06'],
  'ttl and max_ttl of 0 leave what was configured before (000 4.3, POST config: ttl, max_ttl, default 0 / "0s")',
  {
    configOf: (original) => (body, before, credentialsOf) => {
      const after = original(body, before, credentialsOf)
      return { ...after, ttl: after.ttl || before.ttl, maxTtl: after.maxTtl || before.maxTtl }
    },
  },
)
