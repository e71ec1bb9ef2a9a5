/** Faults at boundaries: zero, one, many, at the limit and beyond. */
import { durationOf } from '../../core/durations.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { readBindings } from './bindings.ts'
import { cloudcEngine } from './engine.ts'
import { about, KEYS, leaseIn, nameOf, TOKENS } from './frank-help.ts'

const { rule, route } = faultsOf(cloudcEngine, 'cloudc')

const DAY = 86_400

rule('frank-config-zero-ignored', 'CLOUDC-CONF-04', 'a lease time cannot be set back to 0 (000 4.3: config, ttl int seconds, default 0)', {
  configOf: (original) => (body, before, credentialsOf) => {
    const after = original(body, before, credentialsOf)
    return { ...after, ttl: after.ttl || before.ttl, maxTtl: after.maxTtl || before.maxTtl }
  },
})

rule(
  'frank-ttl-at-maximum-refused',
  'CLOUDC-LEASE-02',
  'a ttl of exactly max_ttl is refused (000 4.3: keys have TTL and max TTL from engine config)',
  {
    leaseTimes: (original) => (body, config, mount) => {
      const times = original(body, config, mount)
      if (durationOf(body.ttl, 'ttl', 0) >= times.maxTtl) throw invalid('ttl must be below max_ttl')
      return times
    },
  },
)

rule(
  'frank-first-role-only',
  'CLOUDC-BIND-06',
  'of several roles on a resource the first is granted (000 2.5: bindings, a roles list of role names)',
  {
    boundResources: (original) => (bindings) =>
      Object.fromEntries(Object.entries(original(bindings)).map(([resource, roles]) => [resource, roles.slice(0, 1)])),
  },
)

const LONGEST_NAME = 40
route(
  'frank-long-names-cut',
  'CLOUDC-SET-14',
  'names of more than forty characters are cut, so that long ones with one beginning meet (000 4.3: roleset/:name)',
  [...KEYS, ...TOKENS, 'cloudc.writeRoleset', 'cloudc.readRoleset', 'cloudc.deleteRoleset', 'cloudc.rotate', 'cloudc.rotateKey'],
  (original) => (call) => original(about(call, nameOf(call).slice(0, LONGEST_NAME))),
)

rule(
  'frank-scopes-cannot-be-emptied',
  'CLOUDC-SET-20',
  'an update with an empty list keeps the scopes (000 4.3: roleset, token_scopes, create or update)',
  {
    scopesOf: (original) => (body, type) => {
      const scopes = original(body, type)
      return scopes?.length === 0 ? undefined : scopes
    },
  },
)

rule(
  'frank-asked-ttl-passes-maximum',
  'CLOUDC-LEASE-05',
  'a ttl that is asked for is not held to max_ttl (000 4.3: max TTL from engine config)',
  {
    leaseTimes: (original) => (body, config, mount) => {
      const times = original(body, config, mount)
      const asked = durationOf(body.ttl, 'ttl', 0)
      return asked > times.maxTtl ? { ttl: Math.min(asked, mount.maxLeaseTtl), maxTtl: mount.maxLeaseTtl } : times
    },
  },
)

rule(
  'frank-unset-maximum-is-ttl',
  'CLOUDC-LEASE-02',
  'where max_ttl is 0, ttl is the maximum too (000 4.3: max TTL from engine config, else system defaults)',
  {
    leaseTimes: (original) => (body, config, mount) =>
      original(body, config.maxTtl === 0 ? { ...config, maxTtl: config.ttl } : config, mount),
  },
)

route(
  'frank-listing-of-one-empty',
  'CORE-LIST-01',
  'a listing of a single roleset counts as empty (000 1.5: an empty listing returns 404)',
  'cloudc.listRolesets',
  (original) => {
    return (call) => {
      if (call.state.rolesets.size <= 1) throw notFound()
      return original(call)
    }
  },
)

rule(
  'frank-days-lost-in-config',
  'CLOUDC-CONF-07',
  'lease times of a day or more are read without the days (000 4.3: GET config, ttl and max_ttl as durations)',
  {
    shownConfig: (original) => (config) => original({ ...config, ttl: config.ttl % DAY, maxTtl: config.maxTtl % DAY }),
  },
)

rule(
  'frank-base64-without-padding',
  'CLOUDC-BIND-03',
  'base64 of bindings that needs no padding is not known as base64 (000 2.5: raw or base64-encoded)',
  {
    bindingsOf: (original) => (text) => (/^[A-Za-z0-9+/]+$/.test(text.trim()) ? readBindings(text) : original(text)),
  },
)

const KEYS_KEPT = 2
const issued = remembered(() => new Map<string, string[]>())
route(
  'frank-third-key-ends-first',
  'CLOUDC-LEASE-07',
  'the third living key of a roleset ends the first (000 2.5: key, each leased)',
  KEYS,
  (original) => async (call) => {
    const { leases } = call.services
    const given = await original(call)
    const lease = leaseIn(call, given)
    const all = [...(issued(call.state).get(nameOf(call)) ?? []), ...(lease === undefined ? [] : [lease.id])]
    const living = all.filter((id) => leases.find(id) !== undefined)
    for (const id of living.slice(0, -KEYS_KEPT)) await leases.revoke(id)
    issued(call.state).set(nameOf(call), living.slice(-KEYS_KEPT))
    return given
  },
)

const LONGEST_TIMER_MS = 2 ** 31 - 1
route(
  'frank-long-lease-ends-at-once',
  'CLOUDC-LEASE-02',
  'a ttl beyond what timers take ends the key at once (000 4.3: key parameter ttl)',
  'cloudc.createKey',
  (original) => {
    return async (call) => {
      const given = await original(call)
      const lease = leaseIn(call, given)
      const asked = durationOf(call.body.ttl, 'ttl', 0)
      if (lease === undefined || asked * 1000 <= LONGEST_TIMER_MS) return given
      call.services.clock.after(0.001, () => void call.services.leases.revoke(lease.id).catch(() => undefined))
      return given
    }
  },
)
