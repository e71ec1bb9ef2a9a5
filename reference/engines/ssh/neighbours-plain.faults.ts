/** Faults whose effect falls on a neighbour: another role, key, password, user, host, mount or namespace. */

import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import { builtInScript } from './install-script.ts'
import { entriesOf } from './networks.ts'
import { nameOf, roleOfCall } from './plain-help.ts'
import type { SshState } from './state.ts'

const { rule, route, change } = faultsOf(sshEngine, 'ssh')
const core = faultsOf(coreEngine, 'ssh')

route(
  'plain-other-case-overwritten',
  'SSH-ROLE-03',
  'a new role whose name differs from another in case only overwrites that one (000 4.4: POST roles/:name, create or update)',
  'ssh.writeRole',
  (original) => (call) => {
    const name = nameOf(call)
    const known = [...call.state.roles.keys()].find((other) => other.toLowerCase() === name.toLowerCase())
    return original({ ...call, params: { ...call.params, name: known ?? name } })
  },
)

rule(
  'plain-deletion-takes-longer-names',
  'CORE-NAME-01',
  'deleting a role deletes all whose names begin alike (000 4.4: DELETE roles/:name, the role)',
  {
    deleteRole: (original) => (roles, name) => {
      for (const other of [...roles.keys()].filter((known) => known !== name && known.startsWith(name))) roles.delete(other)
      return original(roles, name)
    },
  },
)

rule(
  'plain-same-key-forgotten-together',
  'SSH-KEY-05',
  'deleting a key forgets every name of the same key (000 4.4: DELETE keys/:name, the named key)',
  {
    deleteKey: (original) => (keys, name) => {
      const text = keys.get(name)
      for (const [other] of [...keys].filter(([known, value]) => known !== name && value === text)) keys.delete(other)
      return original(keys, name)
    },
  },
)

rule(
  'plain-zero-address-by-substring',
  'SSH-ZERO-09',
  'a role counts as zero-address where its name is part of a listed one (000 4.4: of these roles)',
  {
    isZeroAddress: () => (names, role) => names?.join(',').includes(role) ?? false,
  },
)

const userOfAddress = remembered(() => new Map<string, string>())

change(
  'plain-latest-user-of-address',
  'SSH-VERIFY-02',
  'verify names the user of the latest password for that address (000 4.4: verify, data.username)',
  {
    routes: {
      'ssh.createCredential': replyData((data, call) => {
        if (data.key_type === 'otp') userOfAddress(call.state).set(String(data.ip), String(data.username))
        return data
      }),
      'ssh.verifyOtp': replyData((data, call) => ({
        ...data,
        username: userOfAddress(call.state).get(String(data.ip)) ?? data.username ?? null,
      })),
    },
  },
)

const issuingMounts = remembered(() => new Set<SshState>())

change(
  'plain-password-good-at-other-mount',
  'SSH-VERIFY-09',
  'a password of one mount is accepted at another one (000 4.4: POST /ssh/verify; engines at any path)',
  {
    routes: {
      'ssh.createCredential': (original) => (call) => {
        issuingMounts(call.services).add(call.state)
        return original(call)
      },
      'ssh.verifyOtp': (original) => (call) => {
        const owner = [...issuingMounts(call.services)].find(({ otps }) => otps.has(String(call.body.otp)))
        return original({ ...call, state: owner ?? call.state })
      },
    },
  },
)

core.rule(
  'plain-same-path-shared',
  'SSH-APART-01',
  'mounts of the same path in two namespaces share roles and keys (000 2.2: the effective request path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const namesake = others.find(
        (mount) => mount.engine.type === 'ssh' && mount.path === place.path && mount.namespace !== place.namespace,
      )
      return engine.type === 'ssh' && namesake ? namesake.state : original(engine, others, place)
    },
  },
)

route(
  'plain-key-info-shifted',
  'SSH-ROLE-06',
  'key_info pairs sorted names with types in order of creation (000 4.4: LIST roles, key_info name -> key_type)',
  'ssh.listRoles',
  replyData((data, call) => {
    const infos = [...call.state.roles.values()].map((role) => call.rules.keyInfo(role))
    const names = data.keys as string[]
    return { ...data, key_info: Object.fromEntries(names.map((name, index) => [name, infos[index] ?? null])) as JsonObject }
  }),
)

route(
  'plain-role-takes-key-along',
  'SSH-APART-01',
  'deleting a dynamic role deletes the registered key that other roles use, too (000 4.4: DELETE roles/:name deletes the role)',
  'ssh.deleteRole',
  (original) => async (call) => {
    const role = roleOfCall(call)
    const reply = await original(call)
    if (role?.key_type === 'dynamic') call.state.keys.delete(role.key)
    return reply
  },
)

rule(
  'plain-principal-by-prefix',
  'SSH-USERS-10',
  'a principal may be longer than the listed name it begins with (000 4.4: allowed_users, only listed names)',
  {
    principalAllowed: (original) => (user, allowed) => original(user, allowed) || allowed.some((name) => user.startsWith(name)),
  },
)

rule(
  'plain-domain-without-dot',
  'SSH-BARE-01',
  'a host that merely ends like a domain counts as its subdomain (000 4.4: allow_subdomains, of listed domains)',
  {
    hostAllowed: (original) => (role, host) =>
      original(role, host) || (role.allow_subdomains && entriesOf(role.allowed_domains).some((domain) => host.endsWith(domain))),
  },
)

rule(
  'plain-new-key-replaces-similar',
  'SSH-DYNCRED-13',
  'a new dynamic key takes earlier keys of its kind off the host (000 4.4: install_script, built in)',
  {
    installScript: (original) => (role) =>
      role.install_script === '' ? builtInScript.replace('grep -vxF -f "$2"', 'grep -vF -e "$(cut -c1-36 "$2")"') : original(role),
  },
)
