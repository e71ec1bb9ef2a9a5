/** Faults that reach beyond what was asked: other rolesets, keys, mounts, namespaces, similar names. */
import { coreEngine } from '../../core/core-engine.ts'
import { durationOf } from '../../core/durations.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { KEYS, leasing, others, ruled, TOKENS } from './birch-help.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcCall } from './provider-calls.ts'
import type { CloudcState } from './state.ts'

const { rule, route } = faultsOf(cloudcEngine, 'cloudc')
const core = faultsOf(coreEngine, 'cloudc')

rule(
  'birch-revoke-pops-the-last-member',
  'CLOUDC-BIND-08',
  'taking rights back drops the last member of every other role on the resource, too (000 2.5: bindings, roles of a resource)',
  {
    membersWithout: () => (members, member) => {
      const left = [...members]
      left.splice(left.indexOf(member), 1)
      return left
    },
  },
)

route(
  'birch-rotate-ends-keys-of-longer-names',
  'CLOUDC-APART-01',
  'rotating a roleset ends the keys of rolesets whose names begin with its name (000 3: secrets generated earlier by that roleset)',
  'cloudc.rotate',
  (original) => async (call) => {
    const done = await original(call)
    await call.services.leases.forcePrefix(`${call.mount.namespace}${call.mount.path}key/${call.params.name}`)
    return done
  },
)

core.rule(
  'birch-new-mount-inherits-config',
  'CLOUDC-CONF-08',
  'a new mount starts with the config of the mount before it (000 4.3: ttl, max_ttl default 0)',
  {
    stateOf: (original) => (engine, all, place) => {
      const state = original(engine, all, place)
      if (engine.type !== 'cloudc') return state
      const before = all.filter((mount) => mount.engine.type === 'cloudc' && mount.namespace === place.namespace).at(-1)
      return before === undefined ? state : { ...(state as CloudcState), config: { ...(before.state as CloudcState).config } }
    },
  },
)

route(
  'birch-key-end-ends-older-keys',
  'CLOUDC-LEASE-11',
  'the end of a key ends the keys that the roleset issued before it (000 4.3: keys have TTL and max TTL, each leased)',
  KEYS,
  (original) => (call) => {
    const { leases } = call.services
    const at = call.now()
    return original(
      leasing(call, (request) => ({
        ...request,
        async revoke() {
          await request.revoke()
          const siblings = leases.withPrefix(`${call.mount.namespace}${call.path}/`)
          for (const id of siblings.filter((one) => (leases.find(one)?.issuedAt ?? at) < at)) await leases.revoke(id)
        },
      })),
    )
  },
)

route(
  'birch-roles-add-up-over-rolesets',
  'CLOUDC-BIND-08',
  'an account is also given the roles that other rolesets bind on the same resource (000 2.5: bindings, each a resource and its roles)',
  'cloudc.writeRoleset',
  (original) => (call) =>
    original(
      ruled(call, {
        boundResources: (bindings) =>
          Object.fromEntries(
            Object.entries(call.rules.boundResources(bindings)).map(([resource, roles]) => {
              const more = others(call, call.params.name).flatMap((roleset) => roleset.bindings[resource] ?? [])
              return [resource, [...new Set([...roles, ...more])]]
            }),
          ),
      }),
    ),
)

const tokensByScope = remembered(() => new Map<string, { email: string; given: Reply }>())

route(
  'birch-token-shared-by-scopes',
  'CLOUDC-FAIL-02',
  'rolesets of equal project and scopes get one another’s access token (000 4.3: token of the roleset)',
  TOKENS,
  (original) => async (call) => {
    const roleset = call.state.rolesets.get(call.params.roleset ?? '')
    if (roleset?.secretType !== 'access_token') return original(call)
    const known = tokensByScope(call.state)
    const kind = [roleset.project, ...roleset.scopes].join(' ')
    const before = known.get(kind)
    if (before !== undefined && [...call.state.rolesets.values()].some(({ account }) => account.email === before.email)) return before.given
    const given = await original(call)
    known.set(kind, { email: roleset.account.email, given })
    return given
  },
)

core.rule(
  'birch-same-path-same-state',
  'CLOUDC-APART-01',
  'mounts at the same path in two namespaces share their rolesets and config (000 2.2: the effective path has the namespace)',
  {
    stateOf: (original) => (engine, all, place) => {
      const namesake = all.find(
        (mount) => mount.engine.type === 'cloudc' && mount.path === place.path && mount.namespace !== place.namespace,
      )
      return engine.type === 'cloudc' && namesake !== undefined ? namesake.state : original(engine, all, place)
    },
  },
)

const lastAsked = new WeakMap<CloudcState['config'], number>()

rule(
  'birch-asked-ttl-sticks',
  'CLOUDC-LEASE-03',
  'a ttl asked for one key is the default of the next ones, of any roleset (000 4.3: ttl default "")',
  {
    leaseTimes: (original) => (body, config, mount) => {
      const asked = durationOf(body.ttl, 'ttl', 0)
      if (asked > 0) lastAsked.set(config, asked)
      return original({ ...body, ttl: asked || (lastAsked.get(config) ?? 0) }, config, mount)
    },
  },
)

route(
  'birch-account-found-by-project',
  'CLOUDC-LEASE-03',
  'keys are made for the first account in the project, whichever roleset asks (000 2.5: service_account_email of the roleset)',
  KEYS,
  (original) => (call) => {
    const name = call.params.roleset ?? ''
    const roleset = call.state.rolesets.get(name)
    const first = [...call.state.rolesets.values()].find(
      (known) => known.project === roleset?.project && known.secretType === roleset.secretType,
    )
    if (roleset === undefined || first === undefined) return original(call)
    const rolesets = new Map(call.state.rolesets).set(name, { ...roleset, account: first.account })
    return original({ ...call, state: { ...call.state, rolesets } })
  },
)

core.rule(
  'birch-parent-mounts-seen',
  'CORE-NS-07',
  'a namespace reaches the mounts of the namespaces above it (000 2.2: the effective path is header value and path)',
  {
    mountsSeen: (original) => (all, namespace) => {
      const own = original(all, namespace)
      const above = all.filter(
        (mount) =>
          mount.engine.type === 'cloudc' &&
          mount.namespace !== namespace &&
          namespace.startsWith(mount.namespace) &&
          !own.some(({ path }) => path === mount.path),
      )
      return [...own, ...above]
    },
  },
)

interface Numbers {
  tag: string
  used: Map<string, number>
}

const numbers = remembered((): Numbers => ({ tag: '', used: new Map() }))

/** Numbers accounts by the roleset's whole name, but cuts that name in the account's. */
const numbered = (call: CloudcCall): CloudcCall =>
  ruled(call, {
    accountId(name, random) {
      const known = numbers(call.state)
      known.tag ||= random.word(5).toLowerCase()
      const number = (known.used.get(name) ?? 0) + 1
      known.used.set(name, number)
      const cut = name
        .toLowerCase()
        .replaceAll(/[^a-z0-9]/g, '')
        .slice(0, 20)
      return `s${cut}-${known.tag}${number}`
    },
  })

route(
  'birch-long-names-collide',
  'CORE-NS-02',
  'a roleset whose first twenty letters are those of another cannot be made beside it (000 4.3: POST creates; 2.5: name)',
  ['cloudc.writeRoleset', 'cloudc.rotate'],
  (original) => (call) => original(numbered(call)),
)
