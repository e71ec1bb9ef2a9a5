/** Faults that show at a neighbour: another roleset, mount, namespace, key or resource. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { removeAccount } from './accounts.ts'
import { dataOf, nameIn, rolesetOf, ruledBy, sameBindings } from './east-help.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcState } from './state.ts'

const { rule, route, change } = faultsOf(cloudcEngine, 'cloudc')
const core = faultsOf(coreEngine, 'cloudc')

route(
  'east-update-ends-keys-by-prefix',
  'CLOUDC-APART-01',
  'new bindings also revoke keys of rolesets whose names begin with its name (000 3: all secrets generated under that roleset)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const before = rolesetOf(call)
    const given = await original(call)
    if (before !== undefined && rolesetOf(call)?.account.email !== before.account.email)
      await call.services.leases.revokePrefix(`${call.mount.namespace}${call.mount.path}key/${nameIn(call)}`)
    return given
  },
)

core.rule(
  'east-mount-inherits-config',
  'CLOUDC-CONF-08',
  'a mount starts with the configuration of the mount of its kind that was enabled before it (000 4.3: ttl and max_ttl, default 0)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      const last = others.filter((mount) => mount.engine.type === 'cloudc').at(-1)
      if (engine.type === 'cloudc' && last !== undefined) (state as CloudcState).config = { ...(last.state as CloudcState).config }
      return state
    },
  },
)

rule(
  'east-rights-of-others-taken',
  'CLOUDC-BIND-08',
  'taking a right from an account takes it from all who hold that role on the resource (000 2.5: bindings of the other roleset)',
  { membersWithout: () => (members, member) => (members.includes(member) ? [] : members) },
)

route(
  'east-token-of-like-scopes',
  'CLOUDC-APART-01',
  'a token is that of the first roleset with the same project and scopes (000 4.3: token/:roleset)',
  ['cloudc.readToken', 'cloudc.createToken'],
  (original) => (call) => {
    const asked = rolesetOf(call)
    const like = [...call.state.rolesets].find(
      ([, { secretType, project, scopes }]) =>
        secretType === 'access_token' && project === asked?.project && scopes.join() === asked.scopes.join(),
    )
    return original(asked?.secretType === 'access_token' && like ? { ...call, params: { roleset: like[0] } } : call)
  },
)

const numbered = remembered(() => ({ run: '', counts: new Map<string, number>() }))

rule(
  'east-account-of-like-name',
  'CLOUDC-SET-01',
  'rolesets whose names differ by punctuation only ask for the same account, so that the second is not made (000 4.3: create)',
  {
    accountId: () => (name, random) => {
      const known = numbered(random)
      known.run ||= random.word(6).toLowerCase()
      const count = (known.counts.get(name) ?? 0) + 1
      known.counts.set(name, count)
      const stem = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
      return `s${stem.slice(-15)}-${known.run}-${count}`
    },
  },
)

const latestKeys = remembered(() => new Map<string, string>())

const keyIdIn = (given: Reply): string | undefined => {
  try {
    const file = JSON.parse(Buffer.from(String(dataOf(given).private_key_data), 'base64').toString('utf8')) as { private_key_id?: string }
    return file.private_key_id
  } catch {
    return undefined
  }
}

route(
  'east-lease-ends-latest-key',
  'CLOUDC-LEASE-10',
  'the end of a lease deletes the key that its roleset gave last, not the one of the lease (000 2.5: each key is leased)',
  ['cloudc.readKey', 'cloudc.createKey'],
  (original) => async (call) => {
    const latest = latestKeys(call.state)
    const account = rolesetOf(call)?.account.email ?? ''
    const revokedKey = (name: string): string => name.replace(/[^/]+$/, (own) => latest.get(account) ?? own)
    const given = await original(ruledBy(call, { revokedKey }))
    const id = keyIdIn(given)
    if (id !== undefined) latest.set(account, id)
    return given
  },
)

route(
  'east-keys-ended-in-root',
  'CLOUDC-APART-01',
  'new bindings in a namespace end leases of that path in the root namespace instead (000 2.2, 3: effective path, revokes all)',
  'cloudc.writeRoleset',
  (original) => (call) => original({ ...call, mount: { ...call.mount, namespace: '' } }),
)

const listings = remembered(() => new Map<string, Reply>())

change(
  'east-listing-over-namespaces',
  'CLOUDC-APART-01',
  'a listing that is kept for a mount path answers for all namespaces (000 2.2, 4.3: LIST rolesets)',
  {
    routes: {
      'cloudc.writeRoleset': (original) => async (call) => {
        const given = await original(call)
        listings(call.services).delete(call.mount.path)
        return given
      },
      'cloudc.deleteRoleset': (original) => async (call) => {
        listings(call.services).delete(call.mount.path)
        return original(call)
      },
      'cloudc.listRolesets': (original) => async (call) => {
        const kept = listings(call.services)
        const given = kept.get(call.mount.path) ?? (await original(call))
        kept.set(call.mount.path, given)
        return given
      },
    },
  },
)

rule(
  'east-one-resource-a-service',
  'CLOUDC-BIND-05',
  'of several resources of one service only the last is bound (000 2.5: a set of entries)',
  {
    boundResources: (original) => (bindings) => {
      const byService = new Map(Object.entries(original(bindings)).map((entry) => [entry[0].split('/')[2] ?? '', entry]))
      return Object.fromEntries(byService.values())
    },
  },
)

route(
  'east-scopes-shared-default',
  'CLOUDC-APART-01',
  'scopes that a roleset gets later appear in all rolesets that were made without (000 4.3: token_scopes, default [])',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const before = rolesetOf(call)
    const given = await original(call)
    const scopes = rolesetOf(call)?.scopes ?? []
    if (before?.secretType !== 'access_token' || before.scopes.length > 0 || scopes.length === 0) return given
    for (const [name, one] of call.state.rolesets)
      if (one.secretType === 'access_token' && one.scopes.length === 0) call.state.rolesets.set(name, { ...one, scopes })
    return given
  },
)

route(
  'east-account-of-namesake',
  'CLOUDC-SET-22',
  'a roleset made like another gets its account, which the end of either takes from both (000 2.5, 4.3: service_account_email, DELETE)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const before = rolesetOf(call)
    const given = await original(call)
    const made = rolesetOf(call)
    if (before !== undefined || made === undefined) return given
    const namesake = [...call.state.rolesets.values()].find(
      (one) =>
        one !== made &&
        one.project === made.project &&
        one.secretType === made.secretType &&
        one.scopes.join() === made.scopes.join() &&
        sameBindings(one.bindings, made.bindings),
    )
    if (namesake === undefined) return given
    call.state.rolesets.set(nameIn(call), { ...made, account: namesake.account })
    await removeAccount(call, made.bindings, made.account.email)
    return given
  },
)
