/** Faults that reach a neighbour: another role, key, password, caller, mount or namespace. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { dataOf, isSshState, nameIn, overlaid, roleIn, type SshCall } from './east-help.ts'
import { sshEngine } from './engine.ts'
import type { CaPair, Role } from './state.ts'

const { rule, route, change } = faultsOf(sshEngine, 'ssh')
const core = faultsOf(coreEngine, 'ssh')

route(
  'east-key-takes-its-roles',
  'SSH-APART-01',
  'deleting a named key deletes the dynamic roles that name it (000 4.4: DELETE keys/:name deletes the named key)',
  'ssh.deleteKey',
  (original) => async (call) => {
    const reply = await original(call)
    for (const [name, role] of [...call.state.roles]) {
      if (role.key_type === 'dynamic' && role.key === nameIn(call)) call.state.roles.delete(name)
    }
    return reply
  },
)

route(
  'east-ca-deletion-clears-config',
  'SSH-APART-01',
  'deleting the CA pair clears the zero-address configuration, too (000 4.4: DELETE config/ca deletes the CA pair)',
  'ssh.deleteCa',
  (original) => async (call) => {
    const reply = await original(call)
    call.state.zeroAddress = undefined
    return reply
  },
)

core.rule(
  'east-passwords-across-mounts',
  'SSH-VERIFY-09',
  'a one-time password is good at every SSH mount (000 1.2 engines are mounted at paths; 4.4: verify of its own mount)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      const sibling = others.find((mount) => isSshState(mount.state))?.state
      return isSshState(state) && isSshState(sibling) ? { ...state, otps: sibling.otps } : state
    },
  },
)

core.rule(
  'east-namespaces-share-roles',
  'SSH-APART-01',
  'mounts with the same path in two namespaces have the same roles (000 2.2: the effective path begins with the namespace)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      const sibling = others.find((mount) => mount.path === place.path && mount.namespace !== place.namespace)?.state
      return isSshState(state) && isSshState(sibling) ? { ...state, roles: sibling.roles } : state
    },
  },
)

const sharedExtensions = remembered((): Record<string, string> => ({}))
route(
  'east-extensions-in-common',
  'SSH-DEFEXT-05',
  'all roles of a mount write their default extensions into one map (000 4.4: default_extensions, default none)',
  'ssh.writeRole',
  (original) => async (call) => {
    const reply = await original(call)
    const role = roleIn(call)
    if (role) role.default_extensions = Object.assign(sharedExtensions(call.state), role.default_extensions)
    return reply
  },
)

rule(
  'east-zero-address-by-prefix',
  'SSH-ZERO-09',
  'roles whose names begin with that of a zero-address role need no CIDR match (000 4.4: CIDR blocks of these roles are ignored)',
  { isZeroAddress: () => (names, role) => names?.some((name) => role.startsWith(name)) ?? false },
)

route(
  'east-username-of-the-latest',
  'SSH-VERIFY-02',
  'a password of a role and an address stands for the user of the latest one issued there (000 4.4: verify returns data.username)',
  'ssh.createCredential',
  (original) => async (call) => {
    const reply = await original(call)
    const { ip, username } = dataOf(reply)
    for (const otp of call.state.otps.values()) {
      if (typeof username === 'string' && otp.ip === ip && otp.role === nameIn(call)) otp.username = username
    }
    return reply
  },
)

route(
  'east-key-info-shifted',
  'SSH-ROLE-06',
  'key_info of a listing pairs sorted names with types in the order of creation (000 4.4: key_info, object name -> key_type)',
  'ssh.listRoles',
  replyData((data) => {
    const infos = Object.values(data.key_info as JsonObject)
    return {
      ...data,
      key_info: Object.fromEntries((data.keys as string[]).map((name, index): [string, Json] => [name, infos[index] ?? null])),
    }
  }),
)

const latestPair = remembered((): { pair: CaPair | undefined } => ({ pair: undefined }))
change(
  'east-latest-ca-of-all-mounts',
  'SSH-APART-01',
  'a mount signs with the CA pair that any SSH mount got last (000 4.4: config/ca of the mount, sign)',
  {
    routes: {
      'ssh.writeCa': (original) => async (call) => {
        const reply = await original(call)
        latestPair(call.services).pair = call.state.ca
        return reply
      },
      'ssh.signKey': (original) => (call) => {
        const { pair } = latestPair(call.services)
        return original(call.state.ca && pair ? overlaid(call, { ca: pair }) : call)
      },
    },
  },
)

const serials = remembered(() => new Map<string, number>())
const countingSerials = (call: SshCall): SshCall => {
  const { random } = call.services
  const eight = (): Uint8Array => {
    const counts = serials(call.state)
    const count = (counts.get(nameIn(call)) ?? 0) + 1
    counts.set(nameIn(call), count)
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64BE(BigInt(count))
    return bytes
  }
  const counting = {
    uuid: () => random.uuid(),
    word: (length: number) => random.word(length),
    bytes: (length: number) => (length === 8 ? eight() : random.bytes(length)),
  }
  return { ...call, services: { ...call.services, random: counting } }
}
route(
  'east-serials-per-role',
  'SSH-SIGN-08',
  'each role counts its serial numbers from 1, so that two roles give the same ones (000 4.4: sign returns data.serial_number)',
  'ssh.signKey',
  (original) => (call) => original(countingSerials(call)),
)

rule(
  'east-key-id-of-first-caller',
  'SSH-KEYID-03',
  'certificates of a role carry the display name of the first caller who had one signed (000 4.4: key id is the token display name)',
  {
    defaultKeyId: (original) => {
      const first = new WeakMap<Role, string>()
      return (role, facts) => {
        const displayName = first.get(role) ?? facts.displayName
        first.set(role, displayName)
        return original(role, { ...facts, displayName })
      }
    },
  },
)
