/** Faults whose effect shows at a neighbour: another role, user, password, key, mount or namespace. */

import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { sshEngine } from './engine.ts'
import { builtInScript } from './install-script.ts'
import { type SshCall, withState } from './loose-wrappers.ts'
import { entriesOf } from './networks.ts'
import type { SshRules } from './rules.ts'
import { nameOf } from './wrappers.ts'

const { rule, route, change } = faultsOf(sshEngine, 'ssh')
const core = faultsOf(coreEngine, 'ssh')

const withRules = (call: SshCall, rules: Partial<SshRules>): SshCall => ({ ...call, rules: { ...call.rules, ...rules } })

const dataOf = (given: Reply): JsonObject => ((given.body as JsonObject | undefined)?.data ?? {}) as JsonObject

rule(
  'fresh-role-delete-by-prefix',
  ['CORE-NAME-01'],
  'deleting a role also deletes the roles whose names begin with its name (000 4.4: DELETE /ssh/roles/:name deletes the role)',
  {
    deleteRole: (original) => (roles, name) => {
      const existed = original(roles, name)
      for (const other of [...roles.keys()]) if (other.startsWith(name)) roles.delete(other)
      return existed
    },
  },
)

rule(
  'fresh-zero-address-substring',
  ['SSH-ZERO-09'],
  'a role counts as zero-address where its name is a part of a listed name (000 4.4: CIDR blocks of these roles are ignored)',
  { isZeroAddress: () => (names, role) => (names ?? []).join(',').includes(role) },
)

route(
  'fresh-otp-one-per-address-and-user',
  ['SSH-APART-01'],
  'a new one-time password ends earlier ones for the same address and user (000 4.4: verify answers for an issued password)',
  'ssh.createCredential',
  (original) => async (call) => {
    const given = await original(call)
    const { key, key_type, ip, username } = dataOf(given)
    if (key_type !== 'otp') return given
    for (const [password, otp] of [...call.state.otps])
      if (password !== key && otp.ip === ip && otp.username === username) call.state.otps.delete(password)
    return given
  },
)

rule(
  'fresh-dynamic-installs-for-default-user',
  ['SSH-ADMIN-03'],
  'a dynamic key asked for by another allowed user name is installed for the default user (000 4.4: default_user is used when empty)',
  {
    credentialUser: (original) => (role, requested) => {
      const users = entriesOf(role.allowed_users)
      const isAllowed = users.length === 0 || users.includes('*') || users.includes(requested)
      return role.key_type === 'dynamic' && isAllowed ? role.default_user : original(role, requested)
    },
  },
)

rule(
  'fresh-bare-domain-suffix',
  ['SSH-DOMAIN-03'],
  'with allow_bare_domains a host name that merely ends like a listed domain is signed (000 4.4: may use the listed base domains)',
  {
    hostAllowed: (original) => (role, host) => {
      const endsAlike = (domain: string) => host.endsWith(domain) && !host.endsWith(`.${domain}`)
      return original(role, host) || (role.allow_bare_domains && entriesOf(role.allowed_domains).some(endsAlike))
    },
  },
)

core.rule(
  'fresh-namespaces-share-mount-of-one-path',
  ['SSH-APART-01'],
  'SSH mounts of the same path in two namespaces share roles, keys and CA (000 2.2: the effective path has the namespace in it)',
  {
    stateOf: (original) => (engine, others, place) => {
      const other = others.find((mount) => mount.engine.type === 'ssh' && mount.path === place.path && mount.namespace !== place.namespace)
      return engine.type === 'ssh' && other ? other.state : original(engine, others, place)
    },
  },
)

rule(
  'fresh-otp-lease-ends-siblings',
  ['SSH-APART-01'],
  'the end of the lease of an unused password ends the other passwords of its role and address (000 4.4: verify answers for a password)',
  {
    revokeOtp: (original) => (otps, password) => {
      const ended = otps.get(password)
      original(otps, password)
      for (const [other, otp] of [...otps]) if (otp.role === ended?.role && otp.ip === ended.ip) otps.delete(other)
    },
  },
)

const sweep = `if [ "$1" = uninstall ]; then
  grep -vE '^ssh-rsa [^ ]+$' "$3.$$" > "$3.rest" || true
  mv "$3.rest" "$3.$$"
fi
`

rule(
  'fresh-uninstall-sweeps-all-plain-keys',
  ['SSH-DYNCRED-13'],
  'the end of a dynamic credential takes the keys of other credentials off the host, too (000 4.4: install_script uninstalls public keys)',
  {
    installScript: (original) => (role) =>
      role.install_script === '' ? builtInScript.replace('mv "$3', (found) => sweep + found) : original(role),
  },
)

route(
  'fresh-role-delete-takes-key',
  ['SSH-DYNCRED-13'],
  'deleting a dynamic role also unregisters its key, which other roles name (000 4.4: DELETE /ssh/roles/:name deletes the role)',
  'ssh.deleteRole',
  (original) => async (call) => {
    const role = call.state.roles.get(nameOf(call))
    const given = await original(call)
    if (role?.key_type === 'dynamic') call.state.keys.delete(role.key)
    return given
  },
)

route(
  'fresh-lookup-excludes-of-all-roles',
  ['SSH-LOOKUP-01'],
  'lookup leaves out every role as soon as one of them excludes the address (000 4.4: role names associated with the IP)',
  'ssh.lookupRoles',
  (original) => (call) => {
    const excluded = [...call.state.roles.values()].flatMap((role) => entriesOf(role.exclude_cidr_list))
    return original(withRules(call, { excludedBlocks: () => excluded }))
  },
)

const keysOfServer = remembered(() => new Map<string, string>())

change(
  'fresh-named-keys-shared-by-mounts',
  ['SSH-DYNCRED-13'],
  'a named key is overwritten by a key of that name in another mount (000: engines can be mounted at any path; 4.4: registered key)',
  {
    routes: {
      'ssh.writeKey': (original) => async (call) => {
        const given = await original(call)
        const name = nameOf(call)
        const own = call.state.keys.get(name)
        if (own !== undefined) keysOfServer(call.services).set(name, own)
        return given
      },
      'ssh.createCredential': (original) => (call) => {
        const shared = keysOfServer(call.services)
        const keys = new Map([...call.state.keys].map(([name, own]) => [name, shared.get(name) ?? own]))
        return original(withState(call, { keys }))
      },
    },
  },
)

const serials = remembered(() => new Map<string, bigint>())

route(
  'fresh-serial-counted-per-role',
  ['SSH-SIGN-08'],
  'each role counts its certificates from 1, so that two roles give the same serial (readings, core: uniqueness of serials; 000 4.4)',
  'ssh.signKey',
  (original) => (call) => {
    const counted = serials(call.state)
    const next = (counted.get(nameOf(call)) ?? 0n) + 1n
    counted.set(nameOf(call), next)
    return original(withRules(call, { serial: () => next }))
  },
)
