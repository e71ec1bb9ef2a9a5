/** Faults in which a request touches a neighbour of what it names: another roleset, key, lease or mount. */
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { cloudcEngine } from './engine.ts'
import { type CloudcCall, provider } from './provider-calls.ts'
import type { CloudcState } from './state.ts'

const { rule, route, change } = faultsOf(cloudcEngine)

type Handler = (call: CloudcCall) => Reply | Promise<Reply>

const KEY_ROUTES = ['cloudc.readKey', 'cloudc.createKey']
const TOKEN_ROUTES = ['cloudc.readToken', 'cloudc.createToken']

const prefixOf = ({ mount }: CloudcCall, name: string): string => `${mount.namespace}${mount.path}key/${name}`

const leaseOf = ({ services }: CloudcCall, { body }: Reply) => services.leases.find(String((body as { lease_id?: string }).lease_id))

route(
  'keen-ends-leases-by-name-prefix',
  ['CLOUDC-APART-01'],
  'rotating or deleting a roleset ends the keys of every roleset whose name begins with its name (000 3: secrets of that roleset)',
  ['cloudc.deleteRoleset', 'cloudc.rotate'],
  (original) => async (call) => {
    const given = await original(call)
    await call.services.leases.forcePrefix(prefixOf(call, call.params.name ?? ''))
    return given
  },
)

const configured = remembered(() => new Set<CloudcState>())

route(
  'keen-one-ttl-for-all-mounts',
  'CLOUDC-APART-01',
  'ttl and max_ttl written to one mount hold for every configured mount of the engine (000 4.3, {cloudc_mount}/config)',
  'cloudc.writeConfig',
  (original) => async (call) => {
    const given = await original(call)
    const states = configured(call.services).add(call.state)
    const { ttl, maxTtl } = call.state.config
    for (const state of states) state.config = { ...state.config, ttl, maxTtl }
    return given
  },
)

route(
  'keen-delete-unbinds-neighbours',
  ['CLOUDC-BIND-11'],
  'deleting a roleset takes the rights on its resources from the other rolesets that are bound to them, too (000 4.3, DELETE roleset)',
  'cloudc.deleteRoleset',
  (original) => async (call) => {
    const gone = call.state.rolesets.get(call.params.name ?? '')?.bindings ?? {}
    const given = await original(call)
    for (const { bindings, account } of call.state.rolesets.values())
      for (const resource of Object.keys(bindings)) if (gone[resource] !== undefined) await provider.revoke(call, resource, account.email)
    return given
  },
)

const written = remembered(() => new Set<CloudcState>())

change(
  'keen-lists-other-mounts',
  ['CLOUDC-SET-14', 'CLOUDC-SET-27'],
  'the list of rolesets holds those of other mounts, too (000 4.3, LIST {cloudc_mount}/rolesets)',
  {
    routes: {
      'cloudc.writeRoleset': (original: Handler) => (call: CloudcCall) => {
        written(call.services).add(call.state)
        return original(call)
      },
      'cloudc.listRolesets': replyData<CloudcCall>((_data, { services }) => ({
        keys: [...new Set([...written(services)].flatMap(({ rolesets }) => [...rolesets.keys()]))].sort(),
      })),
    },
  },
)

rule(
  'keen-scopes-by-project',
  ['CLOUDC-TOK-04'],
  'tokens carry the scopes of the first roleset of the same project that gave one (000 4.3, scopes are those of the roleset)',
  {
    tokenScopes: (original) => {
      const known = new Map<string, string[]>()
      return (roleset) => {
        const scopes = known.get(roleset.project) ?? original(roleset)
        known.set(roleset.project, scopes)
        return scopes
      }
    },
  },
)

const recent = remembered(() => new Map<string, { at: number; given: Reply }>())

route(
  'keen-token-cache-without-name',
  ['CLOUDC-RACE-01'],
  'a token given within the last half minute is given again to another roleset of the same project and scopes (000 4.3, token/:roleset)',
  TOKEN_ROUTES,
  (original) => async (call) => {
    const roleset = call.state.rolesets.get(call.params.roleset ?? '')
    if (roleset?.secretType !== 'access_token') return original(call)
    const kind = [roleset.project, ...roleset.scopes].join(' ')
    const before = recent(call.state).get(kind)
    if (before && call.now() - before.at < 30) return before.given
    const given = await original(call)
    recent(call.state).set(kind, { at: call.now(), given })
    return given
  },
)

