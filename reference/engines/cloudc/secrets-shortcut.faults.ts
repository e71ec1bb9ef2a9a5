/** Faults of hurried work on tokens, keys, the configuration and texts of bindings. */
import { coreEngine } from '../../core/core-engine.ts'
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isProvisioning } from '../../mutations/request-kinds.ts'
import { replyData, requestBody } from '../../mutations/wrappers.ts'
import { cloudcEngine } from './engine.ts'

const { rule, route, change } = faultsOf(cloudcEngine)
const core = faultsOf(coreEngine, 'cloudc')

const TOKENS = ['cloudc.readToken', 'cloudc.createToken']
const KEYS = ['cloudc.readKey', 'cloudc.createKey']

interface Given {
  name: string
  email: string
  at: number
  reply: Reply
}

const givenTokens = remembered(() => new Map<string, Given>())
route(
  'shortcut-token-by-project',
  ['CLOUDC-FAIL-02'],
  'a roleset gets the token that another one of the same project and scopes got within a minute',
  TOKENS,
  (original) => async (call) => {
    const { rolesets } = call.state
    const name = call.params.roleset ?? ''
    const roleset = rolesets.get(name)
    if (roleset?.secretType !== 'access_token') return original(call)
    const kind = JSON.stringify([roleset.project, roleset.scopes])
    const before = givenTokens(call.state).get(kind)
    const holds = before !== undefined && call.now() - before.at < 60 && rolesets.get(before.name)?.account.email === before.email
    if (holds && before.name !== name) return before.reply
    const reply = await original(call)
    givenTokens(call.state).set(kind, { name, email: roleset.account.email, at: call.now(), reply })
    return reply
  },
)

/** Seconds that were configured last, wherever. */
let latestTtl = 0
rule(
  'shortcut-ttl-of-other-mount',
  ['CLOUDC-APART-01'],
  'where no ttl is configured, that of the mount that was configured last holds for keys',
  {
    configOf: (original) => (body, before, credentialsOf) => {
      const made = original(body, before, credentialsOf)
      if (body.ttl !== undefined) latestTtl = made.ttl
      return made
    },
    leaseTimes: (original) => (body, config, mount) => original(body, config.ttl === 0 ? { ...config, ttl: latestTtl } : config, mount),
  },
)

route(
  'shortcut-longest-not-renewable',
  ['CLOUDC-LEASE-01'],
  'a key that is asked for with the longest time there is, or more, comes with a lease that is not renewable',
  'cloudc.createKey',
  (original) => async (call) => {
    const reply = await original(call)
    const body = reply.body as JsonObject
    const lease = call.services.leases.find(String(body.lease_id))
    if (!call.body.ttl || lease === undefined || lease.ttl < lease.latestExpiry - lease.issuedAt) return reply
    lease.renewable = false
    return { ...reply, body: { ...body, renewable: false } }
  },
)
route(
  'shortcut-zero-left-out',
  ['CLOUDC-CONF-04', 'CLOUDC-CONF-06'],
  'the number 0 for a time of the configuration is taken as left out',
  'cloudc.writeConfig',
  requestBody((body) => Object.fromEntries(Object.entries(body).filter(([field, value]) => !/^(max_)?ttl$/.test(field) || value !== 0))),
)

route(
  'shortcut-renewed-key-stays',
  ['CLOUDC-LEASE-10'],
  'a key whose lease was renewed is left at the provider when it expires',
  KEYS,
  (original) => async (call) => {
    const reply = await original(call)
    const lease = call.services.leases.find(String((reply.body as JsonObject).lease_id))
    if (lease === undefined) return reply
    const { revoke } = lease.request
    lease.request.revoke = async () => {
      const expired = call.services.clock.now() >= lease.expiresAt - 0.5
      if (!expired || lease.renewedAt === undefined) await revoke()
    }
    return reply
  },
)
rule('shortcut-scopes-of-first-token', ['CLOUDC-SET-20'], 'tokens keep the scopes that the first token of the account was given with', {
  tokenScopes: (original) => {
    const known = new Map<string, string[]>()
    return (roleset) => {
      const scopes = known.get(roleset.account.email) ?? original(roleset)
      known.set(roleset.account.email, scopes)
      return scopes
    }
  },
})
rule('shortcut-max-ttl-read-once', ['CLOUDC-LEASE-05'], 'max_ttl is looked up for the first key of a mount and never again', {
  leaseTimes: (original) => {
    const known = new Map<string, number>()
    return (body, config, mount) => {
      const place = mount.namespace + mount.path
      const maxTtl = known.get(place) ?? config.maxTtl
      known.set(place, maxTtl)
      return original(body, { ...config, maxTtl }, mount)
    }
  },
})

core.rule('shortcut-put-key-by-defaults', ['CORE-WRITE-01'], 'PUT gets a key by the defaults, as GET does', {
  parseBody: (original) => (bytes, request) => {
    const parsed = original(bytes, request)
    return request.method === 'PUT' && /\/key\/[^/]+$/.test(request.path) && !isProvisioning(request) ? { text: '{}', body: {} } : parsed
  },
})
core.rule(
  'shortcut-caller-cached-for-tokens',
  ['CORE-AUTH-15'],
  'a caller who asked for an access token once may still do so when revoked',
  goodForEver((request) => /\/token\/[^/]+$/.test(request.path) && !isProvisioning(request)),
)

rule('shortcut-json-by-first-character', ['CLOUDC-BIND-02'], 'bindings in JSON that begin with a blank or a line break are refused', {
  bindingsOf: (original) => async (text) => {
    if (/^\s+\{/.test(text)) throw invalid('bindings are neither JSON nor in block syntax')
    return original(text)
  },
})
const writtenMax = remembered(() => ({ isNumber: false }))
change('shortcut-max-ttl-as-written', ['CLOUDC-CONF-02'], 'max_ttl that was written as a number is read as a number', {
  routes: {
    'cloudc.writeConfig': (original) => async (call) => {
      const reply = await original(call)
      if (call.body.max_ttl !== undefined) writtenMax(call.state).isNumber = typeof call.body.max_ttl === 'number'
      return reply
    },
    'cloudc.readConfig': replyData((data, { state }) => (writtenMax(state).isNumber ? { ...data, max_ttl: state.config.maxTtl } : data)),
  },
})
route(
  'shortcut-key-type-as-asked',
  ['CLOUDC-KEY-08'],
  'a key by POST shows the type that was asked for, nothing where none was',
  'cloudc.createKey',
  replyData((data, { body }) => ({ ...data, key_type: body.key_type ?? '' })),
)
