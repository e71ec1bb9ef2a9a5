/** Faults at boundaries: one, two, many, none, exactly at the limit, long, large. */
import { durationOf } from '../../core/durations.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcCall } from './provider-calls.ts'
import { KEYS, leasesBelow, nameOf, TOKENS } from './west-help.ts'

const { rule, route } = faultsOf(cloudcEngine, 'cloudc')

rule(
  'west-last-of-many-roles-not-given',
  'CLOUDC-BIND-06',
  'of three or more roles on a resource the last one is not given (000 2.5: a `roles` list of role names)',
  {
    boundResources: (original) => (bindings) =>
      Object.fromEntries(
        Object.entries(original(bindings)).map(([resource, roles]) => [resource, roles.length > 2 ? roles.slice(0, -1) : roles]),
      ),
  },
)

rule(
  'west-ttl-at-maximum-refused',
  'CLOUDC-LEASE-02',
  'a key with a ttl of exactly the max_ttl is refused (000 4.3: keys have max TTL from engine config)',
  {
    leaseTimes: (original) => (body, config, mount) => {
      const times = original(body, config, mount)
      if (durationOf(body.ttl, 'ttl', 0) === times.maxTtl) throw invalid('ttl must be below max_ttl')
      return times
    },
  },
)

rule(
  'west-asked-ttl-beyond-maximum',
  'CLOUDC-LEASE-05',
  'a ttl that is asked for is not held to the max_ttl (000 4.3: keys have TTL and max TTL from engine config)',
  {
    leaseTimes: (original) => (body, config, mount) => {
      const times = original(body, config, mount)
      const asked = durationOf(body.ttl, 'ttl', 0)
      return asked > times.maxTtl ? { ttl: Math.min(asked, mount.maxLeaseTtl), maxTtl: mount.maxLeaseTtl } : times
    },
  },
)

rule(
  'west-no-maximum-means-ttl',
  'CLOUDC-LEASE-02',
  'without a max_ttl a key lives no longer than the ttl of the config (000 4.3: else system defaults)',
  {
    leaseTimes: (original) => (body, config, mount) => original(body, { ...config, maxTtl: config.maxTtl || config.ttl }, mount),
  },
)

rule(
  'west-empty-scopes-change-nothing',
  'CLOUDC-SET-20',
  'an update with an empty list of scopes leaves the old ones (000 4.3: `token_scopes`, array, create or update)',
  {
    scopesOf: (original) => (body, type) => {
      const scopes = original(body, type)
      return scopes?.length === 0 ? undefined : scopes
    },
  },
)

rule('west-first-scope-only', 'CLOUDC-TOK-04', 'a token has the first scope of several only (000 4.3: scopes are those of the roleset)', {
  tokenScopes: (original) => (roleset) => original(roleset).slice(0, 1),
})

/** As long as the id of an account may be. */
const LONGEST = 30

route(
  'west-long-names-cut',
  'CORE-CAP-07',
  'names are cut to 30 characters, so that longer ones that begin alike are one roleset (000 4.3: roleset/:name; rolesets: data.keys)',
  ['cloudc.writeRoleset', 'cloudc.readRoleset', 'cloudc.deleteRoleset', 'cloudc.rotate', 'cloudc.rotateKey', ...TOKENS, ...KEYS],
  (original) => (call) =>
    original({ ...call, params: Object.fromEntries(Object.entries(call.params).map(([field, name]) => [field, name.slice(0, LONGEST)])) }),
)

route(
  'west-list-of-one-is-empty',
  'CORE-LIST-01',
  'a list of one roleset is answered as an empty one (000 4.3: LIST rolesets, data.keys)',
  'cloudc.listRolesets',
  (original) => (call) => (call.state.rolesets.size === 1 ? call.services.listing([]) : original(call)),
)

rule(
  'west-days-lost-on-read',
  'CLOUDC-CONF-07',
  'lease times of a day or more are read without their days (000 4.3: GET config, ttl and max_ttl as duration strings)',
  {
    shownConfig: (original) => (config) => original({ ...config, ttl: config.ttl % 86_400, maxTtl: config.maxTtl % 86_400 }),
  },
)

route(
  'west-token-cut-by-max-ttl',
  'CLOUDC-TOK-08',
  'a max_ttl below one hour shortens what an access token is said to live (000 4.3: engine TTL settings do not apply; 8: fixed one hour)',
  TOKENS,
  replyData<CloudcCall>((data, { state }) => {
    const lived = Number(data.token_ttl)
    const left = Math.min(lived, state.config.maxTtl || lived)
    return { ...data, token_ttl: left, expires_at_seconds: Number(data.expires_at_seconds) - (lived - left) }
  }),
)

route(
  'west-third-key-ends-first',
  'CLOUDC-LEASE-03',
  'of more than two keys of a roleset the oldest is ended (000 4.3: key/:roleset, a lease with TTL from engine config)',
  KEYS,
  (original) => async (call) => {
    const given = await original(call)
    const { leases } = call.services
    const [oldest, ...newer] = leases.withPrefix(leasesBelow(call, nameOf(call)))
    if (oldest !== undefined && newer.length > 1) await leases.forcePrefix(oldest)
    return given
  },
)

rule(
  'west-short-ttl-raised',
  'CLOUDC-LEASE-10',
  'a ttl below a minute is raised to a minute (000 4.3: key parameter `ttl`, string duration)',
  {
    leaseTimes: (original) => (body, config, mount) => {
      const { ttl, maxTtl } = original(body, config, mount)
      return { ttl: Math.max(60, ttl), maxTtl: Math.max(60, maxTtl) }
    },
  },
)