const newest = remembered(() => new Map<string, () => Promise<void>>())

route(
  'keen-lease-end-deletes-newest-key',
  ['CLOUDC-LEASE-10', 'CLOUDC-LEASE-11'],
  'the end of a lease deletes the key that the roleset gave last, not the key of the lease (000 2.5, service-account-key secret: leased)',
  KEY_ROUTES,
  (original) => async (call) => {
    const given = await original(call)
    const lease = leaseOf(call, given)
    const name = call.params.roleset ?? ''
    if (lease === undefined) return given
    const own = lease.request.revoke
    newest(call.state).set(name, own)
    lease.request.revoke = () => (newest(call.state).get(name) ?? own)()
    return given
  },
)

route(
  'keen-one-lease-ends-all',
  ['CLOUDC-LEASE-11'],
  'the end of one lease ends all leases of the roleset (000 4.3, key/:roleset: each key is leased)',
  KEY_ROUTES,
  (original) => async (call) => {
    const given = await original(call)
    const lease = leaseOf(call, given)
    if (lease === undefined) return given
    const own = lease.request.revoke
    lease.request.revoke = async () => {
      await own()
      await call.services.leases.forcePrefix(`${prefixOf(call, call.params.roleset ?? '')}/`)
    }
    return given
  },
)

const shown = remembered(() => new Map<string, Reply>())

const forgetting =
  (original: Handler): Handler =>
  async (call) => {
    const given = await original(call)
    shown(call.services).delete(call.params.name ?? '')
    return given
  }

change(
  'keen-read-cache-without-mount',
  ['CLOUDC-SET-28'],
  'a roleset is read from a cache that goes by its name and not by its mount (000 4.3, GET {cloudc_mount}/roleset/:name)',
  {
    routes: {
      'cloudc.writeRoleset': forgetting,
      'cloudc.deleteRoleset': forgetting,
      'cloudc.rotate': forgetting,
      'cloudc.rotateKey': forgetting,
      'cloudc.readRoleset': (original: Handler) => async (call: CloudcCall) => {
        const name = call.params.name ?? ''
        const given = shown(call.services).get(name) ?? (await original(call))
        shown(call.services).set(name, given)
        return given
      },
    },
  },
)

route(
  'keen-unknown-name-takes-longer-one',
  ['CORE-NAME-01'],
  'a secret of an unknown roleset is given by one whose name begins with that name (000 7, 400 or 404 for what does not exist)',
  [...TOKEN_ROUTES, ...KEY_ROUTES],
  (original) => (call) => {
    const asked = call.params.roleset ?? ''
    const { rolesets } = call.state
    const roleset = rolesets.has(asked) ? asked : ([...rolesets.keys()].find((name) => name.startsWith(asked)) ?? asked)
    return original({ ...call, params: { ...call.params, roleset } })
  },
)

rule(
  'keen-scopes-of-roleset-before',
  ['CLOUDC-SET-11'],
  'a roleset made without token_scopes gets those of the roleset that was made before it (000 4.3, token_scopes: default [])',
  {
    storedRoleset: (original) => {
      let latest: string[] = []
      return (made) => {
        if (made.secretType !== 'access_token') return original(made)
        if (made.scopes.length > 0) latest = made.scopes
        return original({ ...made, scopes: latest })
      }
    },
  },
)

const prefixes = remembered(() => new Set<string>())

const noting =
  (original: Handler): Handler =>
  (call) => {
    prefixes(call.services).add(prefixOf(call, ''))
    return original(call)
  }

change(
  'keen-delete-ends-keys-of-all-mounts',
  ['CLOUDC-APART-01'],
  'deleting a roleset ends the keys that rolesets of the same name gave in other mounts (000 4.3, DELETE {cloudc_mount}/roleset/:name)',
  {
    routes: {
      'cloudc.readKey': noting,
      'cloudc.createKey': noting,
      'cloudc.deleteRoleset': (original: Handler) => async (call: CloudcCall) => {
        const given = await original(call)
        for (const prefix of prefixes(call.services)) await call.services.leases.forcePrefix(`${prefix}${call.params.name ?? ''}/`)
        return given
      },
    },
  },
)
