/** Faults with an effect on what stands next to it: other rolesets, keys, mounts, namespaces, resources. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { issuing, keysBelow, mountsWritten, nameIn, rolesetIn, ruled, type Wrap } from './cedar-help.ts'
import { cloudcEngine } from './engine.ts'
import { provider } from './provider-calls.ts'
import type { Bindings, CloudcState } from './state.ts'

const { rule, route, change } = faultsOf(cloudcEngine, 'cloudc')
const core = faultsOf(coreEngine, 'cloudc')

route(
  'cedar-update-ends-keys-of-longer-names',
  'CLOUDC-APART-01',
  'new bindings of a roleset revoke the keys of rolesets whose names begin with its name, too (000, 3: all secrets generated under that roleset)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const before = rolesetIn(call)
    const given = await original(call)
    if (before && rolesetIn(call)?.account.email !== before.account.email)
      await call.services.leases.forcePrefix(keysBelow(call, nameIn(call)))
    return given
  },
)

const OWN_MEMBER = /^serviceAccount:s[a-z0-9]*-[a-z0-9]{14}@/
route(
  'cedar-deletion-unbinds-others',
  'CLOUDC-BIND-11',
  'the deletion of a roleset takes the roles on its resources from the accounts of other rolesets, too (000, 4.3: deletes the roleset; 2.5: bindings of each)',
  'cloudc.deleteRoleset',
  (original) => (call) => original(ruled(call, { membersWithout: (members) => members.filter((one) => !OWN_MEMBER.test(one)) })),
)

const configured = remembered<{ state?: CloudcState }>(() => ({}))
const taken: Wrap = (original) => (call) => {
  const { config } = call.state
  const other = configured(call.services).state
  if (config.ttl || other === undefined || other === call.state) return original(call)
  return original({ ...call, state: { ...call.state, config: { ...config, ttl: other.config.ttl } } })
}
change(
  'cedar-ttl-of-other-mount',
  'CLOUDC-LEASE-04',
  'keys of a mount without a ttl of its own live as long as the config of another mount says (000, 4.3: TTL from engine config, else system defaults)',
  {
    routes: {
      'cloudc.writeConfig': (original) => async (call) => {
        const given = await original(call)
        if (call.state.config.ttl) configured(call.services).state = call.state
        return given
      },
      'cloudc.readKey': taken,
      'cloudc.createKey': taken,
    },
  },
)

const listed = mountsWritten()
change(
  'cedar-list-of-all-mounts',
  'CLOUDC-APART-01',
  'the list of rolesets has those of other mounts, too (000, 4.3: LIST {cloudc_mount}/rolesets)',
  {
    routes: {
      'cloudc.writeRoleset': listed.noting,
      'cloudc.listRolesets': (original) => (call) => {
        if (call.state.rolesets.size === 0) return original(call)
        return call.services.listing(new Set(listed.mounts(call).flatMap(({ rolesets }) => [...rolesets.keys()])))
      },
    },
  },
)

core.rule(
  'cedar-same-path-same-state',
  'CLOUDC-APART-01',
  'mounts at one path in two namespaces share their rolesets (000, 2.2: the effective path is the namespace followed by the path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const same = others.find(({ engine: { type }, path }) => type === 'cloudc' && path === place.path)
      return same && engine.type === 'cloudc' ? same.state : original(engine, others, place)
    },
  },
)

route(
  'cedar-update-binds-what-changed',
  'CLOUDC-BIND-07',
  'after an update the new account has roles only on those resources whose entries changed (000, 2.5: bindings are a set of entries, all of them)',
  'cloudc.writeRoleset',
  (original) => (call) => {
    let before: Bindings = {}
    return original(
      ruled(call, {
        changesBindings: (was, is) => {
          before = was
          return call.rules.changesBindings(was, is)
        },
        boundResources: (bindings) =>
          Object.fromEntries(
            Object.entries(call.rules.boundResources(bindings)).filter(([name, roles]) => String(roles) !== String(before[name])),
          ),
      }),
    )
  },
)

const kept = remembered(() => new Map<string, { kind: string; given: Reply }>())
const handedOn: Wrap = (original) => async (call) => {
  const roleset = rolesetIn(call)
  if (roleset?.secretType !== 'access_token') return original(call)
  const kind = `${roleset.project} ${roleset.scopes}`
  const other = [...kept(call.state)].find(([owner, token]) => owner !== nameIn(call) && token.kind === kind)
  if (other) return other[1].given
  const given = await original(call)
  kept(call.state).set(nameIn(call), { kind, given })
  return given
}
route(
  'cedar-token-of-other-roleset',
  'CLOUDC-FAIL-02',
  'a roleset gets the token of another one with the same project and scopes, whose account it is (000, 4.3: token/:roleset; 2.5: service_account_email)',
  ['cloudc.readToken', 'cloudc.createToken'],
  handedOn,
)

const newest = remembered(() => new Map<string, () => Promise<void>>())
route(
  'cedar-lease-ends-newest-key',
  'CLOUDC-LEASE-10',
  'the end of a lease deletes the key that the roleset gave last, not the one of the lease (000, 2.5: keys are leased, 2.3 each by its lease_id)',
  ['cloudc.readKey', 'cloudc.createKey'],
  (original) => (call) =>
    original(
      issuing(call, (request) => {
        const keys = newest(call.state)
        keys.set(nameIn(call), request.revoke)
        return { ...request, revoke: () => (keys.get(nameIn(call)) ?? request.revoke)() }
      }),
    ),
)

route(
  'cedar-default-scopes-are-one-list',
  'CLOUDC-APART-01',
  'rolesets without scopes share one list: the first scopes of one become those of all (000, 4.3: token_scopes default [], of the roleset)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const before = rolesetIn(call)
    const given = await original(call)
    const scopes = rolesetIn(call)?.scopes ?? []
    if (before?.scopes.length !== 0 || scopes.length === 0) return given
    for (const [name, other] of call.state.rolesets)
      if (other.secretType === 'access_token' && other.scopes.length === 0) call.state.rolesets.set(name, { ...other, scopes })
    return given
  },
)

route(
  'cedar-second-binding-takes-over',
  'CLOUDC-MODEL-01',
  'a new roleset takes a resource over: accounts of other rolesets lose their roles there (000, 2.5: each roleset has its bindings)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const isNew = rolesetIn(call) === undefined
    const given = await original(call)
    const made = rolesetIn(call)
    if (!isNew || made === undefined) return given
    for (const other of call.state.rolesets.values())
      for (const resource of Object.keys(made.bindings))
        if (other !== made && other.bindings[resource]?.some((role) => made.bindings[resource]?.includes(role)))
          await provider.revoke(call, resource, other.account.email)
    return given
  },
)

const namesakes = mountsWritten()
change(
  'cedar-deletion-of-namesakes',
  'CLOUDC-APART-01',
  'the deletion of a roleset deletes those of its name in other mounts, too (000, 4.3: DELETE {cloudc_mount}/roleset/:name)',
  {
    routes: {
      'cloudc.writeRoleset': namesakes.noting,
      'cloudc.deleteRoleset': (original) => async (call) => {
        const given = await original(call)
        for (const { rolesets } of namesakes.mounts(call)) rolesets.delete(nameIn(call))
        return given
      },
    },
  },
)

rule(
  'cedar-roles-of-all-entries',
  'CLOUDC-BIND-08',
  'an account gets the roles of all entries on each of the resources (000, 2.5: each entry names a resource and its list of roles)',
  {
    boundResources: (original) => (bindings) => {
      const all = [...new Set(Object.values(bindings).flat())]
      return Object.fromEntries(Object.keys(original(bindings)).map((resource) => [resource, all]))
    },
  },
)
