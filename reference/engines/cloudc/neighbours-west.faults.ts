/** Faults whose effect falls on a neighbour: another roleset, mount, namespace, resource, key. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { cloudcEngine } from './engine.ts'
import type { Bindings, CloudcState } from './state.ts'
import { KEYS, nameOf, TOKENS, withLeases, withRules } from './west-help.ts'

const { rule, route, change } = faultsOf(cloudcEngine, 'cloudc')
const core = faultsOf(coreEngine, 'cloudc')

route(
  'west-delete-takes-longer-names',
  'CLOUDC-APART-01',
  'deleting a roleset deletes those too whose names begin with its name (000 4.3: DELETE roleset/:name deletes the roleset)',
  'cloudc.deleteRoleset',
  (original) => async (call) => {
    const name = nameOf(call)
    const longer = [...call.state.rolesets.keys()].filter((other) => other !== name && other.startsWith(name))
    if (call.state.rolesets.has(name)) for (const other of longer) await original({ ...call, params: { ...call.params, name: other } })
    return original(call)
  },
)

route(
  'west-update-ends-keys-of-longer-names',
  'CLOUDC-APART-01',
  'new bindings of a roleset end keys of rolesets whose names begin with its name (000 3: all secrets generated under that roleset)',
  'cloudc.writeRoleset',
  (original) => (call) =>
    original(withLeases(call, { forcePrefix: (prefix) => call.services.leases.forcePrefix(prefix.replace(/\/$/, '')) })),
)

route(
  'west-rotation-ends-keys-of-all-mounts',
  'CLOUDC-APART-01',
  'rotating a roleset ends keys of rolesets of the same name at other mounts (000 3: secrets generated earlier by that roleset)',
  'cloudc.rotate',
  (original) => (call) => {
    const { leases } = call.services
    const ending = async (): Promise<void> => {
      for (const id of leases.withPrefix('').filter((one) => one.includes(`/key/${nameOf(call)}/`))) await leases.forcePrefix(id)
    }
    return original(withLeases(call, { forcePrefix: ending }))
  },
)

route(
  'west-new-name-of-other-case-updates',
  'CLOUDC-SET-02',
  'a new roleset whose name differs by case from an existing one updates that one (000 4.3: POST roleset/:name, create or update)',
  'cloudc.writeRoleset',
  (original) => (call) => {
    const name = nameOf(call)
    const { rolesets } = call.state
    const namesake = rolesets.has(name) ? undefined : [...rolesets.keys()].find((other) => other.toLowerCase() === name.toLowerCase())
    return original(namesake === undefined ? call : { ...call, params: { ...call.params, name: namesake } })
  },
)

core.rule(
  'west-new-mount-takes-times-of-another',
  'CLOUDC-CONF-08',
  'a new mount starts with the lease times of a mount that is there (000 4.3: POST config, ttl and max_ttl default 0)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      const other = others.find((mount) => mount.engine.type === 'cloudc')
      if (engine.type !== 'cloudc' || other === undefined) return state
      const { ttl, maxTtl } = (other.state as CloudcState).config
      const fresh = state as CloudcState
      fresh.config = { ...fresh.config, ttl, maxTtl }
      return fresh
    },
  },
)

/** Tokens by the scopes that they are for. */
const tokensByScopes = remembered(() => new Map<string, { name: string; at: number; given: Reply }>())

route(
  'west-token-shared-by-scopes',
  'CLOUDC-FAIL-02',
  'a roleset gives the token of another one that has the same scopes (000 4.3: token/:roleset, a token of that roleset)',
  TOKENS,
  (original) => async (call) => {
    const name = nameOf(call)
    const roleset = call.state.rolesets.get(name)
    if (roleset?.secretType !== 'access_token') return original(call)
    const known = tokensByScopes(call.state)
    const scopes = [...roleset.scopes].sort().join(' ')
    const seen = known.get(scopes)
    if (seen !== undefined && seen.name !== name && call.now() - seen.at < 60) return seen.given
    const given = await original(call)
    known.set(scopes, { name, at: call.now(), given })
    return given
  },
)

