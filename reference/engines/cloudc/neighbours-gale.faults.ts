/** Faults of the cloud-C engine: effects on what stands beside that which a request is about. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { cloudcEngine } from './engine.ts'
import { keyPrefix, nameIn, TOKEN_ROUTES, withRules } from './gale-help.ts'
import { provider } from './provider-calls.ts'
import type { CloudcState } from './state.ts'

const { rule, route, change } = faultsOf(cloudcEngine, 'cloudc')
const core = faultsOf(coreEngine, 'cloudc')

route(
  'gale-delete-ends-keys-of-others',
  'CLOUDC-APART-01',
  'deleting one roleset ends the keys of all rolesets of the mount (000, 4.3: deletes the roleset; keys are leased for their TTL)',
  'cloudc.deleteRoleset',
  (original) => async (call) => {
    const reply = await original(call)
    await call.services.leases.forcePrefix(keyPrefix(call))
    return reply
  },
)

core.rule(
  'gale-config-shared-by-mounts',
  'CLOUDC-APART-01',
  'mounts of one namespace share their configuration (000, 4.3: `{cloudc_mount}/config`; defaults are 0)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      const other = others.find((mount) => mount.engine.type === 'cloudc' && mount.namespace === place.namespace)
      if (engine.type !== 'cloudc' || other === undefined) return state
      const shared = other.state as CloudcState
      return Object.defineProperty(state as CloudcState, 'config', {
        get: () => shared.config,
        set(config: CloudcState['config']) {
          shared.config = config
        },
      })
    },
  },
)

const scopesWritten = remembered((): { last: Json | undefined } => ({ last: undefined }))
route(
  'gale-scopes-of-last-roleset',
  'CLOUDC-SET-11',
  'a new roleset without `token_scopes` gets those of the roleset written before it (000, 4.3: default [])',
  'cloudc.writeRoleset',
  (original) => (call) => {
    const written = scopesWritten(call.state)
    const { token_scopes: scopes, secret_type: type } = call.body
    if (scopes !== undefined) written.last = scopes
    if (written.last === undefined || scopes !== undefined || type === 'service_account_key') return original(call)
    if (call.state.rolesets.has(nameIn(call))) return original(call)
    return original({ ...call, body: { ...call.body, token_scopes: written.last } })
  },
)

rule(
  'gale-earlier-members-lost',
  'CLOUDC-BIND-11',
  'taking a role from an account takes it from the accounts that had it earlier, too (000, 2.5: bindings of a roleset name its own roles)',
  { membersWithout: () => (members, member) => members.slice(members.indexOf(member) + 1) },
)

const tokensGiven = remembered(() => new Map<string, { name: string; email: string; at: number; reply: Reply }>())
route(
  'gale-token-of-roleset-with-same-scopes',
  'CLOUDC-FAIL-02',
  'rolesets with the same scopes share a token for a minute (000, 4.3: `token/:roleset` gives a token of that roleset)',
  TOKEN_ROUTES,
  (original) => async (call) => {
    const { rolesets } = call.state
    const [name, given] = [nameIn(call), tokensGiven(call.state)]
    const roleset = rolesets.get(name)
    if (roleset?.secretType !== 'access_token') return original(call)
    const kind = JSON.stringify(roleset.scopes)
    const known = given.get(kind)
    const stands = known !== undefined && known.name !== name && rolesets.get(known.name)?.account.email === known.email
    if (stands && call.now() - known.at < 60) return known.reply
    const reply = await original(call)
    given.set(kind, { name, email: roleset.account.email, at: call.now(), reply })
    return reply
  },
)

core.rule(
  'gale-mounts-of-parent-namespace',
  'CORE-NS-07',
  'a namespace sees the cloud-C mounts of those above it (000, 2.2: the effective path is the header followed by the path)',
  {
    mountsSeen: (original) => (all, namespace) => {
      const own = original(all, namespace)
      const inherited = all.filter(
        (mount) => mount.engine.type === 'cloudc' && mount.namespace !== namespace && namespace.startsWith(mount.namespace),
      )
      return [...own, ...inherited.filter(({ path }) => !own.some((mount) => mount.path === path))]
    },
  },
)

route(
  'gale-config-write-ends-keys',
  'CLOUDC-LEASE-07',
  'writing the configuration ends all keys that were given out (000, 4.3: leased, with the TTL that the answer shows)',
  'cloudc.writeConfig',
  (original) => async (call) => {
    const reply = await original(call)
    await call.services.leases.forcePrefix(keyPrefix(call))
    return reply
  },
)

route(
  'gale-rotate-ends-keys-of-other-mounts',
  'CLOUDC-APART-01',
  'rotating ends the keys of rolesets with the same name in other mounts (000, 3: secrets generated earlier by that roleset)',
  'cloudc.rotate',
  (original) => async (call) => {
    const reply = await original(call)
    const { leases } = call.services
    const ids = leases.withPrefix('').filter((id) => id.includes(`/key/${nameIn(call)}/`))
    for (const id of ids) await leases.revoke(id).catch(() => undefined)
    return reply
  },
)

route(
  'gale-rotate-key-for-all',
  'CLOUDC-APART-01',
  'after rotate-key the tokens of all rolesets are made with the new key (000, 4.3: rotates the key of that roleset)',
  'cloudc.rotateKey',
  (original) => async (call) => {
    const reply = await original(call)
    const { rolesets } = call.state
    const fresh = rolesets.get(nameIn(call))?.account.tokenKey
    for (const [name, roleset] of [...rolesets])
      if (roleset.account.tokenKey !== undefined)
        rolesets.set(name, { ...roleset, account: { email: roleset.account.email, tokenKey: fresh } })
    return reply
  },
)

route(
  'gale-new-roleset-takes-resource',
  'CLOUDC-MODEL-01',
  'a new roleset takes the roles on its resources from the rolesets that had them (000, 2.5: the bindings of each roleset hold)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const { rolesets } = call.state
    const isNew = !rolesets.has(nameIn(call))
    const reply = await original(call)
    const made = rolesets.get(nameIn(call))
    if (!isNew || made === undefined) return reply
    for (const other of [...rolesets.values()].filter((roleset) => roleset !== made))
      for (const resource of Object.keys(made.bindings))
        if (other.bindings[resource] !== undefined) await provider.revoke(call, resource, other.account.email)
    return reply
  },
)

const parametersSent = remembered(() => new Map<string, JsonObject>())
change('gale-get-key-as-last-post', 'CLOUDC-KEY-05', 'GET key uses the parameters of the POST before it (000, 4.3: GET uses defaults)', {
  routes: {
    'cloudc.createKey': (original) => (call) => {
      parametersSent(call.state).set(nameIn(call), call.body)
      return original(call)
    },
    'cloudc.readKey': (original) => (call) => {
      const { rules } = call
      const body = parametersSent(call.state).get(nameIn(call)) ?? {}
      return original(
        withRules(call, {
          algorithmOf: () => rules.algorithmOf(body),
          keyTypeOf: () => rules.keyTypeOf(body),
          leaseTimes: (_body, config, mount) => rules.leaseTimes(body, config, mount),
        }),
      )
    },
  },
})
