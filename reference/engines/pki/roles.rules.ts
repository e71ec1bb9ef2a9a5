import type { JsonObject } from '../../core/json.ts'
import { defaults, type Role, showRole } from './role.ts'
import { isOid } from './x509/der.ts'
import { EXTENDED_USAGES, KEY_USAGES } from './x509/extensions.ts'
import { type KeyType, validBits } from './x509/key-forms.ts'

export const roleRules = {
  roleDefaults: (): Role => defaults(),
  /** A write describes the whole role: what it leaves out returns to the default. */
  writeRole: (_previous: Role | undefined, given: Partial<Role>, base: Role): Role => ({ ...base, ...given }),
  showRole: (role: Role): JsonObject => showRole(role),
  /** EC roles without a size get the common curve, for the stated default is an RSA size. */
  roleBits: (role: Role, given: Partial<Role>): number => (role.key_type === 'ec' && given.key_bits === undefined ? 256 : role.key_bits),
  keyTypeKnown: (type: string): boolean => ['rsa', 'ec', 'any'].includes(type),
  keyBitsValid: (type: string, bits: number): boolean => type === 'any' || validBits(type as KeyType, bits),
  lifetimesAgree: (role: Role): boolean => role.max_ttl === 0 || role.ttl <= role.max_ttl,
  oidValid: (text: string): boolean => isOid(text),
  usageKnown: (name: string): boolean => KEY_USAGES[name.toLowerCase()] !== undefined,
  extendedUsageKnown: (name: string): boolean => EXTENDED_USAGES[name.toLowerCase()] !== undefined,
}
