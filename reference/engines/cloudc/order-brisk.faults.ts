/** Faults that show only after something else: an update, a deletion, a refusal, a rotation, an earlier key or token. */
import { empty } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { maximumCountedAnew } from '../../mutations/renewals.ts'
import { insteadOfRefusal, replyData } from '../../mutations/wrappers.ts'
import { cloudcEngine } from './engine.ts'
import { type CloudcCall, grantAll, revokeAll } from './provider-calls.ts'
import type { CloudcState, SecretType } from './state.ts'

type Handler = (call: CloudcCall) => Reply | Promise<Reply>
type Wrap = (original: Handler) => Handler

const { rule, route, change } = faultsOf(cloudcEngine)

const TOKENS = ['cloudc.readToken', 'cloudc.createToken']
const KEYS = ['cloudc.readKey', 'cloudc.createKey']
const CACHED_S = 60

const nameOf = (call: CloudcCall): string => call.params.name ?? call.params.roleset ?? ''

const tokenReplies = remembered(() => new Map<string, { at: number; given: Reply }>())

const fromCache: Wrap = (original) => async (call) => {
  const known = tokenReplies(call.state)
  const entry = known.get(nameOf(call))
  if (entry && call.now() - entry.at < CACHED_S) return entry.given
  const given = await original(call)
  known.set(nameOf(call), { at: call.now(), given })
  return given
}

const uncaching: Wrap = (original) => (call) => {
  tokenReplies(call.state).delete(nameOf(call))
  return original(call)
}

change(
  'cached-token-after-update',
  ['CLOUDC-RACE-01'],
  'for a minute the token from before an update of the bindings is given again (000 3: updating bindings revokes all secrets)',
  {
    routes: {
      'cloudc.readToken': fromCache,
      'cloudc.createToken': fromCache,
      'cloudc.rotate': uncaching,
      'cloudc.rotateKey': uncaching,
      'cloudc.deleteRoleset': uncaching,
    },
  },
)

route(
  'deleted-roleset-gives-token',
  ['CLOUDC-SET-15'],
  'a deleted roleset that gave a token before goes on giving it (000 4.3: DELETE deletes the roleset; token/:roleset needs one)',
  TOKENS,
  (original) => {
    const latest = remembered(() => new Map<string, Reply>())
    const keeping: Handler = async (call) => {
      const given = await original(call)
      latest(call.state).set(nameOf(call), given)
      return given
    }
    const isGone = (call: CloudcCall) => !call.state.rolesets.has(nameOf(call)) && latest(call.state).has(nameOf(call))
    return insteadOfRefusal((call: CloudcCall) => latest(call.state).get(nameOf(call)) ?? empty(), isGone)(keeping)
  },
)

route(
  'update-on-old-account',
  ['CLOUDC-APART-01', 'CLOUDC-MODEL-01'],
  'new bindings go to the account that is there, and keys issued before stay (000 3: updating bindings revokes all secrets)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const { state, rules, body } = call
    const before = state.rolesets.get(nameOf(call))
    const text = textOf(body, 'bindings')
    const bindings = before && text !== '' ? await rules.bindingsOf(text) : undefined
    if (before === undefined || bindings === undefined || !rules.changesBindings(before.bindings, bindings)) return original(call)
    for (const resource of Object.keys(bindings)) rules.policyUrls(resource)
    const given = await original({ ...call, body: { ...body, bindings: null } })
    await revokeAll(call, before.bindings, before.account.email)
    await grantAll(call, bindings, before.account.email)
    state.rolesets.set(nameOf(call), { ...(state.rolesets.get(nameOf(call)) ?? before), bindings })
    return given
  },
)

route(
  'maximum-anew-by-renewal',
  ['CLOUDC-LEASE-08'],
  'each renewal of a key counts its maximum anew (000 4.3: keys have TTL and max TTL from engine config)',
  KEYS,
  maximumCountedAnew,
)

route(
  'second-rotation-idle',
  ['CLOUDC-ROT-07', 'CLOUDC-ROT-10'],
  'a roleset that was rotated once is not rotated again (000 4.3, POST rotate: rotates the service account)',
  'cloudc.rotate',
  (original) => {
    const rotated = remembered(() => new Set<string>())
    return async (call) => {
      if (rotated(call.state).has(nameOf(call)) && call.state.rolesets.has(nameOf(call))) return empty()
      const given = await original(call)
      rotated(call.state).add(nameOf(call))
      return given
    }
  },
)

