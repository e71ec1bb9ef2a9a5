/** Faults of keys and their leases. */
import { durationOf } from '../../core/durations.ts'
import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { maximumCountedAnew } from '../../mutations/renewals.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import { insteadOfRefusal, requestNestedAs, requestWithout } from '../../mutations/wrappers.ts'
import { cloudcEngine } from './engine.ts'

const { rule, route, change } = faultsOf(cloudcEngine)

const keys = ['cloudc.readKey', 'cloudc.createKey']
const nothing = { private_key_data: 'e30=', key_algorithm: 'KEY_ALG_RSA_2048', key_type: 'TYPE_CLOUDC_CREDENTIALS_FILE' }
const leaseOfNothing = { id: 'none', ttl: 60, renewable: true }

const unsupported = (): never => {
  throw new ApiError(405, 'unsupported operation')
}

route('key-no-get', 'CLOUDC-KEY-01', 'GET gives no key', 'cloudc.readKey', () => unsupported)
const posted = remembered(() => ({ ttl: '' }))
change(
  'key-get-as-posted',
  'CLOUDC-LEASE-04',
  'without a ttl of the engine, a GET gives keys for as long as the POST before it asked for',
  {
    routes: {
      'cloudc.createKey': (original) => (call) => {
        posted(call.state).ttl = String(call.body.ttl ?? '')
        return original(call)
      },
      'cloudc.readKey': (original) => (call) => {
        const ttl = durationOf(posted(call.state).ttl, 'ttl', 0)
        return original(ttl === 0 ? call : { ...call, mount: { ...call.mount, defaultLeaseTtl: ttl } })
      },
    },
  },
)
route(
  'key-lease-in-31-bits',
  ['CLOUDC-LEASE-04', 'CLOUDC-LEASE-02'],
  'milliseconds of a lease are kept in 31 bits, and a longer one is shown by what is left of them',
  keys,
  (original) => async (call) =>
    withBody(await original(call), (body) => ({
      ...body,
      lease_duration: Math.trunc(((Number(body.lease_duration) * 1000) % 2 ** 31) / 1000),
    })),
)
route('key-needs-body', 'CLOUDC-KEY-02', 'POST wants parameters', 'cloudc.createKey', (original) => (call) => {
  if (call.body.ttl === undefined && call.body.key_algorithm === undefined) throw new ApiError(400, 'parameters are missing')
  return original(call)
})
rule('key-decoded', 'CLOUDC-KEY-03', 'the file is not in base64', {
  shownKey: (original) => (data, algorithm, type) => original(Buffer.from(data, 'base64').toString('utf8'), algorithm, type),
})
rule('key-useless', 'CLOUDC-KEY-04', 'the file holds the key of another account', {
  shownKey: (original) => (data, algorithm, type) => {
    const file = JSON.parse(Buffer.from(data, 'base64').toString('utf8')) as Record<string, string>
    const before = firstKey.value || file.private_key!
    firstKey.value = file.private_key!
    return original(Buffer.from(JSON.stringify({ ...file, private_key: before })).toString('base64'), algorithm, type)
  },
})
const firstKey = { value: '' }
rule('key-short', 'CLOUDC-KEY-05', 'keys have 1024 bits by default', {
  algorithmOf: (original) => (body) => original({ key_algorithm: 'KEY_ALG_RSA_1024', ...body }),
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
rule('key-any-ttl', 'CLOUDC-KEY-14', 'a ttl that is no duration counts as none', {
  leaseTimes: (original) => (body, config, mount) => {
    try {
      return original(body, config, mount)
    } catch {
      return original({}, config, mount)
    }
  },
})
rule('key-unleased', 'CLOUDC-LEASE-01', 'keys come without a lease', { leased: () => () => false })
route('key-ttl-ignored', 'CLOUDC-LEASE-02', 'the ttl of a request is ignored', 'cloudc.createKey', requestWithout('ttl'))
rule('key-engine-ttl-ignored', 'CLOUDC-LEASE-03', 'the ttl of the engine is ignored', {
  leaseTimes: (original) => (body, config, mount) => original(body, { ...config, ttl: 0 }, mount),
})
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
route('key-renewals-add-up', 'CLOUDC-LEASE-08', 'the maximum of leases is counted anew from each renewal', keys, maximumCountedAnew)
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
