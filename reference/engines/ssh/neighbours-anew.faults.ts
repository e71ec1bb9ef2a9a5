/** Faults of the SSH engine: effects on a neighbour. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { sshStateOf } from './anew-help.ts'
import { sshEngine } from './engine.ts'
import { entriesOf } from './networks.ts'
import type { Role, SshState } from './state.ts'
import { nameOf } from './wrappers.ts'

const { rule, route } = faultsOf(sshEngine, 'ssh')
const core = faultsOf(coreEngine, 'ssh')

rule(
  'anew-key-deletion-takes-longer-names',
  ['SSH-KEY-05'],
  'Deleting the key `web` also deletes `web-2` and others that begin so (000 4.4: DELETE keys/:name "deletes the named key")',
  {
    deleteKey: (original) => (keys, name) => {
      const existed = original(keys, name)
      for (const other of [...keys.keys()]) if (other.startsWith(name)) keys.delete(other)
      return existed
    },
  },
)

rule(
  'anew-key-moves-to-second-name',
  ['SSH-APART-01'],
  'Registering the same private key under a second name drops the first name (000 4.4: role `key` is the "name of a registered key")',
  {
    registerKey: (original) => (keys, name, text) => {
      for (const [other, known] of [...keys]) if (known === text) keys.delete(other)
      original(keys, name, text)
    },
  },
)

route(
  'anew-new-password-voids-older-of-host',
  ['SSH-APART-01'],
  'A new one-time password of a role ends the unused ones that it issued for the same address (000 4.4: verify)',
  'ssh.createCredential',
  (original) => async (call) => {
    const before = [...call.state.otps]
    const reply = await original(call)
    for (const [password, otp] of before) if (otp.role === nameOf(call) && otp.ip === String(call.body.ip)) call.state.otps.delete(password)
    return reply
  },
)

rule(
  'anew-ended-lease-ends-passwords-of-role',
  ['SSH-APART-01'],
  'The end of one password lease ends all unused passwords of its role (000 2.3: each credential has its own `lease_id`)',
  {
    revokeOtp: (original) => (otps, password) => {
      const role = otps.get(password)?.role
      for (const [other, otp] of [...otps]) if (otp.role === role) original(otps, other)
    },
  },
)

const latestExtensions = remembered(() => ({ value: {} as JsonObject }))

route(
  'anew-new-role-gets-extensions-of-last',
  ['SSH-DEFEXT-04'],
  'A new role written without `default_extensions` has those of the role written before it (000 4.4: `default_extensions` default none)',
  'ssh.writeRole',
  (original) => async (call) => {
    const shared = latestExtensions(call.state)
    const given = call.body.default_extensions
    const inherits = given === undefined && !call.state.roles.has(nameOf(call))
    const reply = await original(inherits ? { ...call, body: { ...call.body, default_extensions: shared.value } } : call)
    if (given !== undefined && given !== null) shared.value = given as JsonObject
    return reply
  },
)

rule(
  'anew-requested-options-enter-role',
  ['SSH-DEFEXT-01'],
  'Critical options of one request stay in the defaults of the role and reach later certificates (000 4.4: "used when none are provided")',
  {
    criticalOptions: (original) => (role, requested) => {
      Object.assign(role.default_critical_options, requested)
      return original(role, requested)
    },
  },
)

core.rule(
  'anew-passwords-shared-by-mounts',
  ['SSH-VERIFY-09'],
  'A one-time password of one SSH mount is accepted, and used up, at every other (000 1.2: "secrets engines mounted at paths")',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      const first = others.map(sshStateOf).find((known) => known !== undefined)
      if (engine.type === 'ssh' && first) (state as SshState).otps = first.otps
      return state
    },
  },
)

core.rule(
  'anew-roles-by-mount-path-only',
  ['SSH-APART-01'],
  'SSH mounts at the same path of two namespaces share their roles (000 2.2: the effective path is the namespace followed by the path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      const like = sshStateOf(others.find((mount) => mount.path === place.path && mount.namespace !== place.namespace))
      if (engine.type === 'ssh' && like) (state as SshState).roles = like.roles
      return state
    },
  },
)

rule(
  'anew-zero-address-by-substring',
  ['SSH-ZERO-09'],
  'A role counts as zero-address where a longer name on the list contains its own (000 4.4: "CIDR blocks of these roles are ignored")',
  { isZeroAddress: () => (names, role) => (names ?? []).join(',').includes(role) },
)

route(
  'anew-key-info-of-other-row',
  ['SSH-ROLE-06'],
  'The listing pairs sorted names with kinds in the order of creation (000 4.4: "object name -> object with `key_type`")',
  'ssh.listRoles',
  replyData((data, call) => {
    const roles = [...call.state.roles.values()]
    const keys = (data.keys ?? []) as string[]
    return { ...data, key_info: Object.fromEntries(keys.map((name, index) => [name, { key_type: roles[index]?.key_type ?? 'otp' }])) }
  }),
)

rule(
  'anew-display-name-of-first-caller',
  ['SSH-KEYID-03'],
  'All certificates of a role carry the display name of the caller that had it sign first (000 4.4: `key_id`)',
  {
    defaultKeyId: (original) => {
      const names = new WeakMap<Role, string>()
      return (role, facts) => {
        const displayName = names.get(role) ?? facts.displayName
        names.set(role, displayName)
        return original(role, { ...facts, displayName })
      }
    },
  },
)

const counters = remembered(() => new Map<string, number>())

route(
  'anew-serials-counted-by-role',
  ['SSH-SIGN-08'],
  'Serial numbers are counted for each role, so that two roles of a CA give the same ones (000 2.7: `serial_number`)',
  'ssh.signKey',
  (original) => (call) => {
    const counts = counters(call.state)
    const count = (counts.get(nameOf(call)) ?? 0) + 1
    counts.set(nameOf(call), count)
    return original({ ...call, rules: { ...call.rules, serial: () => BigInt(count) } })
  },
)

rule(
  'anew-host-ends-like-domain',
  ['SSH-SUBDOM-04'],
  'A host of another domain that merely ends with the listed one is signed for (000 4.4: "subdomains of listed domains")',
  {
    hostAllowed: (original) => (role, host) =>
      original(role, host) ||
      (role.allow_subdomains && entriesOf(role.allowed_domains).some((domain) => host !== domain && host.endsWith(domain))),
  },
)

rule(
  'anew-verify-uses-up-all-of-user',
  ['SSH-VERIFY-01'],
  'Verifying one password uses up the others of the same user on the same address (000 2.7: "the one-time password")',
  {
    consumeOtp: (original) => async (otps, password) => {
      const otp = await original(otps, password)
      if (!otp) return undefined
      for (const [other, { ip, username }] of [...otps]) if (ip === otp.ip && username === otp.username) otps.delete(other)
      return otp
    },
  },
)
