/** Roles, keys, passwords, the list of zero-address roles and the CA of a mount: what happens to one never shows at another. */
import { apart, type Bench, type CheckContext, type View } from '../../harness/checks/index.ts'
import { atConfig, atRoute, pairBody } from './ca/ca-pair.ts'
import { caFields, otpFields, ownMount, roleRead, roleWith, withCa } from './fixtures.ts'
import { gives, INSIDE, issue, OUTSIDE, passwords, signs, zeroList } from './neighbour-views.ts'
import { rsaPair } from './rsa-keys.ts'

const listed =
  (bench: Bench, names: string[]): View =>
  async () => {
    const { data } = await bench.call('ssh.listRoles')
    const info = (data.key_info ?? {}) as Record<string, unknown>
    return names.map((name) => [name, Array.isArray(data.keys) && data.keys.includes(name), info[name]])
  }

const rolesOf = async (bench: Bench) => ({
  first: await roleWith(bench, caFields({ allowed_users: 'deploy,backup', default_extensions: { 'permit-pty': '' } })),
  second: await roleWith(bench, caFields({ allowed_users: 'deploy,backup', ttl: '20m' })),
  plain: await roleWith(bench, otpFields({ exclude_cidr_list: '10.9.0.0/16' })),
  beside: await roleWith(bench, otpFields({ default_user: 'deploy', port: 2222 })),
  free: await roleWith(bench, otpFields({ cidr_list: '192.0.2.0/24', exclude_cidr_list: '10.9.0.0/16' })),
  other: await roleWith(bench, otpFields({ cidr_list: '192.0.2.0/24', port: 2200 })),
})

type Roles = Awaited<ReturnType<typeof rolesOf>>

const LOOKS = 12

const viewsOf = async (bench: Bench, roles: Roles): Promise<Record<string, View>> => ({
  'CA at config': () => atConfig(bench),
  'CA at public_key': () => atRoute(bench),
  'read of the first role': roleRead(bench, roles.first),
  'read of the second role': roleRead(bench, roles.second),
  'read of the plain role': roleRead(bench, roles.plain),
  'read of the role beside it': roleRead(bench, roles.beside),
  'read of the free role': roleRead(bench, roles.free),
  'read of the other free role': roleRead(bench, roles.other),
  listing: listed(bench, [roles.second, roles.plain, roles.beside]),
  'zero-address list': zeroList(bench),
  'signature by the first role': signs(bench, roles.first, 'backup'),
  'signature by the second role': signs(bench, roles.second, 'backup'),
  'plain role inside its blocks': gives(bench, roles.plain, INSIDE),
  'plain role outside its blocks': gives(bench, roles.plain, OUTSIDE),
  'plain role in what it excludes': gives(bench, roles.plain, '10.9.1.1'),
  'free role anywhere': gives(bench, roles.free, OUTSIDE),
  'other free role anywhere': gives(bench, roles.other, OUTSIDE),
  'passwords of the plain role': await passwords(bench, roles.plain, LOOKS),
  'passwords of the role beside it': await passwords(bench, roles.beside, LOOKS),
})

const SIGNATURES = ['signature by the first role', 'signature by the second role']

