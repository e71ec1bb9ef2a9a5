/** Faults that show on a neighbour: another role, key, password, certificate, mount, namespace or caller. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Json } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { sshStateOf } from './anew-help.ts'
import { sshEngine } from './engine.ts'
import { builtInScript } from './install-script.ts'
import { namedRole } from './later-help.ts'
import type { SshState } from './state.ts'
import { nameOf, type SshCall } from './wrappers.ts'

const { rule, route } = faultsOf(sshEngine, 'ssh')
const { rule: coreRule } = faultsOf(coreEngine, 'ssh')

rule(
  'later-zeroaddress-part-of-name',
  ['SSH-ZERO-09'],
  'a role whose name is part of a listed name gets credentials for any address (000 4.4, config/zeroaddress: "CIDR blocks of these roles")',
  { isZeroAddress: () => (names, role) => names?.join(',').includes(role) ?? false },
)

rule(
  'later-otp-end-takes-siblings',
  ['SSH-APART-01'],
  'when the lease of an unused password ends, the other passwords of its role are void (000 4.4, verify: "returns data.ip, data.username")',
  {
    revokeOtp: (original) => (otps, password) => {
      const ended = otps.get(password)
      original(otps, password)
      for (const [other, otp] of [...otps]) if (otp.role === ended?.role) otps.delete(other)
    },
  },
)

route(
  'later-otp-one-per-host',
  ['SSH-APART-01'],
  'a new password for a host ends the unused ones of other users there (000 4.4, verify: "returns data.ip, data.username")',
  'ssh.createCredential',
  (original) => async (call) => {
    const earlier = [...call.state.otps]
    const reply = await original(call)
    for (const [password, otp] of earlier) if (otp.role === nameOf(call) && otp.ip === call.body.ip) call.state.otps.delete(password)
    return reply
  },
)

const lastExtensions = remembered<{ given: Json | undefined }>(() => ({ given: undefined }))

route(
  'later-default-extensions-of-last-role',
  ['SSH-DEFEXT-04'],
  'a new role without default extensions has those of the role written before (000 4.4, default_extensions: default "none")',
  'ssh.writeRole',
  (original) => async (call) => {
    const last = lastExtensions(call.state)
    const { default_extensions: given } = call.body
    const lacks = namedRole(call) === undefined && given === undefined && last.given !== undefined
    const reply = await original(lacks ? { ...call, body: { ...call.body, default_extensions: last.given ?? {} } } : call)
    if (given !== undefined && given !== null) last.given = given
    return reply
  },
)

coreRule(
  'later-otps-of-all-mounts',
  ['SSH-VERIFY-09'],
  'a password of one mount is accepted by the verify of another (000 4.4, creds and verify: each engine at its own mount)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      const other = engine.type === 'ssh' ? others.map(sshStateOf).find((found) => found !== undefined) : undefined
      return other ? { ...(state as SshState), otps: other.otps } : state
    },
  },
)

coreRule(
  'later-roles-without-namespace',
  ['SSH-APART-01'],
  'mounts at the same path of two namespaces share their roles (000 2.2: the namespace is part of the effective path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      const other = engine.type === 'ssh' ? sshStateOf(others.find(({ path }) => path === place.path)) : undefined
      return other ? { ...(state as SshState), roles: other.roles } : state
    },
  },
)

rule(
  'later-critical-options-stay-with-role',
  ['SSH-DEFEXT-01'],
  'options of one request become defaults of the role (000 4.4, default_critical_options: "used when none are provided at signing")',
  {
    criticalOptions: (original) => (role, requested) => {
      const chosen = original(role, requested)
      if (Object.keys(requested).length > 0) Object.assign(role.default_critical_options, requested)
      return chosen
    },
  },
)

route(
  'later-role-deletion-upsets-zeroaddress',
  ['SSH-APART-01'],
  'deleting a role takes the others off the zero-address list, not itself (000 4.4: "deletes the role"; "any IP" for the listed ones)',
  'ssh.deleteRole',
  (original) => async (call) => {
    const reply = await original(call)
    const { zeroAddress } = call.state
    if (zeroAddress) call.state.zeroAddress = zeroAddress.filter((name) => name === nameOf(call))
    return reply
  },
)

route(
  'later-list-info-of-another-row',
  ['SSH-ROLE-06'],
  'key_info pairs sorted names with types in order of creation (000 4.4, LIST roles: "object name -> object with key_type")',
  'ssh.listRoles',
  replyData<SshCall>((data, call) => {
    const infos = [...call.state.roles.values()].map((role) => call.rules.keyInfo(role))
    const names = [...call.state.roles.keys()].sort()
    return { ...data, key_info: Object.fromEntries(names.map((name, index) => [name, infos[index] ?? {}])) }
  }),
)

route(
  'later-default-user-of-last-caller',
  ['SSH-CREDS-08'],
  'the username of the last caller becomes the default user of the role (000 4.4, creds: "role default_user is used when empty")',
  'ssh.createCredential',
  (original) => async (call) => {
    const reply = await original(call)
    const role = namedRole(call)
    const { username } = call.body
    if (role && typeof username === 'string' && username !== '') role.default_user = username
    return reply
  },
)

const kept = 'grep -vxF -f "$2" "$3" > "$3.$$" || true'
const keptButLast = `if [ "$1" = install ]; then ${kept}; else sed '$d' "$3" > "$3.$$"; fi`

rule(
  'later-uninstalls-the-newest',
  ['SSH-DYNCRED-13'],
  'the end of a dynamic credential takes the last line off the host, whose ever it is (000 4.4, install_script: "uninstalls public keys")',
  { installScript: (original) => (role) => (role.install_script === '' ? builtInScript.replace(kept, () => keptButLast) : original(role)) },
)
