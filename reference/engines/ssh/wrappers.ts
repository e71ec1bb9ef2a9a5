/** Ways of getting it wrong that several faults of the SSH engine share. */
import { generateKeyPairSync } from 'node:crypto'
import type { Call, Route } from '../../core/engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { isNested, requestBody } from '../../faults/wrappers.ts'
import { publicKeyOf } from './key-formats.ts'
import type { SshRules } from './rules.ts'
import type { CaPair, Role, SshState } from './state.ts'

export type Handle = Route<SshState, SshRules>['handle']

export type SshCall = Call<SshState, SshRules>

/** A pair that nobody gave. */
export const newPair = (): CaPair => {
  const { privateKey } = generateKeyPairSync('ed25519')
  return { privateKey, publicKey: publicKeyOf(privateKey) }
}

export const nameOf = (call: SshCall): string => call.params.name ?? ''

/** Takes objects within a map for texts. */
export const flattening = (field: string): ((original: Handle) => Handle) =>
  requestBody((body) =>
    isNested(body[field])
      ? { ...body, [field]: Object.fromEntries(Object.keys(body[field] as JsonObject).map((name) => [name, '1'])) }
      : body,
  )

/** Treats every role as though some of its settings were others. */
export const asIf =
  <R>(change: (role: Role) => Partial<Role>, rule: (role: Role, ...rest: never[]) => R) =>
  (role: Role, ...rest: never[]): R =>
    rule({ ...role, ...change(role) }, ...rest)
