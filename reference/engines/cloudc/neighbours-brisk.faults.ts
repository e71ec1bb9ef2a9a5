/** Faults in which a request reaches another roleset, key, mount or namespace than the one that it names. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Lease } from '../../core/leases.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcCall } from './provider-calls.ts'
import type { CloudcState, Roleset } from './state.ts'

const { rule, route } = faultsOf(cloudcEngine)
const core = faultsOf(coreEngine, 'cloudc')

const TOKENS = ['cloudc.readToken', 'cloudc.createToken']
const KEYS = ['cloudc.readKey', 'cloudc.createKey']
const OWN_ACCOUNT = /^serviceAccount:s[a-z0-9]*-[a-z0-9]{14}@/
const SHARED_S = 60

/** The call as if its roleset were another one. */
const withRoleset = (call: CloudcCall, name: string, roleset: Roleset): CloudcCall => ({
  ...call,
  state: Object.assign(Object.create(call.state) as CloudcState, { rolesets: new Map(call.state.rolesets).set(name, roleset) }),
})

const leaseOf = (call: CloudcCall, reply: Reply): Lease | undefined =>
  call.services.leases.find(String((reply.body as { lease_id?: string }).lease_id))

const isSameSort = (one: Roleset, other: Roleset): boolean => one.secretType === other.secretType && one.project === other.project

route(
  'delete-takes-longer-names',
  ['CLOUDC-SET-14', 'CLOUDC-SET-15'],
  'deleting a roleset forgets every roleset whose name goes on with a hyphen after its name (000 4.3, DELETE roleset: deletes the roleset)',
  'cloudc.deleteRoleset',
  (original) => (call) => {
    const name = call.params.name ?? ''
    for (const other of [...call.state.rolesets.keys()]) if (other.startsWith(`${name}-`)) call.state.rolesets.delete(other)
    return original(call)
  },
)

route(
  'scopes-of-newest-roleset',
  ['CLOUDC-ROT-06'],
  'a token has the scopes of the roleset that was made last in the mount (000 4.3: scopes are those of the roleset)',
  TOKENS,
  (original) => (call) => {
    const name = call.params.roleset ?? ''
    const own = call.state.rolesets.get(name)
    const newest = [...call.state.rolesets.values()].filter(({ secretType }) => secretType === 'access_token').at(-1)
    return original(own && newest ? withRoleset(call, name, { ...own, scopes: newest.scopes }) : call)
  },
)

rule(
  'rights-of-all-taken-back',
  ['CLOUDC-ROT-04', 'CLOUDC-BIND-11'],
  'taking back the rights of one account takes those of all rolesets on the same resource (000 2.5: bindings of a roleset)',
  { membersWithout: (original) => (members, member) => original(members, member).filter((one) => !OWN_ACCOUNT.test(one)) },
)

route(
  'token-shared-by-scopes',
  ['CLOUDC-MODEL-01'],
  'two rolesets with the same scopes get one token within a minute (000 4.3: token/:roleset is that of the roleset, with its account)',
  TOKENS,
  (original) => {
    const known = remembered(() => new Map<string, { name: string; at: number; given: Reply }>())
    return async (call) => {
      const name = call.params.roleset ?? ''
      const roleset = call.state.rolesets.get(name)
      if (roleset?.secretType !== 'access_token') return original(call)
      const key = roleset.scopes.join(' ')
      const entry = known(call.state).get(key)
      if (entry && entry.name !== name && call.now() - entry.at < SHARED_S) return entry.given
      const given = await original(call)
      known(call.state).set(key, { name, at: call.now(), given })
      return given
    }
  },
)

core.rule(
  'config-shared-by-mounts',
  'CLOUDC-APART-01',
  'all mounts of the engine have one configuration (000 section 0: engines can be mounted at any path; 4.3, POST config of a mount)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      const sibling = others.find((mount) => mount.engine.type === 'cloudc')?.state as CloudcState | undefined
      if (engine.type !== 'cloudc' || sibling === undefined) return state
      return Object.defineProperty(state as CloudcState, 'config', {
        get: () => sibling.config,
        set: (config: CloudcState['config']) => {
          sibling.config = config
        },
      })
    },
  },
)

