/** Routes of roles. */
import type { Route } from '../../core/engine.ts'
import { empty, secret } from '../../core/envelope.ts'
import { invalid, notFound } from '../../core/errors.ts'
import type { PkiCall } from './requests.ts'
import { givenFields, type Role } from './role.ts'
import type { PkiRules } from './rules.ts'
import type { PkiState } from './state.ts'

/** Throws 400 for a role that could never issue what it says. */
const check = (rules: PkiRules, role: Role): void => {
  if (!rules.keyTypeKnown(role.key_type)) throw invalid('key_type must be rsa, ec or any')
  if (!rules.keyBitsValid(role.key_type, role.key_bits)) throw invalid(`key_bits ${role.key_bits} is not valid for ${role.key_type}`)
  if (!rules.lifetimesAgree(role)) throw invalid('ttl exceeds max_ttl')
  const oid = [...role.policy_identifiers, ...role.ext_key_usage_oids].find((text) => !rules.oidValid(text))
  if (oid !== undefined) throw invalid(`${oid} is not an object identifier`)
  const usage = role.key_usage.find((name) => !rules.usageKnown(name)) ?? role.ext_key_usage.find((name) => !rules.extendedUsageKnown(name))
  if (usage !== undefined) throw invalid(`usage ${usage} does not exist`)
}

const write = (call: PkiCall) => {
  const name = call.params.name!
  const given = givenFields(call.body)
  const role = call.rules.writeRole(call.state.roles.get(name), given, call.rules.roleDefaults())
  role.key_bits = call.rules.roleBits(role, given)
  check(call.rules, role)
  call.state.roles.set(name, role)
  return empty()
}

/** The role of an action. Throws 400 where there is none of that name. */
export const roleOf = (call: PkiCall): Role => {
  const role = call.state.roles.get(call.params.name!)
  if (role === undefined) throw invalid('unknown role')
  return role
}

export const roleRoutes: Route<PkiState, PkiRules>[] = [
  { id: 'pki.writeRole', method: 'POST', path: 'roles/:name', handle: write },
  {
    id: 'pki.readRole',
    method: 'GET',
    path: 'roles/:name',
    handle(call) {
      const role = call.state.roles.get(call.params.name!)
      if (role === undefined) throw notFound()
      return secret(call.rules.showRole(role))
    },
  },
  { id: 'pki.listRoles', method: 'LIST', path: 'roles', handle: (call) => call.services.listing(call.state.roles.keys()) },
  {
    id: 'pki.deleteRole',
    method: 'DELETE',
    path: 'roles/:name',
    handle(call) {
      call.state.roles.delete(call.params.name!)
      return empty()
    },
  },
]
