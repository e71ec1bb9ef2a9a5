/** Faults of time and order: what came before, comes again, ends, or fails in between. */

import { ApiError, invalid } from '../../core/errors.ts'
import type { Lease } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { maximumCountedAnew } from '../../mutations/renewals.ts'
import { leaseIn, nameIn, rolesetOf, ruledBy, sameBindings } from './east-help.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcCall } from './provider-calls.ts'
import type { Bindings, CloudcState, Roleset } from './state.ts'

const { rule, route, change } = faultsOf(cloudcEngine, 'cloudc')

const KEY_ROUTES = ['cloudc.readKey', 'cloudc.createKey']
const TOKEN_ROUTES = ['cloudc.readToken', 'cloudc.createToken']

const sentBindings = async ({ body, rules }: CloudcCall): Promise<Bindings | undefined> =>
  typeof body.bindings === 'string' && body.bindings !== '' ? rules.bindingsOf(body.bindings) : undefined

const narrows = (before: Bindings, after: Bindings): boolean =>
  !sameBindings(before, after) &&
  Object.entries(after).every(([resource, roles]) => roles.every((role) => before[resource]?.includes(role)))

route(
  'east-narrower-bindings-keep-secrets',
  'CLOUDC-BIND-08',
  'bindings that only take something away leave account and keys as they are (000 3: updating bindings revokes all secrets)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const before = rolesetOf(call)
    const after = before && (await sentBindings(call))
    if (before === undefined || after === undefined || !narrows(before.bindings, after)) return original(call)
    const given = await original({ ...call, body: Object.fromEntries(Object.entries(call.body).filter(([field]) => field !== 'bindings')) })
    const stored = rolesetOf(call)
    if (stored) call.state.rolesets.set(nameIn(call), { ...stored, bindings: after })
    return given
  },
)

route(
  'east-new-account-gets-difference',
  'CLOUDC-BIND-10',
  'after an update the new account is bound to what was added only (000 2.5, 4.3: bindings of the roleset)',
  'cloudc.writeRoleset',
  (original) => (call) => {
    const before = rolesetOf(call)?.bindings ?? {}
    const boundResources = (bindings: Bindings): Bindings =>
      Object.fromEntries(
        Object.entries(call.rules.boundResources(bindings)).filter(([resource, roles]) => before[resource]?.join() !== roles.join()),
      )
    return original(ruledBy(call, { boundResources }))
  },
)

const firstScopes = remembered(() => new Map<string, string[]>())

change(
  'east-rotate-key-brings-scopes-back',
  'CLOUDC-ROT-16',
  'rotate-key sets the scopes back to those of the creation (000 4.3: rotates the key, token_scopes)',
  {
    routes: {
      'cloudc.writeRoleset': (original) => async (call) => {
        const before = rolesetOf(call)
        const given = await original(call)
        if (before === undefined) firstScopes(call.state).set(nameIn(call), rolesetOf(call)?.scopes ?? [])
        return given
      },
      'cloudc.rotateKey': (original) => async (call) => {
        const given = await original(call)
        const roleset = rolesetOf(call)
        const scopes = firstScopes(call.state).get(nameIn(call))
        if (roleset && scopes) call.state.rolesets.set(nameIn(call), { ...roleset, scopes })
        return given
      },
    },
  },
)

const everMade = remembered(() => new Map<string, Pick<Roleset, 'secretType' | 'project'>>())

route(
  'east-name-bound-for-ever',
  'CLOUDC-SET-21',
  'a deleted name cannot be made again with another secret_type or project (000 4.3: deletes the roleset)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const made = everMade(call.state)
    const known = made.get(nameIn(call))
    const { secret_type: type = 'access_token', project } = call.body
    if (rolesetOf(call) === undefined && known !== undefined && (type !== known.secretType || project !== known.project))
      throw invalid('secret_type and project cannot be updated')
    const given = await original(call)
    const stored = rolesetOf(call)
    if (stored) made.set(nameIn(call), { secretType: stored.secretType, project: stored.project })
    return given
  },
)

rule(
  'east-failed-creation-leaves-account',
  'CLOUDC-FAIL-06',
  'the account of a creation that fails half-way stays at the provider (000 4.3, 7: refused, no effect)',
  {
    undoes: () => () => false,
  },
)

