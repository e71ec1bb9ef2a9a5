/** Faults of the cloud-C engine in time: after an update, a rotation, a deletion, a failure, a renewal, the second time. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { makeAccount, removeAccount } from './accounts.ts'
import { cloudcEngine } from './engine.ts'
import { type CloudcCall, grantAll, revokeAll } from './provider-calls.ts'
import type { Bindings, CloudcState } from './state.ts'

const { rule, route, change } = faultsOf(cloudcEngine)

const KEYS = ['cloudc.readKey', 'cloudc.createKey']
const TOKENS = ['cloudc.readToken', 'cloudc.createToken']
const nameOf = ({ params }: CloudcCall): string => params.name ?? ''

route(
  'rotate-leaves-account',
  ['CLOUDC-ROT-09'],
  'a rotation leaves the account before it and its tokens valid (000 3: rotating invalidates secrets generated earlier)',
  'cloudc.rotate',
  (original) => (call) => original({ ...call, rules: { ...call.rules, deletesAccount: () => false } }),
)

route(
  'bindings-changed-in-place',
  ['CLOUDC-FAIL-05', 'CLOUDC-APART-01'],
  'new bindings are given to the account that is there, and its keys stay (000 3: updating bindings revokes all secrets)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const before = call.state.rolesets.get(nameOf(call))
    const text = call.rules.bindingsTextOf(call.body, before)
    if (before === undefined || text === undefined) return original(call)
    const bindings = await call.rules.bindingsOf(text)
    await revokeAll(call, before.bindings, before.account.email)
    await grantAll(call, bindings, before.account.email)
    call.state.rolesets.set(nameOf(call), { ...before, bindings })
    return original(call)
  },
)

route(
  'token-kept-after-rotate',
  ['CLOUDC-RACE-01'],
  'a roleset gives its token of before when its account was rotated or rebound (000 3: rotating invalidates secrets)',
  TOKENS,
  (original) => {
    const given = remembered(() => new Map<string, { at: number; reply: Awaited<ReturnType<typeof original>> }>())
    return async (call) => {
      const name = call.params.roleset ?? ''
      const known = given(call.state).get(name)
      if (known && call.state.rolesets.has(name) && call.now() - known.at < 240) return known.reply
      const reply = await original(call)
      given(call.state).set(name, { at: call.now(), reply })
      return reply
    }
  },
)

route(
  'token-after-delete',
  ['CLOUDC-SET-15'],
  'a deleted roleset gives the token that it gave last (000 4.3, DELETE roleset/:name: deletes the roleset)',
  TOKENS,
  (original) => {
    const given = remembered(() => new Map<string, Awaited<ReturnType<typeof original>>>())
    return async (call) => {
      const name = call.params.roleset ?? ''
      const known = given(call.state).get(name)
      if (known && !call.state.rolesets.has(name)) return known
      const reply = await original(call)
      given(call.state).set(name, reply)
      return reply
    }
  },
)

route(
  'scopes-as-first-used',
  ['CLOUDC-SET-20'],
  'tokens keep the scopes with which the account gave its first one, whatever is written later (000 4.3: scopes of the roleset)',
  TOKENS,
  (original) => {
    const used = new Map<string, string[]>()
    return (call) => {
      const tokenScopes: typeof call.rules.tokenScopes = (roleset) => {
        const scopes = used.get(roleset.account.email) ?? call.rules.tokenScopes(roleset)
        used.set(roleset.account.email, scopes)
        return scopes
      }
      return original({ ...call, rules: { ...call.rules, tokenScopes } })
    }
  },
)

route(
  'key-rotated-once',
  ['CLOUDC-ROT-13'],
  'the second rotate-key of an account does nothing (000 4.3, rotate-key: rotates the service-account key)',
  'cloudc.rotateKey',
  (original) => {
    const rotated = new Set<string>()
    return async (call) => {
      const email = call.state.rolesets.get(nameOf(call))?.account.email
      if (email !== undefined && rotated.has(email)) return { status: 204 }
      const reply = await original(call)
      if (email !== undefined) rotated.add(email)
      return reply
    }
  },
)

route(
  'rotate-key-makes-account',
  ['CLOUDC-ROT-12', 'CLOUDC-ROT-13'],
  'rotate-key replaces the account together with its key (000 4.3, rotate-key: without recreating the account)',
  'cloudc.rotateKey',
  (original) => async (call) => {
    const reply = await original(call)
    const before = call.state.rolesets.get(nameOf(call))
    if (before === undefined) return reply
    call.state.rolesets.set(nameOf(call), { ...before, account: await makeAccount(call, nameOf(call), before) })
    await removeAccount(call, before.bindings, before.account.email)
    return reply
  },
)

change(
  'times-of-creation',
  ['CLOUDC-LEASE-03', 'CLOUDC-LEASE-05'],
  'keys keep the lease times of the config under which their roleset was made (000 4.3: engine config)',
  {
    routes: (() => {
      const seen = remembered(() => new Map<string, CloudcState['config']>())
      const inKeys = (original: (typeof cloudcEngine.routes)[number]['handle']) => (call: CloudcCall) => {
        const { leaseTimes } = call.rules
        const times: typeof leaseTimes = (body, config, mount) =>
          leaseTimes(body, seen(call.state).get(call.params.roleset ?? '') ?? config, mount)
        return original({ ...call, rules: { ...call.rules, leaseTimes: times } })
      }
      return {
        'cloudc.writeRoleset': (original: (typeof cloudcEngine.routes)[number]['handle']) => async (call: CloudcCall) => {
          const isNew = !call.state.rolesets.has(nameOf(call))
          const reply = await original(call)
          if (isNew) seen(call.state).set(nameOf(call), call.state.config)
          return reply
        },
        'cloudc.readKey': inKeys,
        'cloudc.createKey': inKeys,
      }
    })(),
  },
)

rule(
  'failed-create-leaves-account',
  ['CLOUDC-FAIL-06'],
  'a roleset whose bindings cannot be given leaves an account (readings: no effect)',
  {
    undoes: () => () => false,
  },
)

route(
  'failed-bindings-shown',
  ['CLOUDC-BIND-16', 'CLOUDC-FAIL-05'],
  'bindings that could not be given are stored and read all the same (readings: failing backend, no effect)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    let wanted: Bindings | undefined
    const bindingsOf: typeof call.rules.bindingsOf = async (text) => (wanted = await call.rules.bindingsOf(text))
    try {
      return await original({ ...call, rules: { ...call.rules, bindingsOf } })
    } catch (cause) {
      const before = call.state.rolesets.get(nameOf(call))
      if (before && wanted) call.state.rolesets.set(nameOf(call), { ...before, bindings: wanted })
      throw cause
    }
  },
)

route(
  'expiry-keeps-key',
  ['CLOUDC-LEASE-10'],
  'a key lease that runs out leaves the key at the provider; only a revocation deletes it (000 2.5: leased; 4.3, ttl)',
  KEYS,
  (original) => async (call) => {
    const reply = await original(call)
    const lease = call.services.leases.find(String((reply.body as { lease_id?: string }).lease_id))
    if (lease === undefined) return reply
    const revoke = lease.request.revoke
    lease.request.revoke = async () => (call.now() >= lease.expiresAt - 0.5 ? undefined : revoke())
    return reply
  },
)

route(
  'renewal-does-not-last',
  ['CLOUDC-LEASE-07'],
  'a renewed key ends when it would have ended without the renewal (000 4.3, key/:roleset: renewable true)',
  KEYS,
  (original) => async (call) => {
    const reply = await original(call)
    const lease = call.services.leases.find(String((reply.body as { lease_id?: string }).lease_id))
    if (lease) call.services.clock.after(lease.ttl, () => void call.services.leases.revoke(lease.id).catch(() => undefined))
    return reply
  },
)
