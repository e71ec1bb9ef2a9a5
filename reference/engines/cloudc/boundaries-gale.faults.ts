import { coreEngine } from '../../core/core-engine.ts'
import { durationOf } from '../../core/durations.ts'
import { invalid } from '../../core/errors.ts'
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { cloudcEngine } from './engine.ts'
import { TOKEN_ROUTES, withRules } from './gale-help.ts'

const { rule, route } = faultsOf(cloudcEngine, 'cloudc')
const core = faultsOf(coreEngine, 'cloudc')
const { here, locating } = requestsTo('cloudc')

rule(
  'gale-ttl-at-maximum',
  'CLOUDC-LEASE-02',
  'a key with a `ttl` of exactly the maximum is refused (000, 4.3: keys have a max TTL, which is allowed)',
  {
    leaseTimes: (original) => (body, config, mount) => {
      const times = original(body, config, mount)
      if (durationOf(body.ttl, 'ttl', 0) >= times.maxTtl) throw invalid('ttl must be shorter than max_ttl')
      return times
    },
  },
)

rule(
  'gale-maximum-needs-ttl',
  'CLOUDC-LEASE-05',
  'the configured `max_ttl` holds only where `ttl` is configured, too (000, 4.3: keys have TTL and max TTL from engine config)',
  { leaseTimes: (original) => (body, config, mount) => original(body, config.ttl === 0 ? { ...config, maxTtl: 0 } : config, mount) },
)

rule(
  'gale-default-above-maximum',
  'CLOUDC-LEASE-05',
  'a configured `ttl` above `max_ttl` is used as it is (000, 4.3: keys have a max TTL from engine config)',
  {
    leaseTimes: (original) => (body, config, mount) => {
      const times = original(body, config, mount)
      if (durationOf(body.ttl, 'ttl', 0) > 0 || config.ttl <= times.maxTtl) return times
      const ttl = Math.min(config.ttl, mount.maxLeaseTtl)
      return { ttl, maxTtl: ttl }
    },
  },
)

const isZero = (value: Json | undefined): boolean => value === 0 || value === '0' || value === '0s'
rule(
  'gale-zero-is-no-change',
  'CLOUDC-CONF-04',
  'a `ttl` or `max_ttl` of 0 in config is taken as left out (000, 4.3: 0 / "0s" is a value, the default)',
  {
    configOf: (original) => (body, before, credentialsOf) =>
      original(Object.fromEntries(Object.entries(body).filter(([, value]) => !isZero(value))), before, credentialsOf),
  },
)

rule('gale-last-resource-not-bound', 'CLOUDC-BIND-05', 'of several bound resources the last gets no roles (000, 2.5: a set of entries)', {
  boundResources: (original) => (bindings) => {
    const entries = Object.entries(original(bindings))
    return Object.fromEntries(entries.length > 1 ? entries.slice(0, -1) : entries)
  },
})

const wholeHours = (seconds: number): number => (seconds > 3600 ? Math.floor(seconds / 3600) * 3600 : seconds)
rule(
  'gale-minutes-lost',
  'CLOUDC-CONF-05',
  'beyond an hour, config is read back without its minutes (000, 4.3: `ttl`, `max_ttl` as duration strings)',
  {
    shownConfig: (original) => (config) => original({ ...config, ttl: wholeHours(config.ttl), maxTtl: wholeHours(config.maxTtl) }),
  },
)

core.rule('gale-rotate-key-wants-body', 'CLOUDC-ROT-15', 'rotate-key without a body is refused (000, 4.3: no body)', {
  ...locating,
  parseBody: (original) => (bytes, request) => {
    if (here() && bytes.length === 0 && request.path.endsWith('/rotate-key')) throw invalid('missing request body')
    return original(bytes, request)
  },
})

const NOTHING = 'no bindings'
rule('gale-key-roleset-without-bindings', 'CLOUDC-SET-07', 'a roleset for keys is made without `bindings` (000, 4.3: required)', {
  bindingsTextOf: (original) => (body, before) =>
    before === undefined && body.bindings === undefined && body.secret_type === 'service_account_key' ? NOTHING : original(body, before),
  bindingsOf: (original) => async (text) => (text === NOTHING ? {} : original(text)),
})

rule('gale-ttl-in-whole-minutes', 'CLOUDC-LEASE-02', 'the `ttl` of a key is rounded up to whole minutes (000, 4.3: `ttl`, a duration)', {
  leaseTimes: (original) => (body, config, mount) => {
    const asked = durationOf(body.ttl, 'ttl', 0)
    return original(asked > 0 ? { ...body, ttl: Math.ceil(asked / 60) * 60 } : body, config, mount)
  },
})

route(
  'gale-token-within-mount-maximum',
  'CLOUDC-TOK-14',
  'a mount whose maximum is below an hour shortens what is shown of tokens (000, 4.3: engine/system TTL settings do not apply)',
  TOKEN_ROUTES,
  (original) => (call) =>
    original(
      withRules(call, {
        shownToken: (token, expiresIn, now) => call.rules.shownToken(token, Math.min(expiresIn, call.mount.maxLeaseTtl), now),
      }),
    ),
)
