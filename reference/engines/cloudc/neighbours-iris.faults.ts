/** Faults in what stands beside: other rolesets, mounts, namespaces, keys. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { cloudcEngine } from './engine.ts'
import { afterReplacement, type Handler, keysOf, nameOf, rolesetOf, TOKENS, under, withTimes } from './iris-help.ts'
import type { CloudcState } from './state.ts'

const { rule, route, change } = faultsOf(cloudcEngine, 'cloudc')
const core = faultsOf(coreEngine, 'cloudc')

const latestConfig = remembered<{ config?: CloudcState['config'] }>(() => ({}))
const byLatestConfig =
  (original: Handler): Handler =>
  (call) =>
    original(withTimes(call, latestConfig(call.services).config))

change(
  'iris-config-of-last-mount',
  'CLOUDC-APART-01',
  'keys take TTL and max TTL from whichever mount was configured last (4.3: from the engine config)',
  {
    routes: {
      'cloudc.writeConfig': (original) => async (call) => {
        const reply = await original(call)
        latestConfig(call.services).config = call.state.config
        return reply
      },
      'cloudc.readKey': byLatestConfig,
      'cloudc.createKey': byLatestConfig,
    },
  },
)

route(
  'iris-ends-longer-names',
  'CLOUDC-APART-01',
  'new bindings or a rotation end leased keys of rolesets whose names begin alike (3: only those generated under that roleset)',
  ['cloudc.writeRoleset', 'cloudc.rotate'],
  afterReplacement((call) => call.services.leases.forcePrefix(keysOf(call).slice(0, -1))),
)

route(
  'iris-delete-ends-namesakes',
  'CLOUDC-APART-01',
  'the deletion of a roleset ends leased keys of rolesets of that name at other mounts (4.3: deletes the roleset at {cloudc_mount})',
  'cloudc.deleteRoleset',
  (original) => async (call) => {
    const reply = await original(call)
    const { leases } = call.services
    for (const id of leases.withPrefix('')) if (id.includes(`/key/${nameOf(call)}/`)) await leases.forcePrefix(id)
    return reply
  },
)

rule(
  'iris-first-member-out',
  'CLOUDC-BIND-11',
  'an account that goes takes the first member of a role with it (2.5: each roleset has the roles it binds)',
  {
    membersWithout: () => (members, member) => (members.includes(member) ? members.slice(1) : members),
  },
)

core.rule(
  'iris-namespaces-share',
  'CLOUDC-APART-01',
  'mounts at one path in two namespaces share rolesets (2.2: namespace and path lead to one place)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      if (engine.type !== 'cloudc') return state
      const other = others.find((mount) => mount.engine.type === 'cloudc' && mount.path === place.path)
      return other === undefined ? state : { ...(state as CloudcState), rolesets: (other.state as CloudcState).rolesets }
    },
  },
)

route(
  'iris-rotation-ends-project',
  'CLOUDC-ROT-08',
  'a rotation ends leased keys of all rolesets of the same project (3: secrets generated earlier by that roleset)',
  'cloudc.rotate',
  afterReplacement(async (call, { project }) => {
    for (const [name, other] of call.state.rolesets)
      if (other.project === project) await call.services.leases.forcePrefix(keysOf(call, name))
  }),
)

route(
  'iris-account-of-equal-roleset',
  'CLOUDC-SET-22',
  'a roleset with the bindings of another uses its account (4.3: each roleset has its service account, which goes with a rotation of that one)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const before = rolesetOf(call)
    const reply = await original(call)
    const made = rolesetOf(call)
    if (before !== undefined || made === undefined) return reply
    const kind = ({ project, secretType, bindings }: typeof made) => JSON.stringify([project, secretType, bindings])
    const equal = [...call.state.rolesets.values()].find((other) => other !== made && kind(other) === kind(made))
    if (equal) call.state.rolesets.set(nameOf(call), { ...made, account: equal.account })
    return reply
  },
)

const FRESH_S = 300
const givenTokens = remembered(() => new Map<string, { name: string; at: number; reply: Reply }>())

route(
  'iris-token-of-equal-scopes',
  'CLOUDC-FAIL-02',
  'rolesets with the same project and scopes get one token within five minutes (4.3: a token of the roleset that is asked)',
  TOKENS,
  (original) => async (call) => {
    const roleset = rolesetOf(call)
    if (roleset?.secretType !== 'access_token') return original(call)
    const kind = JSON.stringify([roleset.project, roleset.scopes])
    const known = givenTokens(call.state).get(kind)
    if (known && known.name !== nameOf(call) && call.now() - known.at < FRESH_S) return known.reply
    const reply = await original(call)
    givenTokens(call.state).set(kind, { name: nameOf(call), at: call.now(), reply })
    return reply
  },
)

const lastAlgorithm = remembered(() => new Map<string, string>())

change('iris-get-like-last-post', 'CLOUDC-KEY-05', 'a GET of a key takes key_algorithm of the POST before it (4.3: GET uses defaults)', {
  routes: {
    'cloudc.createKey': (original) => async (call) => {
      const reply = await original(call)
      lastAlgorithm(call.state).set(nameOf(call), call.rules.algorithmOf(call.body))
      return reply
    },
    'cloudc.readKey': (original) => (call) => {
      const last = lastAlgorithm(call.state).get(nameOf(call))
      return original(last === undefined ? call : under(call, { algorithmOf: () => last }))
    },
  },
})

route(
  'iris-ends-keys-of-root',
  'CLOUDC-APART-01',
  'new bindings in a namespace end leased keys at the same path of the root, not its own (3: secrets under that roleset; 2.2)',
  ['cloudc.writeRoleset', 'cloudc.rotate'],
  (original) => (call) => {
    if (call.mount.namespace === '') return original(call)
    const root = { ...call.mount, namespace: '' }
    const ending = afterReplacement(() => call.services.leases.forcePrefix(keysOf({ ...call, mount: root })))
    return ending(original)(under(call, { endsKeys: () => false }))
  },
)

route(
  'iris-delete-longer-names',
  'CORE-NAME-01',
  'the deletion of a roleset deletes those whose names begin with its name (4.3: deletes the roleset)',
  'cloudc.deleteRoleset',
  (original) => async (call) => {
    const reply = await original(call)
    for (const name of [...call.state.rolesets.keys()]) if (name.startsWith(nameOf(call))) call.state.rolesets.delete(name)
    return reply
  },
)

const lastScopes = remembered<{ scopes: string[] }>(() => ({ scopes: [] }))

route(
  'iris-scopes-of-roleset-before',
  'CLOUDC-SET-11',
  'a new roleset without token_scopes gets those of the roleset that was written before it (4.3: default [])',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const last = lastScopes(call.state)
    const isBare = rolesetOf(call) === undefined && call.body.token_scopes === undefined && call.body.secret_type !== 'service_account_key'
    const reply = await original(isBare ? { ...call, body: { ...call.body, token_scopes: last.scopes } } : call)
    last.scopes = rolesetOf(call)?.scopes ?? []
    return reply
  },
)
