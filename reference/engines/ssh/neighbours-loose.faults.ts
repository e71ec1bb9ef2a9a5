/** Faults in which a request has an effect on a neighbour: another password, role, key, caller, mount or namespace than its own. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import { withState } from './loose-wrappers.ts'
import type { CaPair } from './state.ts'

const { rule, route, change } = faultsOf(sshEngine)
const core = faultsOf(coreEngine, 'ssh')

rule(
  'verify-takes-siblings',
  ['SSH-APART-01'],
  'verifying a password uses up every other one for the same address and user (000 4.4, POST verify: the one-time password of the request)',
  {
    consumeOtp: () => (otps, password) => {
      const used = otps.get(password)
      for (const [other, { ip, username }] of [...otps]) if (ip === used?.ip && username === used.username) otps.delete(other)
      return used
    },
  },
)

route(
  'verify-shows-latest',
  ['SSH-VERIFY-01', 'SSH-VERIFY-02'],
  'verifying shows address and user of the newest open password of the role (000 4.4, verify: returns data.ip, data.username)',
  'ssh.verifyOtp',
  (original) => async (call) => {
    const used = call.state.otps.get(String(call.body.otp))
    const latest = [...call.state.otps.values()].filter(({ role }) => role === used?.role).at(-1)
    const shown = replyData<typeof call>((data) => (latest ? { ...data, ip: latest.ip, username: latest.username } : data))
    return shown(original)(call)
  },
)

route(
  'role-delete-drops-passwords',
  ['SSH-APART-01'],
  'deleting a role makes the open passwords of all roles invalid (000 4.4, DELETE roles: deletes the role)',
  'ssh.deleteRole',
  (original) => (call) => {
    call.state.otps.clear()
    return original(call)
  },
)

route(
  'key-delete-drops-roles',
  ['SSH-APART-01'],
  'deleting a named key deletes the roles that use it (000 4.4, DELETE keys: deletes the named key)',
  'ssh.deleteKey',
  (original) => (call) => {
    for (const [name, role] of [...call.state.roles]) if (role.key === call.params.name) call.state.roles.delete(name)
    return original(call)
  },
)

const zeroLists = remembered(() => new Map<object, string[]>())

change(
  'zero-address-of-any-mount',
  ['SSH-APART-01'],
  'a name on the zero-address list of one mount counts on every mount (000 4.4, config/zeroaddress: of these roles)',
  {
    routes: {
      'ssh.writeZeroAddress': (original) => async (call) => {
        const given = await original(call)
        zeroLists(call.services).set(call.state, call.state.zeroAddress ?? [])
        return given
      },
      'ssh.deleteZeroAddress': (original) => (call) => {
        zeroLists(call.services).delete(call.state)
        return original(call)
      },
      'ssh.createCredential': (original) => (call) =>
        original(withState(call, { zeroAddress: [...zeroLists(call.services).values()].flat() })),
    },
  },
)

const latestPair = remembered((): { pair: CaPair | undefined } => ({ pair: undefined }))

change(
  'public-key-of-latest-mount',
  ['SSH-APART-01'],
  'public_key shows the pair that was configured last on any mount (000 4.4, GET public_key: the key of the mount)',
  {
    routes: {
      'ssh.writeCa': (original) => async (call) => {
        const given = await original(call)
        latestPair(call.services).pair = call.state.ca
        return given
      },
      'ssh.readPublicKey': (original) => (call) =>
        original(withState(call, { ca: call.state.ca && (latestPair(call.services).pair ?? call.state.ca) })),
    },
  },
)

const sharedExtensions = remembered((): Record<string, string> => ({}))

route(
  'default-extensions-shared',
  ['SSH-DEFEXT-04'],
  'roles written without default_extensions get those of the others (000 4.4, default_extensions: default none)',
  'ssh.writeRole',
  (original) => async (call) => {
    const name = call.params.name ?? ''
    const isNew = !call.state.roles.has(name)
    const given = await original(call)
    const role = call.state.roles.get(name)
    const shared = sharedExtensions(call.state)
    if (role && call.body.default_extensions) Object.assign(shared, role.default_extensions)
    else if (role && isNew) role.default_extensions = shared
    return given
  },
)

rule(
  'key-info-shared',
  ['SSH-ROLE-06'],
  'every entry of key_info shows the key_type of the role that comes last (000 4.4, LIST roles: object name -> object with key_type)',
  {
    keyInfo: (original) => {
      const shared: JsonObject = {}
      return (role) => Object.assign(shared, original(role))
    },
  },
)

rule(
  'zero-address-by-prefix',
  ['SSH-ZERO-09'],
  'a zero-address name covers all roles that begin with it (000 4.4, config/zeroaddress: CIDR blocks of these roles are ignored)',
  { isZeroAddress: () => (names, role) => names?.some((name) => role.startsWith(name)) ?? false },
)

route(
  'zero-address-erases-blocks',
  ['SSH-ROLE-03'],
  'putting roles on the zero-address list erases their cidr_list (000 4.4, config/zeroaddress: CIDR blocks are ignored, not removed)',
  'ssh.writeZeroAddress',
  (original) => async (call) => {
    const given = await original(call)
    for (const name of call.state.zeroAddress ?? []) {
      const role = call.state.roles.get(name)
      if (role) call.state.roles.set(name, { ...role, cidr_list: '' })
    }
    return given
  },
)

const serials = remembered(() => new Map<string, number>())

route(
  'serial-by-role',
  ['SSH-SIGN-08'],
  'serial numbers are counted for each role, so that certificates of two roles share them (000 2.7, serial_number of a signed certificate)',
  'ssh.signKey',
  (original) => (call) => {
    const name = call.params.name ?? ''
    const { random } = call.services
    const bytes = (length: number): Uint8Array => {
      if (length !== 8) return random.bytes(length)
      const next = (serials(call.state).get(name) ?? 0) + 1
      serials(call.state).set(name, next)
      const counted = Buffer.alloc(8)
      counted.writeBigUInt64BE(BigInt(next))
      return counted
    }
    const counting = { uuid: () => random.uuid(), word: (length: number) => random.word(length), bytes }
    return original({ ...call, services: { ...call.services, random: counting } })
  },
)

route(
  'list-shows-keys',
  ['SSH-ROLE-05'],
  'the list of roles shows the named keys, too (000 4.4, LIST roles: data.keys (names))',
  'ssh.listRoles',
  replyData((data, call) => ({ ...data, keys: [...new Set([...(data.keys as string[]), ...call.state.keys.keys()])].sort() })),
)

route(
  'role-delete-empties-zero-list',
  ['SSH-ROLE-08'],
  'deleting a zero-address role takes all other names off the list instead of its own (000 4.4, DELETE roles: deletes the role)',
  'ssh.deleteRole',
  (original) => (call) => {
    const { name = '' } = call.params
    if (call.state.zeroAddress?.includes(name)) call.state.zeroAddress = call.state.zeroAddress.filter((other) => other === name)
    return original(call)
  },
)

const firstCallers = remembered(() => new Map<string, string>())

route(
  'key-id-of-first-caller',
  ['SSH-TEMPLATE-02', 'SSH-TEMPLATE-04'],
  'certificates of a role carry the name of the token that signed first (000 4.4, allow_user_key_ids: the token display name)',
  'ssh.signKey',
  (original) => async (call) => {
    const callers = firstCallers(call.state)
    const { name = '' } = call.params
    const displayName = callers.get(name) ?? call.token?.displayName ?? ''
    const given = await original({ ...call, token: call.token && { ...call.token, displayName } })
    callers.set(name, displayName)
    return given
  },
)

route(
  'lookup-joins-exclusions',
  ['SSH-LOOKUP-01'],
  'lookup leaves out every role where any of them excludes the address (000 4.4, exclude_cidr_list: blocks rejected by the role)',
  'ssh.lookupRoles',
  (original) => (call) => {
    const all = [...call.state.roles.values()].map((role) => role.exclude_cidr_list).join(',')
    const roles = new Map([...call.state.roles].map(([name, role]) => [name, { ...role, exclude_cidr_list: all }]))
    return original(withState(call, { roles }))
  },
)

core.rule(
  'namespaces-share-mount',
  ['SSH-APART-01'],
  'SSH mounts of the same path in two namespaces share roles and passwords (000 2.2: header and path together are the effective path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const same = others.find((mount) => engine.type === 'ssh' && mount.engine.type === 'ssh' && mount.path === place.path)
      return same?.state ?? original(engine, others, place)
    },
  },
)

rule(
  'install-overwrites-keys',
  ['SSH-DYNCRED-13'],
  'installing a dynamic key takes away the keys that the user has already (000 4.4, install_script: installs and uninstalls public keys)',
  {
    installScript: (original) => (role) =>
      role.install_script === '' ? original(role).replace(/^grep .*$/m, () => ': > "$3.$$"') : original(role),
  },
)
