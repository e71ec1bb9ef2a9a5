/** Faults of keys and of the ends of their leases. */

import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../faults/declare.ts'
import { maximumCountedAnew } from '../../faults/renewals.ts'
import { insteadOfRefusal, replyData, requestNestedAs } from '../../faults/wrappers.ts'
import { cloudcEngine } from './engine.ts'
import type { Roleset } from './state.ts'
import { type Handler, KEY_ROUTES, nameOf, rolesetOf, withState } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(cloudcEngine)

const unsupported = (): never => {
  throw new ApiError(405, 'unsupported operation')
}
route('key-no-get', 'CLOUDC-KEY-01', 'GET gives no key', 'cloudc.readKey', () => unsupported)
route('key-needs-body', 'CLOUDC-KEY-02', 'POST wants parameters', 'cloudc.createKey', (original) => (call) => {
  if (call.body.ttl === undefined && call.body.key_algorithm === undefined) throw new ApiError(400, 'parameters are missing')
  return original(call)
})
rule('key-decoded', 'CLOUDC-KEY-03', 'the file is not in base64', {
  shownKey: (original) => (data, algorithm, type) => original(Buffer.from(data, 'base64').toString('utf8'), algorithm, type),
})
const firstKey = { value: '' }
rule('key-useless', 'CLOUDC-KEY-04', 'the file holds the key of another account', {
  shownKey: (original) => (data, algorithm, type) => {
    const file = JSON.parse(Buffer.from(data, 'base64').toString('utf8')) as Record<string, string>
    const before = firstKey.value || file.private_key!
    firstKey.value = file.private_key!
    return original(Buffer.from(JSON.stringify({ ...file, private_key: before })).toString('base64'), algorithm, type)
  },
})
rule('key-short', 'CLOUDC-KEY-05', 'keys have 1024 bits by default', {
  algorithmOf: (original) => (body) => original({ key_algorithm: 'KEY_ALG_RSA_1024', ...body }),
})
rule('key-algorithm-default-shown', 'CLOUDC-KEY-15', 'the answer names the default algorithm, whichever was asked for and used', {
  shownKey: (original) => (data, _algorithm, type) => original(data, 'KEY_ALG_RSA_2048', type),
})
rule('key-any-algorithm', 'CLOUDC-KEY-07', 'an unknown algorithm stands for the default', {
  algorithmOf: (original) => (body) => {
    const asked = original(body)
    return ['KEY_ALG_RSA_1024', 'KEY_ALG_RSA_2048'].includes(asked) ? asked : 'KEY_ALG_RSA_2048'
  },
})
rule('key-provider-type', 'CLOUDC-KEY-08', 'the type is shown as another one', {
  shownKey: (original) => (data, algorithm, type) => ({ ...original(data, algorithm, type), key_type: 'TYPE_PKCS12_FILE' }),
})
rule('key-any-type', 'CLOUDC-KEY-09', 'an unknown type stands for the default', { keyTypeOf: (original) => () => original({}) })
rule('key-of-tokens', 'CLOUDC-KEY-10', 'a roleset for tokens gives keys', { mayGiveKey: () => () => undefined })
const keys = ['cloudc.readKey', 'cloudc.createKey']
const nothing = { private_key_data: 'e30=', key_algorithm: 'KEY_ALG_RSA_2048', key_type: 'TYPE_CLOUDC_CREDENTIALS_FILE' }
const leaseOfNothing = { id: 'none', ttl: 60, renewable: true }
route(
  'key-unknown',
  'CLOUDC-KEY-11',
  'an unknown roleset gives a key that is none',
  keys,
  insteadOfRefusal(
    () => secret(nothing, leaseOfNothing),
    (call) => !call.state.rolesets.has(call.params.roleset ?? ''),
  ),
)
const given = new Map<string, string>()
route('key-again', 'CLOUDC-KEY-12', 'a second request gives the first key again', keys, (original) => async (call) => {
  const reply = await original(call)
  const body = reply.body as { data: Record<string, string> }
  const name = `${call.mount.path}${call.params.roleset}`
  const first = given.get(name) ?? body.data.private_key_data!
  given.set(name, first)
  return { ...reply, body: { ...body, data: { ...body.data, private_key_data: first } } }
})
route('key-objects', 'CLOUDC-KEY-13', 'an object counts as no algorithm', 'cloudc.createKey', requestNestedAs('key_algorithm'))
rule('key-any-ttl', 'CLOUDC-KEY-14', 'a ttl other than a duration counts as none', {
  leaseTimes: (original) => (body, config, mount) => {
    try {
      return original(body, config, mount)
    } catch {
      return original({}, config, mount)
    }
  },
})
rule('key-unleased', 'CLOUDC-LEASE-01', 'keys come without a lease', { leased: () => () => false })
rule('key-hour', 'CLOUDC-LEASE-04', 'without a ttl leases last an hour', {
  leaseTimes: (original) => (body, config, mount) => original(body, { ...config, ttl: config.ttl || 3600 }, mount),
})
rule('key-max-ignored', ['CLOUDC-LEASE-05', 'CLOUDC-LEASE-08'], 'the maximum of the engine is ignored', {
  leaseTimes: (original) => (body, config, mount) => original(body, { ...config, maxTtl: 0 }, mount),
})
route(
  'key-system-max',
  'CLOUDC-LEASE-06',
  'the maximum of the system is ignored',
  keys,
  (original) => (call) => original({ ...call, mount: { ...call.mount, maxLeaseTtl: call.mount.maxLeaseTtl * 100 } }),
)
route('key-renewals-lost', 'CLOUDC-LEASE-07', 'a renewal adds nothing', keys, (original) => async (call) => {
  const reply = await original(call)
  const lease = call.services.leases.find(String((reply.body as { lease_id?: string }).lease_id))
  if (lease !== undefined) lease.latestExpiry = lease.expiresAt
  return reply
})
route('key-renewals-add-up', 'CLOUDC-LEASE-08', 'the maximum of leases is counted from each renewal', keys, maximumCountedAnew)
rule('key-kept', ['CLOUDC-LEASE-09', 'CLOUDC-LEASE-10'], 'the end of a lease leaves its key', { deletesKey: () => () => false })
route('key-end-ends-all', 'CLOUDC-LEASE-11', 'the end of one lease ends all of its roleset', keys, (original) => async (call) => {
  const reply = await original(call)
  const lease = call.services.leases.find(String((reply.body as { lease_id?: string }).lease_id))
  if (lease === undefined) return reply
  const { revoke } = lease.request
  lease.request.revoke = async () => {
    await revoke()
    await call.services.leases.revokePrefix(`${call.mount.namespace}${call.mount.path}key/${call.params.roleset}/`)
  }
  return reply
})
/** Serves a request by the account of the first other roleset of a kind, where there is one. */
const byAccountOf =
  (isIt: (other: Roleset, own: Roleset) => boolean): ((original: Handler) => Handler) =>
  (original) =>
  (call) => {
    const own = rolesetOf(call)
    const other = own && [...call.state.rolesets.values()].find((one) => one.secretType === own.secretType && isIt(one, own))
    if (!own || !other) return original(call)
    return original(withState(call, { rolesets: new Map(call.state.rolesets).set(nameOf(call), { ...own, account: other.account }) }))
  }
