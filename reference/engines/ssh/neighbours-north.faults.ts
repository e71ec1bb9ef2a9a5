/** Faults that hit a neighbour: other roles, keys, passwords, callers, mounts, namespaces, similar names. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import { entriesOf } from './networks.ts'
import { decidedPerCall, nameOf, type SshCall } from './north-help.ts'
import type { SshState } from './state.ts'

const { rule, route, change } = faultsOf(sshEngine, 'ssh')

rule(
  'north-deletion-by-prefix',
  'SSH-ROLE-05',
  'deleting a role deletes the roles whose names go on with a hyphen, too (000 4.4: DELETE deletes the role)',
  {
    deleteRole: (original) => (roles, name) => {
      const existed = original(roles, name)
      for (const other of [...roles.keys()].filter((key) => key.startsWith(`${name}-`))) roles.delete(other)
      return existed
    },
  },
)

route(
  'north-role-names-without-case',
  'SSH-ROLE-03',
  'a role is written onto the one whose name differs only by case (000 4.4: POST roles/:name create or update)',
  'ssh.writeRole',
  (original) => (call) => {
    const name = nameOf(call)
    const known = [...call.state.roles.keys()].find((other) => other.toLowerCase() === name.toLowerCase())
    return original({ ...call, params: { ...call.params, name: known ?? name } })
  },
)

const lastWritten = remembered<{ state: SshState | undefined }>(() => ({ state: undefined }))
change(
  'north-public-key-of-other-mount',
  'SSH-APART-01',
  'the unauthenticated route shows the public key of the mount that got its pair last (000 4.4: GET /ssh/public_key; 1.2: engines mounted at paths)',
  {
    routes: {
      'ssh.writeCa': (original) => async (call) => {
        const reply = await original(call)
        lastWritten(call.services).state = call.state
        return reply
      },
      'ssh.readPublicKey': (original) => (call) => {
        const { state } = lastWritten(call.services)
        return original(state?.ca && call.state.ca ? { ...call, state } : call)
      },
    },
  },
)

rule(
  'north-verification-ends-roles-passwords',
  'SSH-APART-01',
  'using a password ends the other ones of its role (000 4.4: verify returns data.ip, data.username)',
  {
    consumeOtp: (original) => async (otps, password) => {
      const used = await original(otps, password)
      for (const [other, { role }] of [...otps]) if (role === used?.role) otps.delete(other)
      return used
    },
  },
)

rule(
  'north-user-of-latest-password',
  'SSH-VERIFY-02',
  'verify names the user who asked last for the same address where passwords are open (000 4.4: verify returns data.ip, data.username)',
  {
    consumeOtp: (original) => async (otps, password) => {
      const used = await original(otps, password)
      const latest = [...otps.values()].filter(({ ip }) => ip === used?.ip).at(-1)
      return used && latest ? { ...used, username: latest.username } : used
    },
  },
)

rule(
  'north-zero-address-by-part-of-name',
  'SSH-ZERO-09',
  'a role whose name is part of a zero-address name counts as one, too (000 4.4: CIDR blocks of these roles are ignored)',
  { isZeroAddress: () => (names, role) => names?.join(',').includes(role) ?? false },
)

route(
  'north-exclusion-carried-on',
  'SSH-LOOKUP-01',
  'an address that one role excludes is not looked up in the roles after it (000 4.4: lookup returns role names associated with the IP)',
  'ssh.lookupRoles',
  decidedPerCall(({ rules }) => {
    let excluded = false
    return {
      associated: (isZeroAddress, isIncluded, isExcluded) => {
        excluded ||= isExcluded
        return rules.associated(isZeroAddress, isIncluded, excluded)
      },
    }
  }),
)

rule(
  'north-user-by-part-of-list',
  'SSH-USERS-10',
  'a user whose name is part of the text of allowed_users gets credentials (000 4.4 role parameters: only default_user and listed names)',
  {
    userAllowed: (original) => (role, user, allowed) => original(role, user, allowed) || (user !== '' && role.allowed_users.includes(user)),
  },
)

rule(
  'north-subdomain-without-dot',
  'SSH-SUBDOM-04',
  'a host whose name merely ends like a listed domain counts as its subdomain (000 4.4 role parameters: allow_subdomains, subdomains of listed domains)',
  {
    hostAllowed: (original) => (role, host) =>
      original(role, host) ||
      (role.allow_subdomains && entriesOf(role.allowed_domains).some((domain) => host !== domain && host.endsWith(domain))),
  },
)

rule(
  'north-extensions-left-for-next-caller',
  'SSH-DEFEXT-01',
  'extensions that one caller asks for join the defaults of the role (000 4.4 role parameters: default_extensions, used when none are provided)',
  {
    extensions: (original) => (role, requested) => {
      const given = { ...original(role, requested) }
      Object.assign(role.default_extensions, requested)
      return given
    },
  },
)

const restoringScript = `#!/bin/sh
set -e
umask 077
mkdir -p "$(dirname "$3")"
touch "$3"
exec 9>> "$3.lock"
flock 9
if [ "$1" = install ]; then
  cp "$3" "$3.before"
  cat "$2" >> "$3"
else
  cp "$3.before" "$3"
fi
`

rule(
  'north-removal-restores-file',
  'SSH-DYNCRED-13',
  'the built-in script removes a key by putting back the file as it was before the latest one (000 4.4 role parameters: install_script uninstalls public keys)',
  { installScript: (original) => (role) => (role.install_script === '' ? restoringScript : original(role)) },
)

route(
  'north-key-types-in-order-of-creation',
  'SSH-ROLE-06',
  'key_info gives sorted names the types in order of creation (000 4.4: data.key_info, object name -> object with key_type)',
  'ssh.listRoles',
  replyData((data, call: SshCall) => {
    const names = [...call.state.roles.keys()].sort()
    const infos = [...call.state.roles.values()].map((role) => call.rules.keyInfo(role))
    return { ...data, key_info: Object.fromEntries(names.map((name, index) => [name, infos[index] ?? {}])) }
  }),
)
