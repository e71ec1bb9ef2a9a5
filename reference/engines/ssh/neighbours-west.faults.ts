/** Faults whose effect falls on a neighbour: another role, key, password, mount, or a similar name. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import { entriesOf } from './networks.ts'
import type { SshState } from './state.ts'
import { nameIn, type SshCall } from './west-help.ts'

const { rule, route } = faultsOf(sshEngine, 'ssh')
const core = faultsOf(coreEngine, 'ssh')

rule(
  'west-zero-address-by-prefix',
  'SSH-ZERO-09',
  'a role whose name begins like a zero-address role gets credentials for any IP (000 4.4: CIDR blocks of these roles are ignored)',
  { isZeroAddress: (original) => (names, role) => original(names, role) || (names ?? []).some((name) => role.startsWith(name)) },
)

rule(
  'west-delete-any-case',
  'SSH-ROLE-05',
  'deleting a role deletes roles whose names differ by case (000 4.4: DELETE roles/:name deletes the role)',
  {
    deleteRole: (original) => (roles, name) => {
      const existed = original(roles, name)
      for (const other of [...roles.keys()]) if (existed && other.toLowerCase() === name.toLowerCase()) roles.delete(other)
      return existed
    },
  },
)

route(
  'west-key-takes-roles',
  'SSH-APART-01',
  'deleting a named key deletes the roles that name it (000 4.4: DELETE keys/:name deletes the named key)',
  'ssh.deleteKey',
  (original) => async (call) => {
    const given = await original(call)
    for (const [name, role] of [...call.state.roles]) if (role.key === nameIn(call)) call.state.roles.delete(name)
    return given
  },
)

core.rule(
  'west-passwords-of-all-mounts',
  'SSH-VERIFY-09',
  'a password is accepted at another SSH mount than the one that issued it (000 intro: engines can be mounted at any path)',
  {
    stateOf: (original) => (engine, others, place) => {
      const state = original(engine, others, place)
      const sibling = engine.type === 'ssh' ? others.find((mount) => mount.engine.type === 'ssh') : undefined
      return sibling ? Object.assign(state as SshState, { otps: (sibling.state as SshState).otps }) : state
    },
  },
)

route(
  'west-listed-role-clears-list',
  'SSH-ROLE-08',
  'deleting one zero-address role takes all others off the list (000 4.4: config/zeroaddress, data.roles)',
  'ssh.deleteRole',
  (original) => async (call) => {
    const given = await original(call)
    if (call.state.zeroAddress?.includes(nameIn(call))) call.state.zeroAddress = undefined
    return given
  },
)

route(
  'west-key-info-shifted',
  'SSH-ROLE-06',
  'key_info pairs sorted names with roles in the order of creation (000 4.4: LIST roles, object name -> object with key_type)',
  'ssh.listRoles',
  replyData<SshCall>((data, call) => {
    const infos = [...call.state.roles.values()].map((role) => call.rules.keyInfo(role))
    const names = data.keys as string[]
    return { ...data, key_info: Object.fromEntries(names.map((name, index) => [name, infos[index] ?? {}])) }
  }),
)

rule(
  'west-subdomain-without-dot',
  'SSH-SUBDOM-04',
  'a host whose name merely ends like a listed domain counts as its subdomain (000 4.4: allow_subdomains, subdomains of listed domains)',
  {
    hostAllowed: (original) => (role, host) =>
      original(role, host) ||
      (role.allow_subdomains && entriesOf(role.allowed_domains).some((domain) => host !== domain && host.endsWith(domain))),
  },
)

const MAPS = ['default_extensions', 'default_critical_options']
const latestMaps = remembered((): { maps: JsonObject } => ({ maps: {} }))

route(
  'west-defaults-of-role-before',
  'SSH-DEFEXT-04',
  'a new role without default maps gets those of the role written before (000 4.4: default_extensions, default none)',
  'ssh.writeRole',
  (original) => async (call) => {
    const latest = latestMaps(call.state)
    const isNew = !call.state.roles.has(nameIn(call))
    const body = isNew ? { ...latest.maps, ...call.body } : call.body
    const given = await original({ ...call, body })
    const written = MAPS.map((field): [string, Json | undefined] => [field, body[field]])
    latest.maps = Object.fromEntries(written.filter((entry): entry is [string, Json] => entry[1] !== undefined))
    return given
  },
)

route(
  'west-dotted-names-collide',
  'CORE-CAP-07',
  'what follows the last period of a role name is taken off as a file type, so that a.b and a.c are one role (000 4.4: roles/:name)',
  ['ssh.writeRole', 'ssh.readRole', 'ssh.deleteRole', 'ssh.createCredential', 'ssh.signKey'],
  (original) => (call) => original({ ...call, params: { ...call.params, name: nameIn(call).replace(/(?<=.)\.[^.]+$/, '') } }),
)

route(
  'west-ca-takes-config-along',
  'SSH-APART-01',
  'deleting the CA deletes the zero-address configuration, too (000 4.4: DELETE config/ca deletes the CA pair)',
  'ssh.deleteCa',
  (original) => async (call) => {
    const given = await original(call)
    call.state.zeroAddress = undefined
    return given
  },
)

rule(
  'west-blocks-by-text',
  ['SSH-CIDR-04'],
  'blocks of whole octets are compared as text, so that 10.1.0.0/16 holds 10.10.0.1 (000 4.4: cidr_list, CIDR blocks)',
  {
    blockContains: (original) => (block, address) => {
      const octets = block.prefix / 8
      if (block.family !== 'ipv4' || !Number.isInteger(octets) || octets < 1 || octets > 3) return original(block, address)
      return address.startsWith(block.address.split('.').slice(0, octets).join('.'))
    },
  },
)