const latestKeys = remembered(() => new Map<string, () => Promise<void>>())

route(
  'west-lease-end-deletes-key-before',
  'CLOUDC-LEASE-10',
  "the end of a key's lease deletes the key that the roleset issued before it (000 2.5: service-account-key secret, leased)",
  KEYS,
  (original) => (call) => {
    const latest = latestKeys(call.state)
    return original(
      withLeases(call, {
        issue: (issuing, request) => {
          const before = latest.get(nameOf(call))
          latest.set(nameOf(call), () => request.revoke())
          return call.services.leases.issue(issuing, before === undefined ? request : { ...request, revoke: before })
        },
      }),
    )
  },
)

/** States by the paths of mounts and then by namespaces. */
const statesByPath = remembered(() => new Map<string, Map<string, CloudcState>>())

change(
  'west-list-of-all-namespaces',
  'CLOUDC-APART-01',
  'the list shows rolesets of a mount with the same path in another namespace (000 2.2: the effective path has the namespace)',
  {
    routes: {
      'cloudc.writeRoleset': (original) => (call) => {
        const known = statesByPath(call.services)
        const { path, namespace } = call.mount
        known.set(path, new Map([...(known.get(path) ?? []), [namespace, call.state]]))
        return original(call)
      },
      'cloudc.listRolesets': () => (call) => {
        const others = [...(statesByPath(call.services).get(call.mount.path) ?? [])].filter(([at]) => at !== call.mount.namespace)
        return call.services.listing(
          new Set([call.state, ...others.map(([, state]) => state)].flatMap(({ rolesets }) => [...rolesets.keys()])),
        )
      },
    },
  },
)

/** Members that look as if this engine had made them. */
const MADE_HERE = /^serviceAccount:s[a-z0-9]{0,10}-[a-z0-9]{14}@/

route(
  'west-delete-unbinds-others',
  'CLOUDC-BIND-11',
  'deleting a roleset takes the roles on its resources from the accounts of other rolesets, too (000 2.5: bindings of a roleset)',
  'cloudc.deleteRoleset',
  (original) => (call) =>
    original(withRules(call, { membersWithout: (members, member) => members.filter((one) => one !== member && !MADE_HERE.test(one)) })),
)

const projectIn = (resource: string): string => /projects\/([^/]+)/.exec(resource)?.[1] ?? resource

rule(
  'west-roles-of-a-project-added-up',
  'CLOUDC-ROT-04',
  'each resource gets the roles of all resources of its project (000 2.5: each entry names a resource and its list of roles)',
  {
    boundResources: (original) => (bindings) => {
      const all = Object.entries(original(bindings))
      const rolesOf = (project: string) => all.filter(([other]) => projectIn(other) === project).flatMap(([, roles]) => roles)
      return Object.fromEntries(all.map(([resource]) => [resource, [...new Set(rolesOf(projectIn(resource)))]])) as Bindings
    },
  },
)

const latestAlgorithm = remembered(() => ({ name: '' }))

change(
  'west-get-key-with-algorithm-of-others',
  'CLOUDC-KEY-05',
  'GET of a key uses the algorithm that somebody else asked for last at the mount (000 4.3: key/:roleset, GET uses defaults)',
  {
    routes: {
      'cloudc.createKey': (original) => async (call) => {
        const given = await original(call)
        latestAlgorithm(call.state).name = call.rules.algorithmOf(call.body)
        return given
      },
      'cloudc.readKey': (original) => (call) => {
        const { name } = latestAlgorithm(call.state)
        return original(name === '' ? call : withRules(call, { algorithmOf: () => name }))
      },
    },
  },
)

core.rule(
  'west-namespace-inherits-mount',
  'CORE-NS-07',
  "a namespace without such a mount reaches the root's mount of the same path (000 2.2: effective path; 7: 404 invalid path)",
  {
    mountsSeen: (original) => (all, namespace) => {
      const own = original(all, namespace)
      const above = namespace === '' ? [] : all.filter((mount) => mount.engine.type === 'cloudc' && mount.namespace === '')
      return [...own, ...above.filter(({ path }) => !own.some((mount) => mount.path === path))]
    },
  },
)