route(
  'east-failed-update-stored',
  'CLOUDC-BIND-16',
  'bindings that could not be bound are stored and shown all the same (000 4.3, 7: refused, no effect)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const before = rolesetOf(call)
    try {
      return await original(call)
    } catch (cause) {
      const bindings = before && (await sentBindings(call).catch(() => undefined))
      if (before && bindings) call.state.rolesets.set(nameIn(call), { ...before, bindings })
      throw cause
    }
  },
)

/** Timers come a little early. */
const TOLERANCE_S = 0.1

route(
  'east-expired-key-stays',
  'CLOUDC-LEASE-10',
  'a key whose lease runs out stays at the provider; only revocation deletes it (000 2.5, 4.3: leased)',
  KEY_ROUTES,
  (original) => async (call) => {
    let lease: Lease | undefined
    const deletesKey = (): boolean => lease === undefined || call.now() < lease.expiresAt - TOLERANCE_S
    const given = await original(ruledBy(call, { deletesKey }))
    lease = leaseIn(call, given)
    return given
  },
)

route(
  'east-maximum-from-renewal',
  'CLOUDC-LEASE-08',
  'the maximum of a key counts from each renewal, so that it can be renewed for ever (000 4.3: keys have max TTL)',
  KEY_ROUTES,
  maximumCountedAnew,
)

route(
  'east-first-end-holds',
  'CLOUDC-LEASE-07',
  'a renewed key is deleted at the provider when its first ttl is over (000 4.3: leased envelope with renewable true)',
  KEY_ROUTES,
  (original) => async (call) => {
    const given = await original(call)
    const lease = leaseIn(call, given)
    if (lease) call.services.clock.after(lease.ttl, () => void lease.request.revoke().catch(() => undefined))
    return given
  },
)

const configAtWrite = remembered(() => new Map<string, CloudcState['config']>())

const byConfigAtWrite =
  (original: (call: CloudcCall) => Reply | Promise<Reply>) =>
  (call: CloudcCall): Reply | Promise<Reply> => {
    const { ttl, maxTtl } = configAtWrite(call.state).get(nameIn(call)) ?? call.state.config
    return original({ ...call, state: { ...call.state, config: { ...call.state.config, ttl, maxTtl } } })
  }

change(
  'east-lease-times-of-creation',
  'CLOUDC-LEASE-03',
  'keys get the lease times that were configured when their roleset was written (000 4.3: from engine config)',
  {
    routes: {
      'cloudc.writeRoleset': (original) => async (call) => {
        const given = await original(call)
        configAtWrite(call.state).set(nameIn(call), call.state.config)
        return given
      },
      'cloudc.readKey': byConfigAtWrite,
      'cloudc.createKey': byConfigAtWrite,
    },
  },
)

const failures = remembered(() => new Map<string, ApiError>())

route(
  'east-refusal-comes-twice',
  'CLOUDC-FAIL-05',
  'what follows a refused write or rotation of a roleset is refused for the same reason (000 4.3: create or update, rotate)',
  ['cloudc.writeRoleset', 'cloudc.rotate', 'cloudc.rotateKey', 'cloudc.deleteRoleset', ...TOKEN_ROUTES],
  (original) => async (call) => {
    const failed = failures(call.state)
    const before = failed.get(nameIn(call))
    failed.delete(nameIn(call))
    if (before) throw before
    try {
      return await original(call)
    } catch (cause) {
      if (cause instanceof ApiError) failed.set(nameIn(call), cause)
      throw cause
    }
  },
)

const KEPT_S = 60
const tokens = remembered(() => new Map<string, { at: number; given: Reply }>())

route(
  'east-token-kept-over-rotation',
  'CLOUDC-ROT-06',
  'the token of a roleset is given again for a minute, after rotation or new bindings, too (000 3: invalidates secrets generated earlier)',
  TOKEN_ROUTES,
  (original) => async (call) => {
    const kept = tokens(call.state)
    const before = kept.get(nameIn(call))
    if (before && rolesetOf(call) && call.now() - before.at < KEPT_S) return before.given
    const given = await original(call)
    kept.set(nameIn(call), { at: call.now(), given })
    return given
  },
)
