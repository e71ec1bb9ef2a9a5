/** Faults in which a request has an effect on a neighbour: another roleset, key, mount, or account at the provider. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { cloudcEngine } from './engine.ts'
import { KEY_ROUTES, keyPrefix, nameOf, overProvider, rolesetOf, TOKEN_ROUTES, withIssue, withLeases, withRules } from './loose-words.ts'
import type { CloudcState } from './state.ts'

const { rule, route } = faultsOf(cloudcEngine)
const core = faultsOf(coreEngine, 'cloudc')

interface PolicyBinding {
  role: string
  members: string[]
}

route(
  'bindings-end-longer-names',
  ['CLOUDC-APART-01'],
  'new bindings end the keys of rolesets whose names begin with this name, too (000 3, "all secrets generated under that roleset")',
  'cloudc.writeRoleset',
  (original) => (call) => {
    const { leases } = call.services
    return original(withLeases(call, { forcePrefix: (prefix) => leases.forcePrefix(prefix.replace(/\/$/, '')) }))
  },
)

route(
  'rotate-ends-project',
  ['CLOUDC-ROT-08'],
  'a rotation ends the keys of every roleset of the project (000 3, "invalidates secrets generated earlier by that roleset")',
  'cloudc.rotate',
  (original) => async (call) => {
    const given = await original(call)
    const project = rolesetOf(call)?.project
    for (const [name, other] of call.state.rolesets)
      if (other.project === project) await call.services.leases.forcePrefix(keyPrefix(call, name))
    return given
  },
)

core.rule(
  'mount-inherits-config',
  ['CLOUDC-CONF-08', 'CLOUDC-CONF-09'],
  'a new mount starts with the configuration of the mount before it (000 4.3, POST config: ttl and max_ttl default 0)',
  {
    stateOf: (original) => (engine, others, place) => {
      const fresh = original(engine, others, place)
      const before = others.filter((mount) => mount.engine.type === 'cloudc').at(-1)
      if (engine.type === 'cloudc' && before !== undefined) (fresh as CloudcState).config = { ...(before.state as CloudcState).config }
      return fresh
    },
  },
)

const minted = remembered(() => new Map<string, { name: string; email: string; given: Reply }>())

route(
  'token-of-alike',
  ['CLOUDC-FAIL-02'],
  'a roleset gets the token of another one of the same project and scopes (000 4.3, token/:roleset; 2.5 roleset with its own account)',
  TOKEN_ROUTES,
  (original) => async (call) => {
    const own = rolesetOf(call)
    if (own?.secretType !== 'access_token') return original(call)
    const kind = JSON.stringify([own.project, own.scopes])
    const before = minted(call.state).get(kind)
    const alive = before !== undefined && call.state.rolesets.get(before.name)?.account.email === before.email
    if (before && alive && before.name !== nameOf(call)) return before.given
    const given = await original(call)
    minted(call.state).set(kind, { name: nameOf(call), email: own.account.email, given })
    return given
  },
)

route(
  'lease-ends-siblings',
  ['CLOUDC-LEASE-11'],
  'the end of one lease ends the other keys that the same caller got of the roleset (000 4.3, key/:roleset: each answer is leased)',
  KEY_ROUTES,
  withIssue((call, issue) => (issuing, request) => {
    const { leases } = call.services
    const revoke = async (): Promise<void> => {
      await request.revoke()
      for (const id of leases.withPrefix(keyPrefix(call, nameOf(call))))
        if (leases.find(id)?.tokenId === issuing.token?.id) await leases.revoke(id)
    }
    return issue(issuing, { ...request, revoke })
  }),
)

route(
  'delete-takes-role-from-all',
  ['CLOUDC-BIND-11'],
  'deleting a roleset takes its roles on its resources from all other members (000 4.3, DELETE roleset/:name, "deletes the roleset")',
  'cloudc.deleteRoleset',
  withRules(() => ({ membersWithout: (members, member) => (members.includes(member) ? [] : members) })),
)

route(
  'grant-replaces-members',
  ['CLOUDC-BIND-11'],
  'granting a role makes the new account its only member, so other rolesets lose it (000 2.5, bindings give each roleset its roles)',
  'cloudc.writeRoleset',
  (original) => (call) => {
    const known = new Map<string, number>()
    const change =
      (resource: string) =>
      ({ role, members }: PolicyBinding) => ({
        role,
        members: members.length > (known.get(`${resource} ${role}`) ?? 0) ? members.slice(-1) : members,
      })
    return original(
      overProvider(call, (ask) => async (method, url, body) => {
        const resource = url.replace(/:[gs]etIamPolicy$/, '')
        if (url.endsWith(':setIamPolicy')) {
          const policy = body?.policy as JsonObject
          const bindings = (policy.bindings as unknown as PolicyBinding[]).map(change(resource))
          return ask(method, url, { policy: { ...policy, bindings: bindings as unknown as Json } })
        }
        const answer = await ask(method, url, body)
        if (url.endsWith(':getIamPolicy'))
          for (const { role, members } of (answer.bindings ?? []) as unknown as PolicyBinding[])
            known.set(`${resource} ${role}`, members.length)
        return answer
      }),
    )
  },
)

route(
  'bindings-end-namesakes',
  ['CLOUDC-APART-01'],
  'new bindings end the keys of the roleset of the same name on other mounts (000 3, "all secrets generated under that roleset")',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const before = rolesetOf(call)?.account.email
    const given = await original(call)
    const { leases } = call.services
    if (before !== undefined && rolesetOf(call)?.account.email !== before)
      for (const id of leases.withPrefix(call.mount.namespace))
        if (id.includes(`/key/${nameOf(call)}/`)) await leases.revoke(id).catch(() => undefined)
    return given
  },
)

const askedFor = new WeakMap<object, JsonObject>()

rule(
  'key-ttl-sticks',
  ['CLOUDC-LEASE-03'],
  'a ttl given with one key holds for later keys of the mount without one (000 4.3, key parameters: ttl default "")',
  {
    leaseTimes: (original) => (body, config, mount) => {
      const times = original(body.ttl ? body : { ...body, ...askedFor.get(config) }, config, mount)
      if (body.ttl) askedFor.set(config, { ttl: body.ttl })
      return times
    },
  },
)

const latestScopes = remembered(() => ({ scopes: [] as Json }))

route(
  'default-scopes-shared',
  ['CLOUDC-SET-11'],
  'a roleset made without token_scopes gets those of the one made before it (000 4.3, POST roleset: token_scopes default [])',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const isNew = rolesetOf(call) === undefined
    const shared = latestScopes(call.state)
    const isForTokens = (call.body.secret_type ?? 'access_token') === 'access_token'
    const body = isNew && isForTokens ? { token_scopes: shared.scopes, ...call.body } : call.body
    const given = await original({ ...call, body })
    if (isNew && isForTokens) shared.scopes = rolesetOf(call)?.scopes ?? []
    return given
  },
)

const mounted = remembered(() => new Set<CloudcState>())

route(
  'max-ttl-of-all-mounts',
  'CLOUDC-APART-01',
  'max_ttl written on one mount holds for all configured ones (000 4.3, {cloudc_mount}/config belongs to its mount)',
  'cloudc.writeConfig',
  (original) => async (call) => {
    const given = await original(call)
    const all = mounted(call.services).add(call.state)
    const { maxTtl } = call.state.config
    if (call.body.max_ttl !== undefined) for (const state of all) state.config = { ...state.config, maxTtl }
    return given
  },
)
