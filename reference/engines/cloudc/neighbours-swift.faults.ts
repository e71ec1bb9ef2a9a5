/** Faults in which a request, a token, a key or a lease of the cloud-C engine touches another roleset than its own. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcCall } from './provider-calls.ts'
import type { CloudcState } from './state.ts'

const { rule, route, change } = faultsOf(cloudcEngine)

const KEYS = ['cloudc.readKey', 'cloudc.createKey']
const TOKENS = ['cloudc.readToken', 'cloudc.createToken']

const mountsWithConfig = remembered(() => ({ latest: undefined as CloudcState['config'] | undefined }))
const mountsWithTokens = remembered(() => new Set<CloudcState>())
const mountsWithNames = remembered(() => new Set<CloudcState>())
const nameOf = ({ params }: CloudcCall): string => params.name ?? ''

route(
  'delete-takes-suffixed',
  ['CLOUDC-APART-01'],
  'deleting a roleset deletes those named after it with a hyphen (000 4.3, DELETE roleset/:name: deletes the roleset)',
  'cloudc.deleteRoleset',
  (original) => (call) => {
    for (const other of [...call.state.rolesets.keys()]) if (other.startsWith(`${nameOf(call)}-`)) call.state.rolesets.delete(other)
    return original(call)
  },
)

route(
  'binding-change-ends-prefixed',
  ['CLOUDC-APART-01'],
  'new bindings end the keys of all rolesets whose name begins so (000 3: revokes all secrets generated under that roleset)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const before = call.state.rolesets.get(nameOf(call))?.account.email
    const reply = await original(call)
    const changed = before !== undefined && before !== call.state.rolesets.get(nameOf(call))?.account.email
    if (changed) await call.services.leases.forcePrefix(`${call.mount.namespace}${call.mount.path}key/${nameOf(call)}`)
    return reply
  },
)

route(
  'rotate-ends-all-keys',
  ['CLOUDC-ROT-08'],
  'rotating one roleset ends the keys of all rolesets of its mount (000 3: secrets generated earlier by that roleset)',
  'cloudc.rotate',
  (original) => async (call) => {
    const reply = await original(call)
    await call.services.leases.forcePrefix(`${call.mount.namespace}${call.mount.path}key/`)
    return reply
  },
)

route(
  'delete-ends-namesakes',
  ['CLOUDC-APART-01'],
  'deleting a roleset ends the keys of its namesakes in other mounts (000 4.3, DELETE roleset/:name; 1.2)',
  'cloudc.deleteRoleset',
  (original) => async (call) => {
    const { leases } = call.services
    const reply = await original(call)
    for (const id of leases.withPrefix('').filter((lease) => lease.includes(`/key/${nameOf(call)}/`))) await leases.forcePrefix(id)
    return reply
  },
)

change(
  'lease-times-of-latest-mount',
  'CLOUDC-APART-01',
  'keys live as long as the mount says whose config was written last (000 4.3: TTL and max TTL from engine config)',
  {
    routes: {
      'cloudc.writeConfig': (original) => async (call) => {
        const reply = await original(call)
        mountsWithConfig(call.services).latest = call.state.config
        return reply
      },
      ...Object.fromEntries(
        KEYS.map((id) => [
          id,
          (original) => (call) => {
            const { leaseTimes } = call.rules
            const times: typeof leaseTimes = (body, config, mount) =>
              leaseTimes(body, mountsWithConfig(call.services).latest ?? config, mount)
            return original({ ...call, rules: { ...call.rules, leaseTimes: times } })
          },
        ]),
      ),
    },
  },
)

change(
  'token-of-other-mounts-roleset',
  ['CLOUDC-SET-28'],
  'where a mount has no such roleset, a namesake of another mount gives the token (000 1.2; 4.3, token/:roleset)',
  {
    routes: {
      'cloudc.writeRoleset': (original) => (call) => {
        mountsWithTokens(call.services).add(call.state)
        return original(call)
      },
      ...Object.fromEntries(
        TOKENS.map((id) => [
          id,
          (original) => (call) => {
            const name = call.params.roleset ?? ''
            const other = [...mountsWithTokens(call.services)].find(({ rolesets }) => rolesets.has(name))
            return original(call.state.rolesets.has(name) || other === undefined ? call : { ...call, state: other })
          },
        ]),
      ),
    },
  },
)

change('list-of-all-mounts', ['CLOUDC-SET-28'], 'the list shows the rolesets of all mounts (000 1.2; 4.3, LIST rolesets)', {
  routes: {
    'cloudc.writeRoleset': (original) => (call) => {
      mountsWithNames(call.services).add(call.state)
      return original(call)
    },
    'cloudc.listRolesets': (original) => (call) => {
      const rolesets = new Map([...mountsWithNames(call.services), call.state].flatMap((state) => [...state.rolesets]))
      return original({ ...call, state: { ...call.state, rolesets } })
    },
  },
})

const newestKeys = new Map<string, string>()

rule(
  'lease-end-takes-newest',
  ['CLOUDC-LEASE-10', 'CLOUDC-LEASE-11'],
  'a key lease that ends deletes the newest key of its account (000 2.5: leased)',
  {
    shownKey: (original) => (data, algorithm, type) => {
      const text = Buffer.from(data, 'base64').toString('utf8')
      const email = /"client_email":\s*"([^"]+)"/.exec(text)?.[1]
      const id = /"private_key_id":\s*"([^"]+)"/.exec(text)?.[1]
      if (email !== undefined && id !== undefined) newestKeys.set(email, id)
      return original(data, algorithm, type)
    },
    revokedKey: (original) => (name) => {
      const newest = [...newestKeys].find(([email]) => decodeURIComponent(name).includes(`/${email}/`))?.[1]
      return original(newest === undefined ? name : name.replace(/[^/]+$/, newest))
    },
  },
)

rule(
  'takeback-by-stem',
  ['CLOUDC-FAIL-07'],
  'rights are taken back from every account that is named after the roleset, in other mounts too (000 4.3, bindings)',
  {
    membersWithout: (original) => (members, member) => {
      const stem = /^serviceAccount:s[a-z0-9]*-/.exec(member)?.[0]
      return original(members, member).filter((one) => stem === undefined || !one.startsWith(stem))
    },
  },
)

rule(
  'takeback-clears-role',
  ['CLOUDC-BIND-11'],
  'taking a role back from one account takes it from all that have it on the resource (000 4.3, bindings of the other rolesets)',
  {
    membersWithout: (original) => (members, member) => (members.includes(member) ? [] : original(members, member)),
  },
)

route(
  'token-by-project',
  ['CLOUDC-TOK-05'],
  'rolesets of one project with the same scopes get one token, that of the first account (000 4.3, token/:roleset)',
  TOKENS,
  (original) => {
    const given = remembered(() => new Map<string, { email: string; reply: Awaited<ReturnType<typeof original>> }>())
    return async (call) => {
      const roleset = call.state.rolesets.get(call.params.roleset ?? '')
      if (roleset?.secretType !== 'access_token') return original(call)
      const kind = `${roleset.project} ${roleset.scopes.join(' ')}`
      const known = given(call.state).get(kind)
      if (known && [...call.state.rolesets.values()].some(({ account }) => account.email === known.email)) return known.reply
      const reply = await original(call)
      given(call.state).set(kind, { email: roleset.account.email, reply })
      return reply
    }
  },
)

route(
  'scopes-of-roleset-before',
  ['CLOUDC-SET-11'],
  'a new roleset without token_scopes gets those of the one written before it (000 4.3, token_scopes, default [])',
  'cloudc.writeRoleset',
  (original) => {
    const latest = remembered(() => ({ scopes: [] as string[] }))
    return async (call) => {
      const { token_scopes: asked, secret_type: type } = call.body
      const isNew = !call.state.rolesets.has(nameOf(call)) && type !== 'service_account_key'
      const body = isNew && asked === undefined ? { ...call.body, token_scopes: latest(call.state).scopes } : call.body
      const reply = await original({ ...call, body })
      const { scopes = [] } = call.state.rolesets.get(nameOf(call)) ?? {}
      latest(call.state).scopes = scopes
      return reply
    }
  },
)