core.rule(
  'rolesets-kept-by-path',
  ['CLOUDC-APART-01'],
  'mounts at one path in two namespaces have the same rolesets (000 2.2: the namespace is part of the effective request path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      const namesake = others.find((mount) => mount.engine.type === 'cloudc' && mount.path === place.path)?.state as CloudcState | undefined
      if (engine.type !== 'cloudc' || namesake === undefined) return state
      return { ...(state as CloudcState), rolesets: namesake.rolesets }
    },
  },
)

route(
  'one-revoked-all-revoked',
  ['CLOUDC-LEASE-11'],
  'revoking the lease of one key revokes all keys of its roleset (000 2.5: each service-account-key secret is leased)',
  KEYS,
  (original) => async (call) => {
    const given = await original(call)
    const lease = leaseOf(call, given)
    if (lease === undefined) return given
    const revoke = lease.request.revoke.bind(lease.request)
    lease.request.revoke = async () => {
      await revoke()
      await call.services.leases.revokePrefix(`${lease.namespace}${lease.path}/`)
    }
    return given
  },
)

route(
  'newest-key-deleted',
  ['CLOUDC-LEASE-10', 'CLOUDC-LEASE-11'],
  'the end of a lease deletes the key that its roleset issued last (000 2.5: each service-account-key secret is leased)',
  KEYS,
  (original) => {
    const newest = remembered(() => new Map<string, () => Promise<void>>())
    return async (call) => {
      const given = await original(call)
      const lease = leaseOf(call, given)
      if (lease === undefined) return given
      const name = call.params.roleset ?? ''
      newest(call.state).set(name, lease.request.revoke.bind(lease.request))
      lease.request.revoke = async () => newest(call.state).get(name)?.()
      return given
    }
  },
)

route(
  'account-used-twice',
  ['CLOUDC-SET-22'],
  'a roleset with project and bindings of an older one uses its account, so that rotating one ends the other (000 3: by that roleset)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const { rolesets } = call.state
    const name = call.params.name ?? ''
    const isNew = !rolesets.has(name)
    const given = await original(call)
    const made = rolesets.get(name)
    if (!isNew || made === undefined) return given
    const bound = JSON.stringify(made.bindings)
    const older = [...rolesets].find(([other, one]) => other !== name && isSameSort(one, made) && JSON.stringify(one.bindings) === bound)
    if (older) rolesets.set(name, { ...made, account: older[1].account })
    return given
  },
)

route(
  'rotation-in-every-namespace',
  ['CLOUDC-APART-01'],
  'rotating ends keys of the roleset of that name at the same mount path in any namespace (000 3: earlier secrets of that roleset; 2.2)',
  'cloudc.rotate',
  (original) => async (call) => {
    const given = await original(call)
    const { leases } = call.services
    const part = `${call.mount.path}key/${call.params.name ?? ''}/`
    for (const id of leases.withPrefix('').filter((one) => one.includes(part))) await leases.revoke(id).catch(() => undefined)
    return given
  },
)

route(
  'update-ends-all-keys',
  ['CLOUDC-APART-01', 'CLOUDC-MODEL-01'],
  'new bindings of a roleset end the keys of every roleset of the mount (000 3: revokes all secrets generated under that roleset)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const email = () => call.state.rolesets.get(call.params.name ?? '')?.account.email
    const before = email()
    const given = await original(call)
    if (before !== undefined && email() !== before) await call.services.leases.forcePrefix(`${call.mount.namespace}${call.mount.path}key/`)
    return given
  },
)

route(
  'token-of-first-in-project',
  ['CLOUDC-TOK-05'],
  'a token is made with the account of the first roleset of the project (000 4.3: token/:roleset is that of the roleset)',
  TOKENS,
  (original) => (call) => {
    const name = call.params.roleset ?? ''
    const own = call.state.rolesets.get(name)
    const first = own && [...call.state.rolesets.values()].find((other) => isSameSort(own, other))
    return original(own && first ? withRoleset(call, name, { ...own, account: first.account }) : call)
  },
)
