/** Faults at the edges: none, one and many, second and third elements, zero, and exactly at a limit. */
import { durationOf, formatDuration } from '../../core/durations.ts'
import { invalid } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { cloudcEngine } from './engine.ts'
import type { Bindings } from './state.ts'

const { rule, route } = faultsOf(cloudcEngine)

const mapped = (bindings: Bindings, change: (roles: string[]) => string[]): Bindings =>
  Object.fromEntries(Object.entries(bindings).map(([resource, roles]) => [resource, change(roles)]))

rule(
  'keen-second-resource-unbound',
  ['CLOUDC-BIND-05'],
  'only the first resource of the bindings is bound at the provider (000 2.5, bindings: a set of entries)',
  {
    boundResources: (original) => (bindings) => Object.fromEntries(Object.entries(original(bindings)).slice(0, 1)),
  },
)

rule(
  'keen-third-role-not-granted',
  ['CLOUDC-BIND-06'],
  'of the roles on a resource only the first two are granted (000 2.5, each naming a list of roles)',
  {
    boundResources: (original) => (bindings) => mapped(original(bindings), (roles) => roles.slice(0, 2)),
  },
)

rule(
  'keen-every-role-on-every-resource',
  ['CLOUDC-BIND-08'],
  'with several resources each gets the roles of all (000 2.5, each entry names a resource and its roles)',
  {
    boundResources: (original) => (bindings) => {
      const all = [...new Set(Object.values(bindings).flat())]
      return mapped(original(bindings), () => all)
    },
  },
)

rule(
  'keen-single-role-as-text',
  ['CLOUDC-BIND-09'],
  'the only role on a resource is shown as a string (000 2.5, each resource string to a list of role strings)',
  {
    shownBindings: (original) => (bindings) =>
      Object.fromEntries(
        Object.entries(original(bindings)).map(([resource, roles]) => [resource, roles.length === 1 ? roles[0] : roles]),
      ) as Bindings,
  },
)

rule(
  'keen-config-ttl-equal-to-max',
  ['CLOUDC-CONF-01'],
  'a ttl that equals max_ttl is refused in the configuration (000 4.3, config: ttl, max_ttl)',
  {
    configOf: (original) => (body, before, credentialsOf) => {
      const config = original(body, before, credentialsOf)
      if (config.maxTtl > 0 && config.ttl >= config.maxTtl) throw invalid('ttl must be less than max_ttl')
      return config
    },
  },
)

rule(
  'keen-key-ttl-capped-by-default',
  ['CLOUDC-LEASE-02'],
  'a key asked for with a ttl between ttl and max_ttl gets the shorter one (000 4.3, TTL and max TTL from config)',
  {
    leaseTimes: (original) => (body, config, mount) => {
      const times = original(body, config, mount)
      return { ...times, ttl: Math.min(times.ttl, config.ttl || times.ttl) }
    },
  },
)

rule(
  'keen-max-ttl-for-asked-ttl-only',
  ['CLOUDC-LEASE-05'],
  'max_ttl limits only keys that are asked for with a ttl (000 4.3, keys have max TTL from engine config)',
  {
    leaseTimes: (original) => (body, config, mount) =>
      body.ttl ? original(body, config, mount) : { ttl: config.ttl || mount.defaultLeaseTtl, maxTtl: mount.maxLeaseTtl },
  },
)

const isZero = (value: Json | undefined): boolean => durationOf(value, 'ttl', 1) === 0

rule(
  'keen-zero-ttl-keeps-old',
  ['CLOUDC-CONF-04', 'CLOUDC-CONF-06'],
  'a ttl or max_ttl of 0 leaves what was configured before (000 4.3, config: what is written is read)',
  {
    configOf: (original) => (body, before, credentialsOf) => {
      const kept = Object.entries(body).filter(([field, value]) => !['ttl', 'max_ttl'].includes(field) || !isZero(value))
      return original(Object.fromEntries(kept), before, credentialsOf)
    },
  },
)

rule(
  'keen-last-scope-left-out',
  ['CLOUDC-TOK-04'],
  'of several scopes the last is not asked for with a token (000 4.3, scopes are those of the roleset)',
  {
    tokenScopes: (original) => (roleset) => {
      const scopes = original(roleset)
      return scopes.length > 1 ? scopes.slice(0, -1) : scopes
    },
  },
)

route(
  'keen-list-cut-at-ten',
  ['CLOUDC-SET-14'],
  'the list of rolesets holds ten names at most (000 4.3, LIST rolesets: data.keys)',
  'cloudc.listRolesets',
  replyData((data) => ({ ...data, keys: (data.keys as string[]).slice(0, 10) })),
)

rule(
  'keen-empty-scopes-ignored',
  ['CLOUDC-SET-20'],
  'an update to no scopes at all leaves the scopes before (000 4.3, POST roleset: token_scopes)',
  {
    scopesOf: (original) => (body, type) => {
      const scopes = original(body, type)
      return scopes?.length === 0 ? undefined : scopes
    },
  },
)

rule(
  'keen-durations-wrap-at-a-day',
  ['CLOUDC-CONF-07'],
  'ttl and max_ttl of a day and more are shown without their days (000 4.3, GET config: duration strings)',
  {
    shownConfig: (original) => (config) => ({
      ...original(config),
      ttl: formatDuration(config.ttl % 86_400),
      max_ttl: formatDuration(config.maxTtl % 86_400),
    }),
  },
)