const everyStep = (bench: Bench, { first, plain, beside, free, other }: Roles) => [
  {
    what: 'after an update of the first role',
    run: () => bench.given('ssh.writeRole', { path: { name: first }, body: caFields({ allowed_users: 'root' }) }),
    changes: ['read of the first role', 'signature by the first role'],
  },
  {
    what: 'after the zero-address list was set',
    run: () => bench.given('ssh.writeZeroAddress', { body: { roles: `${free},${other}` } }),
    changes: ['zero-address list', 'free role anywhere', 'other free role anywhere'],
  },
  { what: 'after another password for the same user and address', run: () => issue(bench, plain) },
  {
    what: 'after a password was used and another refused',
    async run() {
      const { data } = await issue(bench, plain)
      for (const otp of [String(data.key), String(data.key), bench.canary('other')])
        await bench.call('ssh.verifyOtp', { body: { otp }, as: 'none' })
    },
  },
  {
    what: 'after one role of the zero-address list was deleted',
    run: () => bench.given('ssh.deleteRole', { path: { name: other } }),
    changes: ['read of the other free role', 'other free role anywhere', 'zero-address list'],
  },
  {
    what: 'after the zero-address list was deleted',
    run: () => bench.given('ssh.deleteZeroAddress'),
    changes: ['zero-address list', 'free role anywhere'],
  },
  {
    // It is there when the CA is replaced and deleted.
    what: 'after the zero-address list was set again',
    run: () => bench.given('ssh.writeZeroAddress', { body: { roles: free } }),
    changes: ['zero-address list', 'free role anywhere'],
  },
  {
    what: 'after the CA was replaced',
    // A server that wants the old one deleted first changes nothing here.
    run: () => bench.call('ssh.writeCa', { body: pairBody(rsaPair('caOther')) }),
    changes: ['CA at config', 'CA at public_key', ...SIGNATURES],
  },
  {
    what: 'after the first role was deleted',
    run: () => bench.given('ssh.deleteRole', { path: { name: first } }),
    changes: ['read of the first role', 'signature by the first role'],
  },
  {
    what: 'after the role beside it was deleted',
    run: () => bench.given('ssh.deleteRole', { path: { name: beside } }),
    // Whether a password outlives its role is open.
    changes: ['read of the role beside it', 'passwords of the role beside it', 'listing'],
  },
  {
    what: 'after the CA was deleted',
    run: () => bench.given('ssh.deleteCa'),
    changes: ['CA at config', 'CA at public_key', ...SIGNATURES],
  },
]

const world = async ({ bench }: CheckContext) => {
  await withCa(bench)
  await bench.call('ssh.deleteZeroAddress')
  const roles = await rolesOf(bench)
  const atFirst = {
    'plain role inside its blocks': true,
    'plain role outside its blocks': false,
    // Another password for the same user and address was issued since.
    'passwords of the plain role': { ip: INSIDE, username: 'ubuntu' },
    'passwords of the role beside it': { ip: INSIDE, username: 'deploy' },
  }
  return { views: await viewsOf(bench, roles), atFirst, steps: everyStep(bench, roles) }
}

apart('ssh/neighbours', 'SSH-APART-01', 'an operation changes what it names and nothing beside it', ownMount, world)

apart(
  'ssh/neighbours-named-keys',
  'SSH-APART-01',
  'the deletion of a named key leaves roles and other keys as they are',
  ownMount,
  async ({ bench }) => {
    const keys = [bench.mixedName('key'), bench.mixedName('key')] as const
    for (const name of keys) await bench.given('ssh.writeKey', { path: { name }, body: { key: rsaPair('user2048').privateKey } })
    const dynamic = (key: string) =>
      roleWith(bench, { key_type: 'dynamic', key, admin_user: 'root', default_user: 'ubuntu', cidr_list: '192.0.2.0/24' })
    const names = [await dynamic(keys[0]), await dynamic(keys[1]), await roleWith(bench, otpFields())]
    const reads = Object.fromEntries(names.map((name, index) => [`role ${index}`, roleRead(bench, name)]))
    return {
      views: { ...reads, listing: listed(bench, names) },
      steps: [{ what: 'after the key of one role was deleted', run: () => bench.given('ssh.deleteKey', { path: { name: keys[0] } }) }],
    }
  },
)

apart(
  'ssh/neighbours-leases',
  'SSH-APART-01',
  'the end of one password leaves the others as they are',
  { needs: { ...ownMount.needs, features: ['leases'] } },
  async ({ bench }) => {
    const role = await roleWith(bench, otpFields())
    const stock = await passwords(bench, role, 2)
    const { body } = await bench.given('ssh.createCredential', { path: { name: role }, body: { ip: INSIDE } })
    const lease = String((body as { lease_id?: unknown }).lease_id ?? '')
    if (lease === '') bench.blocked('the password has no lease', 'nothing: this target does not lease passwords')
    const atFirst = { password: { ip: INSIDE, username: 'ubuntu' } }
    return {
      views: { password: stock },
      atFirst,
      steps: [{ what: 'after the lease of another ended', run: () => bench.leases.revoke(lease) }],
    }
  },
)
