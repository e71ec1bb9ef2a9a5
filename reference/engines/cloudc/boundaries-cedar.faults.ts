/** Faults at boundaries: nothing, one, many, the last of a list, exactly at the limit, zero, the default left out. */
import { durationOf } from '../../core/durations.ts'
import { secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal, requestBody } from '../../mutations/wrappers.ts'
import { keysBelow, nameIn, rolesetIn, ruled } from './cedar-help.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcCall } from './provider-calls.ts'

const { rule, route, change } = faultsOf(cloudcEngine, 'cloudc')

rule(
  'cedar-last-role-not-bound',
  'CLOUDC-BIND-06',
  'of several roles on a resource the last is not given to the account (000, 2.5: a list of role names)',
  {
    boundResources: (original) => (bindings) =>
      Object.fromEntries(
        Object.entries(original(bindings)).map(([resource, roles]) => [resource, roles.length > 1 ? roles.slice(0, -1) : roles]),
      ),
  },
)

rule(
  'cedar-empty-scopes-keep',
  'CLOUDC-SET-20',
  'an update with an empty list of scopes leaves the earlier ones (000, 4.3: token_scopes, array, updatable)',
  {
    scopesOf: (original) => (body, type) => {
      const scopes = original(body, type)
      return scopes?.length ? scopes : undefined
    },
  },
)

rule(
  'cedar-ttl-zero-keeps',
  'CLOUDC-CONF-04',
  'a ttl of zero in the config leaves the earlier one (000, 4.3: ttl 0 / "0s" is a value, its default)',
  {
    configOf: (original) => (body, before, credentialsOf) => {
      const after = original(body, before, credentialsOf)
      return { ...after, ttl: after.ttl || before.ttl }
    },
  },
)

rule(
  'cedar-ttl-is-maximum',
  'CLOUDC-LEASE-02',
  'without max_ttl in the config its ttl is the maximum of keys (000, 4.3: max TTL from engine config, else the system default)',
  {
    leaseTimes: (original) => (body, config, mount) => original(body, { ...config, maxTtl: config.maxTtl || config.ttl }, mount),
  },
)

rule(
  'cedar-ttl-at-maximum-refused',
  'CLOUDC-LEASE-02',
  'a ttl of exactly max_ttl is refused (000, 4.3: max_ttl is the maximum, so it is allowed)',
  {
    leaseTimes: (original) => (body, config, mount) => {
      if (config.maxTtl && durationOf(body.ttl, 'ttl', 0) >= config.maxTtl) throw invalid('ttl is beyond max_ttl')
      return original(body, config, mount)
    },
  },
)

rule(
  'cedar-empty-ttl-refused',
  'CLOUDC-LEASE-05',
  'an empty ttl of a key is refused (000, 4.3: ttl default "" meaning the system default)',
  {
    leaseTimes: (original) => (body, config, mount) => {
      if (body.ttl === '') throw invalid('ttl is not a duration')
      return original(body, config, mount)
    },
  },
)

const projectIn = (credentials: string): string => {
  try {
    return String((JSON.parse(credentials) as { project_id?: string }).project_id ?? '')
  } catch {
    return ''
  }
}
route(
  'cedar-project-of-credentials',
  'CLOUDC-SET-06',
  'a roleset is made without project, in that of the configured credentials (000, 4.3: project, string, required)',
  'cloudc.writeRoleset',
  requestBody<CloudcCall>((body, call) =>
    rolesetIn(call) || body.project !== undefined ? body : { ...body, project: projectIn(call.state.config.credentials) },
  ),
)

const emptied = new WeakSet<object>()
change(
  'cedar-emptied-list-200',
  'CLOUDC-SET-14',
  'after the last roleset is deleted the list answers 200 without names (000, 1.5 and 7: an empty listing returns 404)',
  {
    routes: {
      'cloudc.deleteRoleset': (original) => async (call) => {
        const given = await original(call)
        emptied.add(call.state)
        return given
      },
      'cloudc.listRolesets': insteadOfRefusal<CloudcCall>(
        () => secret({ keys: [] }),
        ({ state }) => emptied.has(state),
      ),
    },
  },
)

route(
  'cedar-rotation-binds-first',
  'CLOUDC-ROT-04',
  'a rotation gives the new account its roles on the first of several resources only (000, 4.3 and 2.5: the account of the roleset has its bindings)',
  'cloudc.rotate',
  (original) => (call) =>
    original(
      ruled(call, { boundResources: (bindings) => Object.fromEntries(Object.entries(call.rules.boundResources(bindings)).slice(0, 1)) }),
    ),
)

route(
  'cedar-rotation-ends-one-of-keys',
  'CLOUDC-ROT-10',
  'where a roleset gave several keys, a rotation ends the first only and keeps the account (000, 3: invalidates secrets generated earlier)',
  'cloudc.rotate',
  (original) => async (call) => {
    const [first, second] = call.services.leases.withPrefix(keysBelow(call, `${nameIn(call)}/`))
    if (first === undefined || second === undefined) return original(call)
    const given = await original(ruled(call, { endsKeys: () => false, deletesAccount: () => false }))
    await call.services.leases.revoke(first)
    return given
  },
)

rule(
  'cedar-config-ttl-beyond-maximum',
  'CLOUDC-LEASE-05',
  'a ttl of the config above its max_ttl is not cut for keys that ask for none (000, 4.3: keys have max TTL from engine config)',
  {
    leaseTimes: (original) => (body, config, mount) => {
      const isCut = config.maxTtl === 0 || durationOf(body.ttl, 'ttl', 0) > 0
      return original(body, isCut ? config : { ...config, maxTtl: Math.max(config.ttl, config.maxTtl) }, mount)
    },
  },
)

route(
  'cedar-key-without-parameters',
  'CLOUDC-LEASE-05',
  'a POST for a key without any parameter is refused (000, 4.3: all parameters have defaults)',
  'cloudc.createKey',
  (original) => (call) => {
    if (Object.keys(call.body).length === 0) throw invalid('the body is empty')
    return original(call)
  },
)
