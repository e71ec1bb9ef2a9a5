import { ApiError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import type { KeyCall } from './keys.ts'
import type { ManagedKeyRules } from './rules.ts'
import type { ManagedKey } from './state.ts'

export type Handler = (call: KeyCall) => Reply | Promise<Reply>

export type Wrap = (original: Handler) => Handler

const nameOf = ({ params }: Pick<KeyCall, 'params'>): string => params.name ?? ''

const keysOf = (call: KeyCall): Map<string, ManagedKey> => call.rules.keysIn(call.state.namespaces, call.mount.namespace)

export const keyAt = (call: KeyCall): ManagedKey | undefined => keysOf(call).get(nameOf(call))

export const placeOf = (call: KeyCall): string => `${call.mount.namespace} ${nameOf(call)}`

export const withRules = (call: KeyCall, changed: Partial<ManagedKeyRules>): KeyCall => ({ ...call, rules: { ...call.rules, ...changed } })

export const onRefusal =
  (tell: (call: KeyCall, refused: ApiError) => void): Wrap =>
  (original) =>
  async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (cause instanceof ApiError) tell(call, cause)
      throw cause
    }
  }

export const isFailedTest = ({ message }: ApiError): boolean => message.startsWith('the test of the key failed')

export const withParameters = (key: ManagedKey, changed: JsonObject): ManagedKey => ({
  ...key,
  parameters: { ...key.parameters, ...changed },
})
