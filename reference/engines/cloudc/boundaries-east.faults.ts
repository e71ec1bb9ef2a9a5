/** Faults at boundaries: nothing, one, many, exactly as much as allowed, long and large. */
import { coreEngine } from '../../core/core-engine.ts'
import { durationOf, formatDuration } from '../../core/durations.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { replyData, requestBody } from '../../mutations/wrappers.ts'
import { rolesetOf } from './east-help.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcCall } from './provider-calls.ts'

const { rule, route } = faultsOf(cloudcEngine, 'cloudc')
const core = faultsOf(coreEngine, 'cloudc')

rule('east-first-role-only', 'CLOUDC-BIND-06', 'of several roles on a resource only the first is granted (000 2.5: a roles list)', {
  boundResources: (original) => (bindings) =>
    Object.fromEntries(Object.entries(original(bindings)).map(([resource, roles]) => [resource, roles.slice(0, 1)])),
})

rule(
  'east-key-ttl-below-maximum',
  'CLOUDC-LEASE-02',
  'a key is refused for exactly the configured max_ttl (000 4.3: keys have TTL and max TTL from engine config)',
  {
    leaseTimes: (original) => (body, config, mount) => {
      const asked = durationOf(body.ttl, 'ttl', 0)
      if (config.maxTtl > 0 && asked >= config.maxTtl) throw invalid('ttl must be below max_ttl')
      return original(body, config, mount)
    },
  },
)

rule(
  'east-config-ttl-uncapped',
  'CLOUDC-LEASE-05',
  'a configured ttl beyond the configured max_ttl is given to keys in full (000 4.3: max TTL from engine config)',
  {
    leaseTimes: (original) => (body, config, mount) =>
      durationOf(body.ttl, 'ttl', 0) === 0 && config.ttl > config.maxTtl
        ? original(body, { ...config, maxTtl: 0 }, mount)
        : original(body, config, mount),
  },
)

const LONGEST_NAME = 32
const cut = (value: string | undefined): string => (value ?? '').slice(0, LONGEST_NAME)

route(
  'east-names-cut',
  'CORE-NAME-01',
  'names of rolesets are cut to 32 characters, in listings and where two share these (000 2.5, 4.3: name, LIST rolesets)',
  [
    'cloudc.writeRoleset',
    'cloudc.readRoleset',
    'cloudc.deleteRoleset',
    'cloudc.rotate',
    'cloudc.rotateKey',
    'cloudc.readToken',
    'cloudc.createToken',
    'cloudc.readKey',
    'cloudc.createKey',
  ],
  (original) => (call) =>
    original({ ...call, params: Object.fromEntries(Object.entries(call.params).map(([name, value]) => [name, cut(value)])) }),
)

rule(
  'east-scopes-joined-by-comma',
  'CLOUDC-TOK-04',
  'several scopes are asked of the provider as one (000 4.3: scopes are those of the roleset)',
  {
    tokenScopes: (original) => (roleset) => [original(roleset).join(',')],
  },
)

rule(
  'east-scopes-never-emptied',
  'CLOUDC-SET-20',
  'an empty list of scopes does not take back those before (000 4.3: token_scopes array of strings)',
  {
    scopesOf: (original) => (body, type) => {
      const scopes = original(body, type)
      return scopes?.length === 0 ? undefined : scopes
    },
  },
)

route(
  'east-scopes-filled-in',
  'CLOUDC-SET-11',
  'a roleset that is made without scopes gets the one of the whole platform (000 4.3: token_scopes, default [])',
  'cloudc.writeRoleset',
  requestBody((body, call: CloudcCall) =>
    rolesetOf(call) === undefined && (body.secret_type ?? 'access_token') === 'access_token'
      ? { token_scopes: ['https://www.googleapis.com/auth/cloud-platform'], ...body }
      : body,
  ),
)

route(
  'east-key-ttl-blank-refused',
  'CLOUDC-LEASE-05',
  'a key with the ttl "" is refused (000 4.3: ttl, default "")',
  'cloudc.createKey',
  (original) => (call) => {
    if (call.body.ttl === '') throw invalid('ttl is not a duration')
    return original(call)
  },
)

const DAY_S = 86_400

rule(
  'east-config-days-lost',
  'CLOUDC-CONF-07',
  'durations of a day and more are shown without their days (000 4.3: data.ttl, data.max_ttl)',
  {
    shownConfig: (original) => (config) => ({
      ...original(config),
      ttl: formatDuration(config.ttl % DAY_S),
      max_ttl: formatDuration(config.maxTtl % DAY_S),
    }),
  },
)

rule(
  'east-ttl-as-maximum',
  'CLOUDC-LEASE-02',
  'without a max_ttl the configured ttl is the most that a key may ask for (000 4.3: max TTL, else system defaults)',
  {
    leaseTimes: (original) => (body, config, mount) => original(body, { ...config, maxTtl: config.maxTtl || config.ttl }, mount),
  },
)

route(
  'east-one-roleset-no-list',
  'CORE-LIST-03',
  'the listing of a single roleset is its name, not an array (000 4.1, 4.3: data.keys array of strings)',
  'cloudc.listRolesets',
  replyData((data) => ({
    ...data,
    keys: Array.isArray(data.keys) && data.keys.length === 1 ? (data.keys[0] ?? null) : (data.keys ?? null),
  })),
)

const keyRequests = requestsTo('cloudc')

core.rule(
  'east-key-without-body',
  'CLOUDC-KEY-02',
  'a POST without body for a key is refused (000 4.3: every key parameter has a default)',
  {
    ...keyRequests.locating,
    parseBody: (original) => (bytes, request) => {
      if (bytes.length === 0 && keyRequests.here() && /\/key\/[^/]+$/.test(request.path)) throw invalid('failed to parse JSON input')
      return original(bytes, request)
    },
  },
)
