/** Faults at the edges: one, many, last, zero, exactly at a limit, short, long, large. */
import { parsedObject } from '../../clouds/provider-requests.ts'
import { coreEngine } from '../../core/core-engine.ts'
import { durationOf } from '../../core/durations.ts'
import { ApiError } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { ruled, TOKENS } from './birch-help.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcCall } from './provider-calls.ts'

const { rule, route } = faultsOf(cloudcEngine, 'cloudc')
const core = faultsOf(coreEngine, 'cloudc')

rule(
  'birch-last-resource-not-granted',
  'CLOUDC-BIND-05',
  'of several bound resources the last one is not granted (000 2.5: bindings, a set of entries)',
  {
    boundResources: (original) => (bindings) => {
      const all = Object.entries(original(bindings))
      return Object.fromEntries(all.length > 1 ? all.slice(0, -1) : all)
    },
  },
)

rule(
  'birch-ttl-equal-to-maximum-ignored',
  'CLOUDC-LEASE-02',
  'a ttl that is exactly the max_ttl gives a key the default lease (000 4.3: key parameter ttl; TTL and max TTL from config)',
  {
    leaseTimes: (original) => (body, config, mount) => {
      const times = original(body, config, mount)
      return durationOf(body.ttl, 'ttl', 0) === times.maxTtl ? original({ ...body, ttl: '' }, config, mount) : times
    },
  },
)

rule(
  'birch-config-time-not-back-to-zero',
  'CLOUDC-CONF-04',
  'a ttl or max_ttl of 0 leaves the one before (000 4.3: config, ttl default 0 / "0s")',
  {
    configOf: (original) => (body, before, credentialsOf) => {
      const kept = Object.entries(body).filter(([field, value]) => !/ttl$/.test(field) || durationOf(value, field, 0) > 0)
      return original(Object.fromEntries(kept), before, credentialsOf)
    },
  },
)

/** A time of day, as a library of dates writes it. */
const clockText = (seconds: number): string => {
  const [hours, minutes, rest] = new Date(seconds * 1000).toISOString().slice(11, 19).split(':').map(Number)
  return `${hours}h${minutes}m${rest}s`
}

rule(
  'birch-config-time-wraps-at-a-day',
  'CLOUDC-CONF-07',
  'config times of a day and more are shown without their days (000 4.3: data.ttl, data.max_ttl)',
  {
    shownConfig: () => (config) => ({ ttl: clockText(config.ttl), max_ttl: clockText(config.maxTtl) }),
  },
)

rule(
  'birch-several-scopes-by-comma',
  'CLOUDC-TOK-04',
  'several scopes are asked for as one, joined by commas (000 4.3: scopes are those of the roleset)',
  {
    tokenScopes: (original) => (roleset) => {
      const scopes = original(roleset)
      return scopes.length > 1 ? [scopes.join(',')] : scopes
    },
  },
)

rule(
  'birch-scopes-not-emptied',
  'CLOUDC-SET-20',
  'an update to no scopes keeps those before (000 4.3: POST updates; token_scopes, array of strings)',
  {
    scopesOf: (original) => (body, type) => {
      const scopes = original(body, type)
      return scopes?.length === 0 ? undefined : scopes
    },
  },
)

route(
  'birch-single-name-unlisted',
  'CORE-LIST-03',
  'a listing with one name gives it as text, not as an array (000 4.1: data.keys, array of strings)',
  'cloudc.listRolesets',
  replyData((data) => {
    const { keys } = data
    return Array.isArray(keys) && keys.length === 1 ? { ...data, keys: keys[0] ?? '' } : data
  }),
)

route(
  'birch-token-capped-by-engine-maximum',
  'CLOUDC-TOK-08',
  'a max_ttl of the engine below an hour shortens what an access token shows (000 4.3: engine/system TTL settings do not apply)',
  TOKENS,
  replyData((data: JsonObject, call: CloudcCall) => {
    const { maxTtl } = call.state.config
    const ttl = Number(data.token_ttl)
    if (maxTtl === 0 || maxTtl >= ttl) return data
    return { ...data, token_ttl: Math.floor(maxTtl), expires_at_seconds: Number(data.expires_at_seconds) - ttl + Math.floor(maxTtl) }
  }),
)

route(
  'birch-project-from-credentials',
  'CLOUDC-SET-06',
  'a roleset without project is made in the project of the credentials (000 4.3: project, string, required)',
  'cloudc.writeRoleset',
  (original) => (call) =>
    original(
      ruled(call, {
        projectOf(body, before) {
          const { project_id: fallback } = parsedObject(call.state.config.credentials)
          const isMissing = before === undefined && textOf(body, 'project') === ''
          return isMissing && typeof fallback === 'string' ? fallback : call.rules.projectOf(body, before)
        },
      }),
    ),
)

const { here, locating } = requestsTo('cloudc')

core.rule('birch-bodies-of-64-kib', 'CORE-LIMIT-01', 'bodies above 64 KiB are refused (000 8: maximum request size 32 MB)', {
  ...locating,
  parseBody: (original) => (bytes, request) => {
    if (here() && bytes.length > 64 * 1024) throw new ApiError(413, 'request body too large')
    return original(bytes, request)
  },
})

rule(
  'birch-lease-of-a-minute-at-least',
  'CLOUDC-LEASE-10',
  'a key that is asked for less than a minute lives a minute (000 4.3: key parameter ttl)',
  {
    leaseTimes: (original) => (body, config, mount) => {
      const times = original(body, config, mount)
      return durationOf(body.ttl, 'ttl', 0) > 0 ? { ttl: Math.max(times.ttl, 60), maxTtl: Math.max(times.maxTtl, 60) } : times
    },
  },
)