const bindingsOf = ({ bindings }: Roleset): string => JSON.stringify(bindings)
route(
  'key-of-first-account',
  'CLOUDC-KEY-03',
  'keys of rolesets with the same bindings are keys of the first one’s account',
  KEY_ROUTES,
  byAccountOf((other, own) => bindingsOf(other) === bindingsOf(own)),
)
change('key-type-as-asked', 'CLOUDC-KEY-08', 'a key by POST shows the type that was asked for, nothing where none was', {
  routes: { 'cloudc.createKey': replyData((data, { body }) => ({ ...data, key_type: body.key_type ?? '' })) },
})
route(
  'expired-key-left',
  'CLOUDC-LEASE-10',
  'the key of a lease that expires stays at the provider; only a revocation deletes it',
  ['cloudc.readKey', 'cloudc.createKey'],
  (original) => async (call) => {
    const reply = await original(call)
    const lease = call.services.leases.find(String((reply.body as { lease_id?: string }).lease_id))
    if (lease !== undefined) {
      const { request } = lease
      const revoke = request.revoke.bind(request)
      request.revoke = () => (call.now() >= lease.expiresAt ? Promise.resolve() : revoke())
    }
    return reply
  },
)
change('get-key-without-lease', 'CLOUDC-LEASE-01', 'a key that is asked for with GET has no lease', {
  routes: { 'cloudc.readKey': (original) => (call) => original({ ...call, rules: { ...call.rules, leased: () => false } }) },
})

export const faults = declared