route(
  'refused-update-sets-scopes',
  ['CLOUDC-BIND-16'],
  'a refused update has set the token_scopes already (000 7: 400 invalid request; readings: a refusal changes nothing)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const before = call.state.rolesets.get(nameOf(call))
      const { token_scopes: scopes } = call.body
      if (before?.secretType === 'access_token' && Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string'))
        call.state.rolesets.set(nameOf(call), { ...before, scopes })
      throw cause
    }
  },
)

const triedNames = remembered(() => new Set<string>())

change(
  'refused-roleset-listed',
  ['CLOUDC-SET-27'],
  'a roleset whose creation was refused is listed all the same (000 4.3, LIST rolesets; readings: a refusal changes nothing)',
  {
    routes: {
      'cloudc.writeRoleset': (original) => async (call) => {
        triedNames(call.state).add(nameOf(call))
        const given = await original(call)
        triedNames(call.state).delete(nameOf(call))
        return given
      },
      'cloudc.listRolesets': () => (call) => call.services.listing(new Set([...call.state.rolesets.keys(), ...triedNames(call.state)])),
    },
  },
)

const lastScopes = remembered(() => new Map<string, string[]>())

change(
  'scopes-from-before-deletion',
  ['CLOUDC-SET-15'],
  'a roleset made anew without token_scopes has those of the deleted one of its name (000 4.3, POST roleset: token_scopes default [])',
  {
    routes: {
      'cloudc.deleteRoleset': (original) => (call) => {
        const roleset = call.state.rolesets.get(nameOf(call))
        if (roleset) lastScopes(call.state).set(nameOf(call), roleset.scopes)
        return original(call)
      },
      'cloudc.writeRoleset': (original) => (call) => {
        const { state, body } = call
        const scopes = lastScopes(state).get(nameOf(call))
        const isLeftOut = body.token_scopes === undefined && body.secret_type !== 'service_account_key'
        if (state.rolesets.has(nameOf(call)) || scopes === undefined || !isLeftOut) return original(call)
        return original({ ...call, body: { ...body, token_scopes: scopes } })
      },
    },
  },
)

const lastTypes = remembered(() => new Map<string, SecretType>())

change(
  'type-fixed-beyond-deletion',
  ['CLOUDC-SET-21'],
  'the name of a deleted roleset cannot be used for the other secret_type (000 4.3: POST creates; secret_type cannot be updated)',
  {
    routes: {
      'cloudc.deleteRoleset': (original) => (call) => {
        const roleset = call.state.rolesets.get(nameOf(call))
        if (roleset) lastTypes(call.state).set(nameOf(call), roleset.secretType)
        return original(call)
      },
      'cloudc.writeRoleset': (original) => (call) => {
        const type = lastTypes(call.state).get(nameOf(call))
        if (type !== undefined && type !== textOf(call.body, 'secret_type', 'access_token') && !call.state.rolesets.has(nameOf(call)))
          throw invalid('secret_type cannot be updated')
        return original(call)
      },
    },
  },
)

route(
  'times-of-first-key',
  ['CLOUDC-LEASE-03', 'CLOUDC-LEASE-05'],
  'keys of a roleset keep the ttl and max_ttl that the configuration had at its first key (000 4.3: TTL and max TTL from engine config)',
  KEYS,
  (original) => {
    const seen = remembered(() => new Map<string, CloudcState['config']>())
    return (call) => {
      const { state } = call
      const times = seen(state).get(nameOf(call)) ?? state.config
      seen(state).set(nameOf(call), times)
      const config = { ...times, credentials: state.config.credentials }
      return original({ ...call, state: Object.assign(Object.create(state) as CloudcState, { config }) })
    }
  },
)

rule(
  'changed-roles-unnoticed',
  ['CLOUDC-APART-01'],
  'an update with other roles on the same resources changes nothing (000 4.3, POST roleset: create or update; 3: updating bindings)',
  { changesBindings: () => (before, after) => JSON.stringify(Object.keys(before)) !== JSON.stringify(Object.keys(after)) },
)

route(
  'token-time-from-config',
  ['CLOUDC-TOK-08'],
  'once the configuration has a shorter ttl, tokens say that they end with it (000 4.3: a fixed TTL of one hour)',
  TOKENS,
  replyData((data, call) => {
    const { ttl } = call.state.config
    if (ttl === 0 || ttl >= Number(data.token_ttl)) return data
    return { ...data, token_ttl: ttl, expires_at_seconds: Math.floor(call.now() + ttl) }
  }),
)
